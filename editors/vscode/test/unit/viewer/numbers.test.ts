import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatBytes, formatPosition, parseLine, parseLines, parseTarget } from "../../../src/viewer/numbers";

describe("numbers", () => {
  it("are written with separators, estimates with a mark", () => {
    assert.equal(formatPosition(1204113, { lines: 13400000, exact: true }), "1,204,113 / 13,400,000");
    assert.equal(formatPosition(1, { lines: 13400000, exact: false }), "1 / ~13,400,000");
  });

  it("of bytes are short, in the units of VS Code", () => {
    assert.deepEqual([0, 999, 1536, 300_000_032, 10_800_000_000].map(formatBytes), [
      "0 bytes",
      "999 bytes",
      "1.5 KB",
      "286 MB",
      "10.1 GB",
    ]);
  });

  it("are read with and without separators", () => {
    for (const text of ["1204113", "1,204,113", " 1_204_113 ", "1 204 113", "1.204.113"]) {
      assert.equal(parseLine(text), 1204113, text);
    }
    for (const text of ["", "0", "-1", "1.5", "1,20", "x", "99999999999999999999"]) {
      assert.equal(parseLine(text), null, text);
    }
  });

  it("may be a share of the file", () => {
    assert.equal(parseTarget("50%", 1000), 500);
    assert.equal(parseTarget("0 %", 1000), 1);
    assert.equal(parseTarget("101%", 1000), null);
    assert.equal(parseTarget("7", 1000), 7);
  });

  it("of lines are a line with its surroundings, a range, or a count", () => {
    assert.deepEqual(parseLines("1200", 50), { start: 1150, end: 1250 });
    assert.deepEqual(parseLines("20", 50), { start: 1, end: 70 });
    assert.deepEqual(parseLines("1,000-2,000", 50), { start: 1000, end: 2000 });
    assert.deepEqual(parseLines("100 + 20", 50), { start: 100, end: 119 });
    assert.equal(parseLines("20-10", 50), null);
    assert.equal(parseLines("a-b", 50), null);
  });
});
