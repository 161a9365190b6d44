import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { Requests } from "../protocol";
import { formatNumber } from "./numbers";
import { AS_SHOWN } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** The first line at or after a time as a person types it; the last line where the file ends before. */
export async function findTime(
  daemon: Daemon,
  file: ViewedFile,
  time: string,
): Promise<{ line: number | null; note: string }> {
  const options = { location: vscode.ProgressLocation.Window, title: `Looking for ${time}` };
  return await vscode.window.withProgress(options, async () => {
    const params = { ...file.toRead, ...AS_SHOWN };
    try {
      const found = await daemon.request(Requests.findTime, { ...params, time });
      if (found.line !== null) {
        const written = readable(found.time ?? "");
        return { line: found.line, note: `${time} is at line ${formatNumber(found.line)} (${written}).` };
      }
      const { last_time } = await daemon.request(Requests.describe, { ...params, scan: false });
      await file.count();
      const { total } = await file.read(async (snapshot) => snapshot);
      const last = last_time === null ? "" : `: its last line is of ${readable(last_time)}`;
      return { line: total.lines, note: `${file.name} ends before ${time}${last}.` };
    } catch (error) {
      if (error instanceof ForgeError && error.code === "INVALID_ARGUMENT") {
        const reason = error.data.reason.replace(/^time: /, "");
        return { line: null, note: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` };
      }
      throw error;
    }
  });
}

/** Without the zone, as lines mostly have it. */
function readable(time: string): string {
  return time.replace("T", " ").replace(/(?:\.0+)?(?:Z|[+-]\d\d:?\d\d)?$/, "");
}
