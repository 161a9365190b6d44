import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Row } from "../../../src/viewer/messages";
import { HeldRows } from "../../../webview/heldRows";
import type { RowsWanted } from "../../../webview/rowRequests";

const rows = (first: number, count = 50): RowsWanted => ({ first, count, column: 0, width: 100 });
const answer = (...texts: string[]): Row[] =>
  texts.map((text) => ({ text, spans: [], length: text.length, open: false }));

/** With the numbers of the requests that were sent, and the first row of each. */
function heldRows() {
  const sent: [number, number][] = [];
  const held = new HeldRows((request, { first }) => sent.push([request, first]));
  const textOf = (line: number) => held.get(line)?.text;
  return { held, sent, textOf };
}

describe("rows", () => {
  it("are asked for by two requests at a time, and then only those that were wanted last", () => {
    const { held, sent } = heldRows();
    for (const first of [100, 200, 300, 400, 500]) {
      held.request(rows(first));
    }
    assert.deepEqual(sent, [
      [1, 100],
      [2, 200],
    ]);
    held.receive(1, answer("a"));
    assert.deepEqual(sent.at(-1), [3, 500]);
    held.receive(2, answer("b"));
    assert.equal(sent.length, 3);
  });

  it("are not asked for again while they are under way", () => {
    const { held, sent } = heldRows();
    held.request(rows(100));
    held.request(rows(110, 20));
    assert.equal(sent.length, 1);
  });

  it("that could not be read are asked for again, and so are those that waited", () => {
    const { held, sent } = heldRows();
    held.request(rows(100));
    held.request(rows(200));
    held.request(rows(300));
    held.receive(1, null);
    held.request(rows(100));
    held.receive(2, null);
    assert.deepEqual(
      sent.map(([, first]) => first),
      [100, 200, 300, 100],
    );
    assert.equal(held.has(100), false);
    assert.equal(held.isAbsent(150), false);
  });

  it("of the file as it was are not taken for those of the file as it is", () => {
    const { held, textOf } = heldRows();
    held.request(rows(1, 2));
    held.forgetAll();
    held.request(rows(1, 2));
    assert.equal(held.receive(1, answer("old", "old")), undefined);
    assert.equal(held.has(1), false);
    held.receive(2, answer("new", "new"));
    assert.equal(textOf(1), "new");
  });

  it("that were appended are asked for, though the answer from before is without them", () => {
    const { held, sent, textOf } = heldRows();
    held.request(rows(1, 50));
    held.forgetFrom(3); // so many lines were known; there are more now
    held.request(rows(1, 50));
    assert.equal(sent.length, 2);
    held.receive(1, answer("one", "two", "half a"));
    assert.equal(held.isAbsent(4), false);
    assert.equal(held.has(3), false, "it may have been continued");
    held.receive(2, answer("one", "two", "half a line", "four"));
    assert.equal(textOf(3), "half a line");
    assert.equal(held.isAbsent(5), true);
  });

  it("beyond the last one are absent until the file grows", () => {
    const { held } = heldRows();
    held.request(rows(1, 50));
    held.receive(1, answer("one", "two"));
    assert.equal(held.isAbsent(3), true);
    held.forgetFrom(2);
    assert.equal(held.isAbsent(3), false);
  });

  it("keep what is known of their records when they come again", () => {
    const { held } = heldRows();
    held.request(rows(1, 1));
    held.receive(1, answer("one"));
    held.setRecords(1, [{ first: 1, time: null, level: "error", header: "" }]);
    held.request(rows(1, 1));
    held.receive(2, answer("one"));
    assert.equal(held.get(1)?.record?.level, "error");
  });
});
