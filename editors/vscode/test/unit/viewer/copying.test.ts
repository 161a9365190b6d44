import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { piecesOf, textOf, wholeLines } from "../../../src/viewer/copying";
import { FileInMemory, numbered } from "./fileInMemory";

function copy(file: FileInMemory, from: [number, number], to: [number, number], limit?: number) {
  const range = { start: { line: from[0], column: from[1] }, end: { line: to[0], column: to[1] } };
  return textOf(piecesOf(file, { path: "file" }, range, false), limit === undefined ? {} : { limit });
}

describe("copying", () => {
  const file = new FileInMemory(numbered(1000));

  it("takes whole lines over many answers", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 101}\n`).join("");
    assert.deepEqual(await copy(file, [101, 0], [601, 0]), { text: lines, cut: false });
  });

  it("takes the part of the first and of the last line that is selected", async () => {
    assert.deepEqual(await copy(file, [10, 5], [12, 4]), { text: "10\nline 11\nline", cut: false });
    assert.deepEqual(await copy(file, [10, 1], [10, 4]), { text: "ine", cut: false });
  });

  it("takes the last line without its end", async () => {
    assert.equal((await copy(new FileInMemory("one\ntwo"), [1, 0], [3, 0])).text, "one\ntwo");
  });

  it("takes nothing for nothing", async () => {
    assert.deepEqual(await copy(file, [5, 0], [5, 0]), { text: "", cut: false });
  });

  it("stops inside a line that is longer than an answer", async () => {
    const long = new FileInMemory(`first\n${"x".repeat(5000)}\n`);
    assert.deepEqual(await copy(long, [1, 0], [2, 1500]), { text: `first\n${"x".repeat(1500)}`, cut: false });
    assert.ok(long.asked.length <= 4, `asked ${long.asked.length} times`);
  });

  it("takes a part from far inside a line, and reads no more than that", async () => {
    const long = new FileInMemory(`${"0123456789".repeat(50_000)}\nnext\n`);
    assert.equal((await copy(long, [1, 400_003], [1, 400_009])).text, "345678");
    assert.equal(long.asked.length, 1);
    assert.equal((await copy(long, [1, 499_998], [2, 2])).text, "89\nne");
  });

  it("says where it was cut at the limit", async () => {
    const { text, cut } = await copy(file, [1, 0], [1001, 0], 2000);
    assert.equal(cut, true);
    assert.equal(text, numbered(1000).slice(0, 2000));
  });

  it("numbers lines, over many answers and inside of long lines", async () => {
    const long = new FileInMemory(`one\n${"x".repeat(5000)}\nthree\n`);
    const range = wholeLines({ start: { line: 1, column: 2 }, end: { line: 3, column: 1 } });
    const { text } = await textOf(piecesOf(long, { path: "file" }, range, false), { numbered: true });
    assert.equal(text, `1: one\n2: ${"x".repeat(5000)}\n3: three\n`);
  });

  it("leaves out what a terminal would not have shown", async () => {
    const colored = new FileInMemory("\x1b[31mred\x1b[0m plain\n");
    assert.equal((await copy(colored, [1, 0], [2, 0])).text, "red plain\n");
    assert.equal((await copy(colored, [1, 1], [1, 6])).text, "ed pl");
  });

  it("keeps colors on demand, of the part that is selected", async () => {
    const colored = new FileInMemory("\x1b[31mred\x1b[0m 🎉 \x1b[1mbold\x1b[0m\nnext\n");
    const text = async (from: [number, number], to: [number, number]) => {
      const range = { start: { line: from[0], column: from[1] }, end: { line: to[0], column: to[1] } };
      return (await textOf(piecesOf(colored, { path: "file" }, range, true))).text;
    };
    assert.equal(await text([1, 0], [2, 0]), "\x1b[31mred\x1b[0m 🎉 \x1b[1mbold\x1b[0m\n");
    assert.equal(await text([1, 1], [1, 5]), "\x1b[31med\x1b[0m 🎉");
    assert.equal(await text([1, 7], [1, 9]), "\x1b[1mol\x1b[0m");
    assert.equal(await text([1, 8], [2, 2]), "\x1b[1mld\x1b[0m\nne");
  });
});
