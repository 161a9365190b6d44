import { open, rename, rm } from "node:fs/promises";
import type { Piece } from "./copying";

export interface Written {
  lines: number;
  bytes: number;
}

/** Tells how far it is, after the last line of the file that was written; whether to continue. */
export type Watch = (written: Written, line: number) => boolean;

/** Writes lines to a file that appears once it is complete. Null where it was stopped; then nothing is left of it. */
export async function writeLines(
  pieces: AsyncIterable<Piece>,
  target: string,
  watch: Watch,
): Promise<Written | null> {
  const partial = `${target}.part`;
  const file = await open(partial, "w");
  const written = { lines: 0, bytes: 0 };
  try {
    for await (const { text, numbers } of pieces) {
      written.bytes += (await file.write(text)).bytesWritten;
      written.lines += text.split("\n").length - 1;
      if (!watch(written, numbers.at(-1) ?? 1)) {
        return null;
      }
    }
    await file.close();
    await rename(partial, target);
    return written;
  } finally {
    await file.close().catch(() => undefined); // it may be closed
    await rm(partial, { force: true });
  }
}
