import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as scale from "../../../webview/scale";

const huge = { lines: 134_000_000, rows: 40.5 };
const TRACK = 700;

describe("the scale", () => {
  it("shows the whole of a short file without scrolling", () => {
    const short = { lines: 10, rows: 40 };
    assert.equal(scale.maxTop(short), 1);
    assert.equal(scale.clampTop(5, short), 1);
    assert.equal(scale.thumbLength(short, TRACK), TRACK);
    assert.equal(scale.thumbOffset(1, short, TRACK), 0);
    assert.equal(scale.topAt(300, short, TRACK), 1);
  });

  it("reaches the first and the last line with the thumb", () => {
    const way = TRACK - scale.thumbLength(huge, TRACK);
    assert.equal(scale.topAt(0, huge, TRACK), 1);
    assert.equal(scale.topAt(-50, huge, TRACK), 1);
    const top = scale.topAt(way, huge, TRACK);
    assert.ok(top + Math.floor(huge.rows) - 1 >= huge.lines, `the last line is below the edge at ${top}`);
    assert.equal(scale.topAt(way + 50, huge, TRACK), top);
  });

  it("puts the thumb where it was dragged to", () => {
    for (const offset of [1, 100, 350, 600]) {
      const top = scale.topAt(offset, huge, TRACK);
      assert.equal(top, Math.floor(top));
      assert.ok(Math.abs(scale.thumbOffset(top, huge, TRACK) - offset) < 0.01);
    }
  });

  it("keeps the thumb large enough to be held", () => {
    assert.ok(scale.thumbLength(huge, TRACK) >= 20);
  });

  it("does not scroll for a line that is visible", () => {
    assert.equal(scale.topToReveal(120, 100, huge), 100);
    assert.equal(scale.topToReveal(139, 100, huge), 100);
  });

  it("scrolls by single lines at the edges, and centers what is far away", () => {
    assert.equal(scale.topToReveal(140, 100, huge), 101);
    assert.equal(scale.topToReveal(99, 100, huge), 99);
    assert.equal(scale.topToReveal(1_000_000, 100, huge), 999_980);
    assert.equal(scale.topToReveal(1, 1_000_000, huge), 1);
  });

  it("asks for columns around what is shown", () => {
    for (const left of [0, 100, 511, 512, 1023, 5_000_000]) {
      const { column, width } = scale.columnsAround(left, 120);
      assert.ok(column <= left && column + width >= left + 120, `${left} is not in ${column} + ${width}`);
      assert.ok(width < 2000);
    }
  });

  it("counts tabs to their stops and wide characters twice", () => {
    assert.equal(scale.displayColumns("abc", 4), 3);
    assert.equal(scale.displayColumns("\ta\tb", 4), 9);
    assert.equal(scale.displayColumns("漢字🎉é", 4), 7);
  });
});
