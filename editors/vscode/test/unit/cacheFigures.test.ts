import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheFigures } from "../../src/cacheFigures";

const EMPTY = { workspace_folder: "w", entries: 0, bytes: 0, hits: 0, misses: 0, evictions: 0 };

test("an empty cache is told in few words", () => {
  assert.equal(cacheFigures(EMPTY), "0 files indexed, 0.0 MB");
});

test("reads that found their index are told as a share of all", () => {
  const figures = { ...EMPTY, entries: 1, bytes: 2_345_678, hits: 1500, misses: 500, evictions: 2 };
  assert.equal(
    cacheFigures(figures),
    "1 file indexed, 2.3 MB, 75 % of 2,000 reads found it there, 2 files made room",
  );
});
