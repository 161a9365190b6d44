import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Wrapping } from "../../../webview/wrapping";

/** Lines that take these numbers of rows. */
function wrapped(...rows: number[]): Wrapping {
  return new Wrapping(
    (line) => rows[line - 1],
    () => rows.length,
  );
}

describe("word wrap", () => {
  it("moves by rows, through lines of any height and back", () => {
    const wrapping = wrapped(1, 4, 2, 1);
    assert.equal(wrapping.advance(1, 1), 2);
    assert.equal(wrapping.advance(1, 2), 2.25);
    assert.equal(wrapping.advance(1, 6), 3.5);
    assert.equal(wrapping.advance(3.5, -6), 1);
    assert.equal(wrapping.advance(2.25, 1.5), 2.625);
  });

  it("stays within the file", () => {
    const wrapping = wrapped(1, 4, 2, 1);
    assert.equal(wrapping.advance(3, 100), 5);
    assert.equal(wrapping.advance(3, -100), 1);
  });

  it("ends with the last line at the lower edge and an empty row below it", () => {
    assert.equal(wrapped(1, 4, 2, 1).maxTop(5), 2.75);
    assert.equal(wrapped(1, 1).maxTop(5), 1);
  });

  it("does not take the end for known before it was seen", () => {
    const unseen = new Wrapping(
      (line) => (line > 98 ? 2 : undefined),
      () => 100,
    );
    assert.equal(unseen.maxTop(30), 99);
    assert.equal(unseen.maxTop(4), 99.5);
  });

  it("shows a line by the smallest move, and one that does not fit from its start", () => {
    const wrapping = wrapped(1, 4, 2, 1, 50);
    assert.equal(wrapping.topToReveal(2, 1, 5), 1);
    assert.equal(wrapping.topToReveal(3, 1, 5), 2.25);
    assert.equal(wrapping.topToReveal(1, 3, 5), 1);
    assert.equal(wrapping.topToReveal(5, 1, 5), 5);
    assert.equal(wrapping.topToReveal(5, 5.5, 5), 5.5);
  });

  it("takes what was measured instead of what was estimated", () => {
    const wrapping = wrapped(1, 1, 1);
    assert.ok(wrapping.learn(2, 3));
    assert.ok(!wrapping.learn(2, 3));
    assert.equal(wrapping.advance(2, 3), 3);
    wrapping.forget();
    assert.equal(wrapping.advance(2, 3), 4);
  });
});
