import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { levelWord, timestampLength } from "../../../src/viewer/levels";
import { matcherOf, matchesIn } from "../../../src/viewer/matching";
import { linksIn } from "../../../webview/links";
import { columnsIn, Selection, wordAt } from "../../../webview/selection";

describe("the words of levels", () => {
  it("are colored in the usual forms", () => {
    const levels = [
      "2026-11-16 03:00:01 ERROR worker failed",
      "[warn] disk is nearly full",
      'time=03:00 level=info msg="started"',
      '{"level":"debug","msg":"x"}',
      "03:00:01 <critical> gone",
      "E: PANIC now",
      "Nov 16 03:00:01 host sshd[712]: error: kex_exchange_identification",
      "[2026-11-16 03:00:01] production.CRITICAL: out of stock",
    ].map((line) => levelWord(line)?.level);
    assert.deepEqual(levels, [
      ...["error", "warning", "info", "debug", "critical", "critical", "error", "critical"],
    ]);
  });

  it("are not seen in prose, names and far into a line", () => {
    for (const line of [
      "no error here",
      "ERROR_CODE=1",
      "x-ERROR",
      `${"x ".repeat(100)}ERROR`,
      "errors (many)",
      "set to logging.ERROR for now",
    ]) {
      assert.equal(levelWord(line), null, line);
    }
  });

  it("know which word says so", () => {
    const line = "12:00:00 [warn] careful";
    const word = levelWord(line);
    assert.equal(line.slice(word?.start, word?.end), "warn");
  });

  it("stand after a time", () => {
    for (const time of [
      "2026-11-16T03:00:01.001Z",
      "[03:00:01,123]",
      "Nov 16 03:00:01",
      "2026/11/16 03:00:01 +0100",
    ]) {
      assert.equal(timestampLength(`${time} text`), time.length, time);
    }
    assert.equal(timestampLength("12 monkeys"), 0);
  });
});

describe("matches on the screen", () => {
  const find = (pattern: string, text: string, options = {}) =>
    matchesIn(
      text,
      matcherOf({ pattern, regex: false, ignoreCase: false, wholeWord: false, ...options }),
    ).map(({ start, end }) => text.slice(start, end));

  it("of a literal are literal", () => {
    assert.deepEqual(find("a.b", "a.b axb a.b"), ["a.b", "a.b"]);
    assert.deepEqual(find("[x]-{1}", "see [x]-{1}"), ["[x]-{1}"]);
    assert.deepEqual(find("ERR", "err ERR"), ["ERR"]);
    assert.deepEqual(find("ERR", "err ERR", { ignoreCase: true }), ["err", "ERR"]);
  });

  it("of a simple expression are marked", () => {
    assert.deepEqual(find("\\d+ ms", "12 ms, 7 ms", { regex: true }), ["12 ms", "7 ms"]);
  });

  it("of an expression that could run away, or is none here, are not looked for", () => {
    for (const pattern of ["(a+)+$", "a*a*a*b", "(?P<x>a)", "(", "(a|b)*", "(a)\\1"]) {
      assert.equal(matcherOf({ pattern, regex: true, ignoreCase: false, wholeWord: false }), null, pattern);
    }
  });
});

describe("a selection", () => {
  it("is the same in either direction", () => {
    const selection = new Selection();
    selection.start({ line: 9, column: 4 });
    selection.extend({ line: 7, column: 2 });
    assert.deepEqual(selection.range, { start: { line: 7, column: 2 }, end: { line: 9, column: 4 } });
  });

  it("of lines covers them whole, both ends included", () => {
    const selection = new Selection();
    selection.startLines(1_000_000);
    selection.extendLines(1, 5);
    assert.deepEqual(selection.range, { start: { line: 5, column: 0 }, end: { line: 1_000_001, column: 0 } });
  });

  it("of nothing is none", () => {
    const selection = new Selection();
    selection.start({ line: 9, column: 4 });
    assert.equal(selection.range, null);
  });

  it("covers the columns of each of its lines", () => {
    const range = { start: { line: 2, column: 3 }, end: { line: 4, column: 5 } };
    assert.deepEqual(columnsIn(range, 2), { start: 3, end: Number.POSITIVE_INFINITY });
    assert.deepEqual(columnsIn(range, 4), { start: 0, end: 5 });
    assert.equal(columnsIn(range, 5), null);
    assert.equal(columnsIn({ ...range, end: { line: 4, column: 0 } }, 4), null);
  });

  it("by a double click is a word", () => {
    const text = "see  naïve_word, here";
    const word = wordAt(text, 7);
    assert.equal(text.slice(word.start, word.end), "naïve_word");
    assert.deepEqual(wordAt("", 0), { start: 0, end: 0 });
  });
});

describe("the links of a line", () => {
  const targets = (text: string) => linksIn({ text, spans: [] }).map(({ target }) => target);

  it("are addresses and places in files", () => {
    assert.deepEqual(targets("at run (src/app.ts:12:7) see https://example.org/a."), [
      { path: "src/app.ts", line: 12, column: 7 },
      { url: "https://example.org/a" },
    ]);
    assert.deepEqual(targets("C:\\src\\app.cs:12"), [{ path: "C:\\src\\app.cs", line: 12, column: 1 }]);
  });

  it("do not start inside a word", () => {
    assert.deepEqual(targets("see:app.c:12"), [{ path: "app.c", line: 12, column: 1 }]);
  });

  it("are looked for in no time in long words", () => {
    const started = performance.now();
    for (let row = 0; row < 50; row += 1) {
      assert.deepEqual(targets("a.b".repeat(700)), []);
    }
    assert.ok(performance.now() - started < 200, `took ${performance.now() - started} ms`);
  });
});
