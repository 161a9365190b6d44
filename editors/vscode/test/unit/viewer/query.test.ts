import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Query } from "../../../src/viewer/messages";
import { filterOf, wireQuery } from "../../../src/viewer/query";

const plain = (pattern: string): Query => ({ pattern, regex: false, ignoreCase: false, wholeWord: false });
const regex = (pattern: string): Query => ({ ...plain(pattern), regex: true });
const any = (pattern: string): Query => ({ ...plain(pattern), ignoreCase: true });
const within = (query: Query) => ({ query, out: false });
const without = (query: Query) => ({ query, out: true });

describe("a query", () => {
  it("is sent as it is typed", () => {
    assert.deepEqual(wireQuery(plain("a.b")), { pattern: "a.b", regex: false, ignore_case: false });
  });

  it("for a whole word has boundaries where it starts and ends with letters", () => {
    const word = (query: Query) => wireQuery({ ...query, wholeWord: true }).pattern;
    assert.equal(word(plain("id")), "\\bid\\b");
    assert.equal(word(plain("[id")), "\\[id\\b");
    assert.equal(word(regex("a|b")), "\\b(?:a|b)\\b");
    assert.equal(word(regex("(?i)a|b")), "(?i)\\b(?:a|b)\\b");
  });
});

describe("filters together", () => {
  it("let everything through where there are none", () => {
    assert.equal(filterOf([]), null);
  });

  it("stay as they are where there is one", () => {
    const wire = { pattern: "a", regex: false, ignore_case: false };
    assert.deepEqual(filterOf([within(plain("a"))]), wire);
    assert.deepEqual(filterOf([without(plain("a"))]), { ...wire, invert: true });
  });

  it("show the lines of each, without those that are filtered out", () => {
    const pattern = (...filters: Parameters<typeof filterOf>[0]) => filterOf(filters)?.pattern;
    assert.equal(pattern(within(plain("a.")), within(regex("b+"))), "(?:a\\.|(?:b+))");
    assert.equal(pattern(within(plain("a")), without(plain("b"))), "^(?!.*b).*a");
    assert.deepEqual(filterOf([without(plain("a")), without(plain("b"))]), {
      pattern: "(?:a|b)",
      regex: true,
      ignore_case: false,
      invert: true,
    });
  });

  it("narrow down what is searched for", () => {
    const filters = [within(plain("a")), without(plain("b"))];
    assert.equal(filterOf(filters, plain("c"))?.pattern, "^(?!.*b)(?=.*a).*c");
    assert.equal(filterOf([], plain("c"))?.pattern, "c");
    assert.equal(filterOf([without(plain("b"))], plain("c"))?.pattern, "^(?!.*b).*c");
  });

  it("leave a literal outside of groups, where the daemon finds it before it tries the expression", () => {
    const filters = [within(any("a")), without(any("b")), without(any("c"))];
    const wire = { pattern: "^(?!.*b)(?!.*c).*a", regex: true, ignore_case: true };
    assert.deepEqual(filterOf(filters), wire);
    const two = filterOf([within(plain("a")), within(any("b")), without(plain("c"))]);
    assert.deepEqual(two, { pattern: "^(?!.*c)(?:.*a|.*(?i:b))", regex: true, ignore_case: false });
  });

  it("are refused in words where they are too long together", () => {
    const long = within(plain("x".repeat(600)));
    assert.equal(filterOf([long])?.pattern.length, 600);
    assert.throws(() => filterOf([long, long]), {
      message:
        "The filters together make an expression of 1,205 characters, and 1,000 is the most. Switch a filter off, or shorten one.",
    });
    assert.throws(
      () => filterOf([long], plain("y".repeat(600))),
      /^Error: The filters and what is searched for/,
    );
  });

  it("keep their own letter case, flags, group numbers and names", () => {
    const pattern = (...queries: Query[]) => filterOf(queries.map(within))?.pattern;
    assert.equal(pattern({ ...plain("a"), ignoreCase: true }, plain("b")), "(?:(?i:a)|b)");
    assert.equal(pattern(regex("(?s)a"), plain("b")), "(?:(?s:a)|b)");
    assert.equal(pattern(regex("(a)\\1"), regex("(b)\\1[(]\\(")), "(?:(?:(a)\\1)|(?:(b)\\2[(]\\())");
    assert.equal(
      pattern(regex("(?P<x>a)(?P=x)"), regex("(?P<x>b)(?P=x)(?(1)c|d)")),
      "(?:(?:(?P<x>a)(?P=x))|(?:(?P<x_1>b)(?P=x_1)(?(2)c|d)))",
    );
    assert.equal(pattern(regex("(?x)a # b"), plain("c")), "(?:(?x:a # b\n)|c)");
  });
});
