import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LineStore } from "../../../src/viewer/lineStore";

const line = (weight: number) => ({ weight });

describe("the line store", () => {
  it("lets go of what was looked at longest ago", () => {
    const store = new LineStore(3 * (100 + 64));
    for (const number of [1, 2, 3]) {
      store.set(number, line(100));
    }
    store.get(1);
    store.set(4, line(100));
    assert.deepEqual(
      [1, 2, 3, 4].map((number) => store.get(number) !== undefined),
      [true, false, true, true],
    );
  });

  it("keeps the latest line even where it is larger than the budget", () => {
    const store = new LineStore(1000);
    store.set(1, line(10));
    store.set(2, line(5000));
    assert.equal(store.get(1), undefined);
    assert.notEqual(store.get(2), undefined);
  });

  it("counts a line that is set again once", () => {
    const store = new LineStore(2 * (100 + 64));
    store.set(1, line(100));
    for (let time = 0; time < 10; time += 1) {
      store.set(2, line(100));
    }
    assert.equal(store.size, 2);
  });
});
