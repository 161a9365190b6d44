import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FindParams } from "../../../src/protocol";
import type { Direction, Position } from "../../../src/viewer/messages";
import { FileChanged, Snapshot } from "../../../src/viewer/snapshot";
import { FileInMemory, numbered } from "./fileInMemory";

const FILE = { path: "file" };

async function textsOf(snapshot: Snapshot, first: number, count: number): Promise<string[]> {
  return (await snapshot.rows(first, count, 0, 100)).map(({ text }) => text);
}

describe("a snapshot", () => {
  it("gives every row the text of its line, wherever it starts", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(numbered(5000)), FILE);
    for (const first of [1, 2, 127, 128, 129, 255, 2500, 4990]) {
      const wanted = Array.from({ length: 10 }, (_, index) => `line ${first + index}`);
      assert.deepEqual(await textsOf(snapshot, first, 10), wanted);
    }
  });

  it("gives fewer rows at the end, and none behind it", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(numbered(300)), FILE);
    assert.deepEqual(await textsOf(snapshot, 299, 10), ["line 299", "line 300"]);
    assert.deepEqual(await textsOf(snapshot, 301, 10), []);
  });

  it("shows an empty file as no lines", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(""), FILE);
    assert.deepEqual(await textsOf(snapshot, 1, 10), []);
    assert.deepEqual(snapshot.total, { lines: 0, exact: true });
  });

  it("knows of colors that were not read yet once it has looked for them, and looks once", async () => {
    const file = new FileInMemory(`${numbered(500)}\x1b[31mred\x1b[0m\n`, 100_000);
    const snapshot = await Snapshot.open(file, FILE);
    await textsOf(snapshot, 1, 10);
    let searches = 0;
    const find = (params: FindParams) => {
      searches += 1;
      return file.request("forge/find", params);
    };
    assert.equal(snapshot.isColored, false);
    assert.equal(await snapshot.lookForColors(find), true);
    assert.equal(snapshot.isColored, true);
    assert.equal(await snapshot.lookForColors(find), false);
    assert.equal(searches, 1);
  });

  it("reads what it holds once", async () => {
    const file = new FileInMemory(numbered(500), 100_000);
    const snapshot = await Snapshot.open(file, FILE);
    await textsOf(snapshot, 1, 50);
    await textsOf(snapshot, 20, 50);
    assert.equal(file.asked.length, 1);
  });

  it("asks for no more pages than lines of a page that is too large for one answer", async () => {
    const file = new FileInMemory(`${"x".repeat(900)}\n`.repeat(400));
    const snapshot = await Snapshot.open(file, FILE);
    await textsOf(snapshot, 100, 5);
    assert.ok(file.asked.length <= 8, `asked ${file.asked.length} times`);
  });

  it("estimates the lines of a file that is too large to be counted at once, until its end is seen", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(numbered(1000), 100_000, false), FILE);
    assert.equal(snapshot.total.exact, false);
    assert.ok(Math.abs(snapshot.total.lines - 1000) < 200, `estimated ${snapshot.total.lines}`);
    await textsOf(snapshot, 990, 20);
    assert.deepEqual(snapshot.total, { lines: 1000, exact: true });
  });

  it("shows any part of a line longer than an answer, and finds its end in a few reads", async () => {
    for (const letters of ["abcdefghijklm", "日本語テキスト🎉"]) {
      const long = Array.from({ length: 100_000 }, (_, index) => [...letters][index % [...letters].length]);
      const file = new FileInMemory(`short\n${long.join("")}\nlast\n`);
      const snapshot = await Snapshot.open(file, FILE);
      const window = async (column: number) => (await snapshot.rows(2, 1, column, 50))[0];
      assert.equal((await window(0))?.text, long.slice(0, 50).join(""));
      assert.equal((await window(50_000))?.text, long.slice(50_000, 50_050).join(""));
      assert.ok(((await window(0))?.length ?? 0) >= 100_000);
      file.asked.length = 0;
      assert.equal(await snapshot.lengthOf(2), 100_000);
      assert.ok(file.asked.length <= 12, `asked ${file.asked.length} times`);
      const last = { text: long.slice(99_980).join(""), spans: [], length: 100_000, open: false };
      assert.deepEqual(await window(99_980), last);
      assert.equal((await window(980))?.text, long.slice(980, 1030).join(""));
      assert.deepEqual(await textsOf(snapshot, 3, 1), ["last"]);
    }
  });

  it("learns from a look past the end of a line how long it is", async () => {
    const snapshot = await Snapshot.open(new FileInMemory(`short\n${"日".repeat(50_000)}`, 300_000), FILE);
    const [row] = await snapshot.rows(2, 1, 120_000, 50);
    assert.deepEqual(row, { text: "", spans: [], length: 50_000, open: false });
  });

  it("starts with a line longer than an answer at once", async () => {
    const file = new FileInMemory("x".repeat(900_000));
    const snapshot = await Snapshot.open(file, FILE);
    assert.deepEqual(await textsOf(snapshot, 1, 1), ["x".repeat(100)]);
    assert.equal(file.asked.length, 1);
    assert.equal(await snapshot.lengthOf(1), 900_000);
  });

  it("counts columns in what is shown, and keeps colors and links", async () => {
    const raw = "\x1b[31mré🎉d\x1b[0m and \x1b]8;;https://example.org\x07link\x1b]8;;\x07 end";
    const snapshot = await Snapshot.open(new FileInMemory(`${raw}\n`), FILE);
    const [row] = await snapshot.rows(1, 1, 2, 9);
    assert.deepEqual(row, {
      text: "🎉d and li",
      spans: [
        { start: 0, end: 3, style: { foreground: "var(--vscode-terminal-ansiRed)" } },
        { start: 8, end: 10, style: {}, link: "https://example.org" },
      ],
      length: 17,
      open: false,
    });
  });

  it("keeps colors far inside a long line, and reads them once", async () => {
    const word = (index: number) => `word${String(index).padStart(5, "0")}`;
    const line = (words: number) =>
      Array.from({ length: words }, (_, index) => `\x1b[3${index % 8}m${word(index)}\x1b[0m `).join("");
    const file = new FileInMemory(`${numbered(300)}${line(3000)}\n${line(12_000)}\nlast\n`, 1_000_000);
    const snapshot = await Snapshot.open(file, FILE);
    const far = await snapshot.rows(301, 1, 20_000, 9);
    assert.deepEqual(far, [
      {
        text: word(2000),
        spans: [{ start: 0, end: 9, style: { foreground: "var(--vscode-terminal-ansiBlack)" } }],
        length: 30_000,
        open: false,
      },
    ]);
    const { length } = file.asked;
    assert.equal((await snapshot.rows(301, 1, 29_990, 20))[0]?.spans.length, 1);
    assert.equal(file.asked.length, length);
    assert.equal((await snapshot.rows(302, 1, 30_000, 9))[0]?.spans.length, 1);
    assert.deepEqual(await snapshot.rows(302, 1, 80_000, 9), [
      { text: word(8000), spans: [], length: 120_000, open: true },
    ]);
  });

  it("finds onward, wraps, and gives the columns of what is shown", async () => {
    const file = new FileInMemory("one\n🎉🎉 \x1b[1mnee\x1b[0mdle\nthree\n");
    const snapshot = await Snapshot.open(file, FILE);
    const query = { pattern: "needle", regex: false, ignoreCase: false, wholeWord: false };
    const search = file.find.bind(file);
    const match = { start: { line: 2, column: 3 }, end: { line: 2, column: 9 } };
    const found = async (direction: Direction, from: Position) => {
      const { wrapped, match: found } = await snapshot.find(search, query, direction, from);
      assert.deepEqual(found, { range: match, line: 2, content: "🎉🎉 needle" });
      return wrapped;
    };
    assert.equal(await found("forward", { line: 1, column: 0 }), false);
    assert.equal(await found("forward", match.end), true);
    assert.equal(await found("backward", match.end), false);
    assert.equal(await found("backward", match.start), true);
  });

  it("refuses to mix two states of a file", async () => {
    const file = new FileInMemory(numbered(1000));
    const snapshot = await Snapshot.open(file, FILE);
    assert.equal(await snapshot.refresh(), false);
    file.change(numbered(2000));
    await assert.rejects(() => snapshot.refresh(), FileChanged);
    await assert.rejects(() => snapshot.rows(900, 1, 0, 10), FileChanged);
  });

  it("stays true while the file only grows, and knows its new end once it is counted", async () => {
    const file = new FileInMemory("one\ntwo\nthr");
    const snapshot = await Snapshot.open(file, FILE);
    file.grow("ee\nfour\n");
    assert.equal(await snapshot.refresh(), true);
    assert.ok(snapshot.isGrown);
    assert.deepEqual(snapshot.total, { lines: 3, exact: true });
    const counted = {
      path: "",
      workspace_folder: "",
      line_count: 4,
      matched_lines: null,
      byte_length: 19,
      etag: file.etag,
    };
    assert.deepEqual(await snapshot.counted(counted), { lines: 4, exact: true });
    assert.deepEqual(await textsOf(snapshot, 1, 9), ["one", "two", "three", "four"]);
    const search = await snapshot.find(
      (params) => file.find(params),
      { pattern: "four", regex: false, ignoreCase: false, wholeWord: false },
      "forward",
      { line: 1, column: 0 },
    );
    assert.equal(search.match?.range.start.line, 4);
  });
});
