import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FileChanged, Snapshot } from "../../../src/viewer/snapshot";
import { FileInMemory, numbered } from "./fileInMemory";

async function textsOf(snapshot: Snapshot, first: number, count: number): Promise<string[]> {
  return (await snapshot.rows(first, count, 0, 100)).map(({ text }) => text);
}

describe("a snapshot", () => {
  it("gives every row the text of its line, wherever it starts", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(numbered(5000)), "file");
    for (const first of [1, 2, 127, 128, 129, 255, 2500, 4990]) {
      const wanted = Array.from({ length: 10 }, (_, index) => `line ${first + index}`);
      assert.deepEqual(await textsOf(snapshot, first, 10), wanted);
    }
  });

  it("gives fewer rows at the end, and none behind it", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(numbered(300)), "file");
    assert.deepEqual(await textsOf(snapshot, 299, 10), ["line 299", "line 300"]);
    assert.deepEqual(await textsOf(snapshot, 301, 10), []);
  });

  it("shows an empty file as no lines", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(""), "file");
    assert.deepEqual(await textsOf(snapshot, 1, 10), []);
    assert.deepEqual(snapshot.total, { lines: 0, exact: true });
  });

  it("reads what it holds once", async () => {
    const file = new FileInMemory(numbered(500), 100_000);
    const snapshot = await Snapshot.open(file, "file");
    await textsOf(snapshot, 1, 50);
    await textsOf(snapshot, 20, 50);
    assert.equal(file.asked.length, 1);
  });

  it("asks for no more pages than lines of a page that is too large for one answer", async () => {
    const file = new FileInMemory(`${"x".repeat(900)}\n`.repeat(400));
    const snapshot = await Snapshot.open(file, "file");
    await textsOf(snapshot, 100, 5);
    assert.ok(file.asked.length <= 8, `asked ${file.asked.length} times`);
  });

  it("estimates the lines of a file that is too large to be counted at once, until its end is seen", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(numbered(1000), 100_000, false), "file");
    assert.equal(snapshot.total.exact, false);
    assert.ok(Math.abs(snapshot.total.lines - 1000) < 200, `estimated ${snapshot.total.lines}`);
    await textsOf(snapshot, 990, 20);
    assert.deepEqual(snapshot.total, { lines: 1000, exact: true });
  });

  it("walks a line longer than an answer by cursors, to its end and back", async () => {
    const long = Array.from({ length: 5000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
    const snapshot = await Snapshot.open(new FileInMemory(`short\n${long}\nlast\n`), "file");
    const window = async (column: number) => (await snapshot.rows(2, 1, column, 50))[0];
    assert.deepEqual(await window(0), { text: long.slice(0, 50), length: 1000, open: true });
    assert.deepEqual(await window(4980), { text: long.slice(4980), length: 5000, open: false });
    assert.equal((await window(980))?.text, long.slice(980, 1030));
    assert.deepEqual(await textsOf(snapshot, 3, 1), ["last"]);
  });

  it("finds onward, wraps, and gives columns in UTF-16 units", async () => {
    const file = new FileInMemory("one\n🎉🎉 needle\nthree\n");
    const snapshot = await Snapshot.open(file, "file");
    const query = { pattern: "needle", regex: false, ignoreCase: false, wholeWord: false };
    const search = file.find.bind(file);
    const match = { start: { line: 2, column: 5 }, end: { line: 2, column: 11 } };
    assert.deepEqual(await snapshot.find(search, query, "forward", { line: 1, column: 0 }), {
      match,
      wrapped: false,
    });
    assert.deepEqual(await snapshot.find(search, query, "forward", match.end), { match, wrapped: true });
    assert.deepEqual(await snapshot.find(search, query, "backward", match.end), { match, wrapped: false });
    assert.deepEqual(await snapshot.find(search, query, "backward", match.start), { match, wrapped: true });
  });

  it("finds in a line longer than an answer", async () => {
    const file = new FileInMemory(`${"🎉".repeat(2000)}needle\n`);
    const snapshot = await Snapshot.open(file, "file");
    const query = { pattern: "needle", regex: false, ignoreCase: false, wholeWord: false };
    const { match } = await snapshot.find(file.find.bind(file), query, "forward", { line: 1, column: 3000 });
    assert.deepEqual(match, { start: { line: 1, column: 4000 }, end: { line: 1, column: 4006 } });
  });

  it("refuses to mix two states of a file", async () => {
    const file = new FileInMemory(numbered(1000));
    const snapshot = await Snapshot.open(file, "file");
    assert.equal(await snapshot.refresh(), false);
    file.change(numbered(2000));
    await assert.rejects(() => snapshot.refresh(), FileChanged);
    await assert.rejects(() => snapshot.rows(900, 1, 0, 10), FileChanged);
  });

  it("stays true while the file only grows, and knows its new end once it is counted", async () => {
    const file = new FileInMemory("one\ntwo\nthr");
    const snapshot = await Snapshot.open(file, "file");
    file.grow("ee\nfour\n");
    assert.equal(await snapshot.refresh(), true);
    assert.ok(snapshot.isGrown);
    assert.deepEqual(snapshot.total, { lines: 3, exact: true });
    const counted = { path: "", workspace_folder: "", line_count: 4, byte_length: 19, etag: file.etag };
    assert.deepEqual(await snapshot.counted(counted), { lines: 4, exact: true });
    assert.deepEqual(await textsOf(snapshot, 1, 9), ["one", "two", "three", "four"]);
    const search = await snapshot.find(
      (params) => file.find(params),
      { pattern: "four", regex: false, ignoreCase: false, wholeWord: false },
      "forward",
      { line: 1, column: 0 },
    );
    assert.equal(search.match?.start.line, 4);
  });
});
