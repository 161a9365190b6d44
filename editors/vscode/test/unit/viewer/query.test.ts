import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Conditions,
  type LineFilter,
  NO_CONDITIONS,
  type Query,
  type Term,
} from "../../../src/viewer/messages";
import { errorsIn, filterOf, narrowed, wireQuery } from "../../../src/viewer/query";
import { filterOfSaved, savedOf } from "../../../src/viewer/savedFilterFormat";

const plain = (pattern: string): Query => ({ pattern, regex: false, ignoreCase: false, wholeWord: false });
const regex = (pattern: string): Query => ({ ...plain(pattern), regex: true });
const within = (query: Query): Term => ({ query, role: "any" });
const also = (query: Query): Term => ({ query, role: "all" });
const without = (query: Query): Term => ({ query, role: "none" });

const wire = (pattern: string) => ({ pattern, regex: false, ignore_case: false, whole_word: false });

describe("a query", () => {
  it("is sent as it is typed", () => {
    assert.deepEqual(wireQuery(plain("a.b")), wire("a.b"));
    assert.deepEqual(wireQuery({ ...regex("a|b"), ignoreCase: true, wholeWord: true }), {
      pattern: "a|b",
      regex: true,
      ignore_case: true,
      whole_word: true,
    });
  });
});

describe("a query for a whole word", () => {
  it("has boundaries where it starts and ends with letters", () => {
    const word = (pattern: string) => wireQuery({ ...plain(pattern), wholeWord: true });
    assert.deepEqual(word("id"), { ...wire("id"), whole_word: true });
    assert.deepEqual(word("#1"), { ...wire("#1\\b"), pattern: "\\#1\\b", regex: true });
  });
});

describe("a filter", () => {
  const of = (terms: Term[], conditions: Partial<Conditions> = {}) =>
    filterOf({ ...NO_CONDITIONS, ...conditions, terms });

  it("that asks for nothing lets everything through", () => {
    assert.equal(of([]), null);
    assert.equal(of([], { records: true, context: 3 }), null);
  });

  it("joins its terms by or, and, not", () => {
    assert.deepEqual(of([within(plain("a"))]), { any: [wire("a")] });
    assert.deepEqual(of([without(plain("a"))]), { none: [wire("a")] });
    assert.deepEqual(of([within(plain("a")), within(plain("b")), also(plain("c")), without(plain("d"))]), {
      any: [wire("a"), wire("b")],
      all: [wire("c")],
      none: [wire("d")],
    });
  });

  it("is sent with its level, times, records and context", () => {
    assert.deepEqual(of([], { level: "warning", since: "14:05" }), { level: "warning", since: "14:05" });
    assert.deepEqual(of([within(plain("a"))], { until: "15:00", records: true, context: 2 }), {
      any: [wire("a")],
      until: "15:00",
      records: true,
      before: 2,
      after: 2,
    });
    assert.deepEqual(of([], { folded: true }), { records: true, headers: true });
  });

  it("is narrowed to what is searched for, without context", () => {
    assert.deepEqual(narrowed(null, plain("c")), { all: [wire("c")] });
    assert.deepEqual(narrowed(of([also(plain("b"))], { context: 2 }), plain("c")), {
      all: [wire("b"), wire("c")],
      before: 0,
      after: 0,
    });
  });

  it("is narrowed to errors: the first line of each, unless single lines are looked for", () => {
    assert.deepEqual(errorsIn(null), { level: "error", headers: true });
    assert.deepEqual(errorsIn(of([], { level: "critical" })), {
      level: "critical",
      headers: true,
      before: 0,
      after: 0,
    });
    assert.deepEqual(errorsIn(of([within(plain("a"))])), {
      any: [wire("a")],
      level: "error",
      before: 0,
      after: 0,
    });
  });
});

describe("a saved filter", () => {
  it("is written as a person would, and read again as it was", () => {
    const filter: LineFilter = {
      ...NO_CONDITIONS,
      terms: [within({ ...plain("payment"), ignoreCase: true }), without(regex("worker-[37]"))],
      level: "error",
      records: true,
      context: 2,
    };
    const saved = savedOf("Payments", filter);
    assert.deepEqual(saved, {
      name: "Payments",
      any: ["payment"],
      none: [{ pattern: "worker-[37]", regex: true, matchCase: true }],
      level: "error",
      records: true,
      context: 2,
    });
    assert.deepEqual(filterOfSaved(saved), filter);
  });

  it("is taken without what is wrong in it", () => {
    const saved = { name: "x", level: "loud", context: 99, any: [""] } as never;
    assert.deepEqual(filterOfSaved(saved), { ...NO_CONDITIONS, terms: [], context: 20 });
  });
});
