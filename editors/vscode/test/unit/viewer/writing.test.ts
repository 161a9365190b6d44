import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Piece } from "../../../src/viewer/copying";
import { writeLines } from "../../../src/viewer/writing";

async function* pieces(): AsyncGenerator<Piece, void, void> {
  yield { text: "eins\nzwölf\n", numbers: [1, 12] };
  yield { text: "dreizehn\n", numbers: [13] };
}

describe("saving lines", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "forge-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("writes them as UTF-8 and tells how far it is", async () => {
    const seen: number[] = [];
    const written = await writeLines(pieces(), join(folder, "x.log"), (_, line) => seen.push(line) > 0);
    assert.deepEqual(written, { lines: 3, bytes: 21 });
    assert.equal(readFileSync(join(folder, "x.log"), "utf8"), "eins\nzwölf\ndreizehn\n");
    assert.deepEqual(seen, [12, 13]);
    assert.deepEqual(readdirSync(folder), ["x.log"]);
  });

  it("leaves nothing, and the file that was there before, where it is stopped", async () => {
    writeFileSync(join(folder, "x.log"), "before");
    assert.equal(await writeLines(pieces(), join(folder, "x.log"), () => false), null);
    assert.deepEqual(readdirSync(folder), ["x.log"]);
    assert.equal(readFileSync(join(folder, "x.log"), "utf8"), "before");
  });

  it("leaves nothing where reading fails", async () => {
    async function* failing(): AsyncGenerator<Piece, void, void> {
      yield* pieces();
      throw new Error("gone");
    }
    await assert.rejects(
      writeLines(failing(), join(folder, "x.log"), () => true),
      /gone/,
    );
    assert.deepEqual(readdirSync(folder), []);
  });
});
