import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { textOf, wholeLines } from "../../../src/viewer/copying";
import type { Search } from "../../../src/viewer/excerpt";
import type { Position, Query, TextRange } from "../../../src/viewer/messages";
import { OldLines } from "../../../src/viewer/oldLines";
import { Snapshot } from "../../../src/viewer/snapshot";
import { FileInMemory } from "./fileInMemory";

const FILE = { path: "log" };
const TEXT = Array.from({ length: 3000 }, (_, index) =>
  (index + 1) % 1000 === 0 ? `ERROR line ${index + 1}\n` : `\x1b[31mred\x1b[0m line ${index + 1}\n`,
).join("");
const query = (pattern: string): Query => ({ pattern, regex: false, ignoreCase: false, wholeWord: false });
const search: Search = () => assert.fail("nothing is asked of the daemon");

/** Lines 1 to 128 and some around 2,000 were on the screen. */
async function old(): Promise<OldLines> {
  const file = new FileInMemory(TEXT, 1 << 20);
  const snapshot = await Snapshot.open(file, FILE);
  snapshot.forgetLines();
  await snapshot.rows(1, 40, 0, 80);
  await snapshot.rows(1990, 40, 0, 80);
  file.change("another\n");
  return OldLines.of([snapshot]);
}

describe("the lines from before a file was truncated", () => {
  it("are all that were read, with their numbers and colors", async () => {
    const lines = await old();
    const rows = await lines.rows(1, lines.total.lines, 0, 80);
    assert.equal(rows.length, lines.total.lines);
    assert.deepEqual(
      [rows[0]?.number, rows[127]?.number, rows[128]?.number],
      [1, 128, 1921], // the page of 128 lines around 1,990
    );
    assert.equal(rows[128]?.text, "red line 1921");
    assert.deepEqual(rows[128]?.spans[0]?.style.foreground, "var(--vscode-terminal-ansiRed)");
  });

  it("are found in both directions, around the ends", async () => {
    const lines = await old();
    const found = async (pattern: string, direction: "forward" | "backward", from: Position) => {
      const { match, wrapped } = await lines.find(search, query(pattern), direction, from);
      return [match?.line, match?.range.start.column, wrapped];
    };
    assert.deepEqual(await found("line 2000", "forward", { line: 1, column: 0 }), [2000, 6, false]);
    assert.deepEqual(await found("line 7", "forward", { line: 100, column: 0 }), [7, 4, true]);
    assert.deepEqual(await found("line 7", "backward", { line: 7, column: 4 }), [79, 4, true]);
    assert.deepEqual(await found("nowhere", "forward", { line: 1, column: 0 }), [undefined, undefined, true]);
    assert.equal(lines.matches(query("line 200")).count, 10);
  });

  it("are copied, whole or in part", async () => {
    const lines = await old();
    const range = (...[line, column, endLine, endColumn]: [number, number, number, number]) => ({
      start: { line, column },
      end: { line: endLine, column: endColumn },
    });
    const copied = async (...[range, options]: [TextRange, { numbered: boolean }?]) =>
      (await textOf(lines.pieces(range), options)).text;
    assert.equal(await copied(range(1, 4, 2, 3)), "line 1\nred");
    assert.equal(await copied(range(129, 0, 130, 0)), "red line 1921\n");
    const two = await copied(wholeLines(range(129, 3, 130, 3)), { numbered: true });
    assert.equal(two, "1921: red line 1921\n1922: red line 1922\n");
  });

  it("are not searched for what could take long", async () => {
    const lines = await old();
    const slow = { ...query("(a+)+$"), regex: true };
    await assert.rejects(lines.find(search, slow, "forward", { line: 1, column: 0 }), /simple expressions/);
  });
});
