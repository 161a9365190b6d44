import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import type { LineFilter, Query } from "../../src/viewer/messages";
import { filterOf } from "../../src/viewer/query";
import { api, file } from "./forge";

const plain = (pattern: string): Query => ({ pattern, regex: false, ignoreCase: false, wholeWord: false });
const regex = (pattern: string): Query => ({ ...plain(pattern), regex: true });

describe("a filter in the API", () => {
  it("reads, counts and follows only the lines that match", async () => {
    const forge = await api();
    const log = file("filtered.log").fsPath;
    writeFileSync(log, "one\ntwo\nthree\n");
    const filter = { pattern: "t" };
    const window = await forge.readFile({ path: "filtered.log", filter });
    assert.equal(window.content, "two\nthree\n");
    assert.deepEqual(window.line_numbers, [2, 3]);
    assert.equal((await forge.countLines({ path: "filtered.log", filter })).line_count, 2);
    const out = { ...filter, invert: true };
    assert.equal((await forge.readFile({ path: "filtered.log", filter: out })).content, "one\n");
    const seen: unknown[] = [];
    for await (const { content, line_numbers } of forge.follow({ path: "filtered.log", tail: 1, filter })) {
      seen.push([content, line_numbers]);
      if (seen.length === 1) appendFileSync(log, "four\nfive\nten\n");
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, [
      ["three\n", [3]],
      ["ten\n", [6]],
    ]);
    rmSync(log);
  });
});

/** Each with the expression of this language that means the same. */
const QUERIES: [Query, RegExp][] = [
  [plain("a.b"), /a\.b/],
  [{ ...plain("error"), ignoreCase: true }, /error/i],
  [{ ...plain("id"), wholeWord: true }, /\bid\b/],
  [{ ...plain("[x"), wholeWord: true }, /\[x\b/],
  [regex("^a"), /^a/],
  [regex("b$"), /b$/],
  [regex("(?i)^ERROR|id$"), /^error|id$/i],
  [regex("(.)\\1"), /(.)\1/],
  [regex("(?P<x>a)(?P<y>b)(?P=x)"), /(a)(b)\1/],
  [regex("(?P<x>b)(?P=x)"), /(b)\1/],
  [regex("(?x) i d # a comment"), /id/],
  [{ ...regex("a|b"), wholeWord: true }, /\b(?:a|b)\b/],
  [regex("[(]x"), /[(]x/],
  [regex("a(?=.b)"), /a(?=.b)/],
];
const PARTS = [
  "a.b",
  "aXb",
  "Error",
  "error",
  "id",
  "idea",
  "[x",
  "(x",
  "aba",
  "bb",
  "a",
  "b",
  " ",
  " ",
  "-",
];

describe("filters together", () => {
  it("let exactly those lines through that one filters in and none filters out", async () => {
    let seed = 20261116;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * below);
    };
    const line = () => Array.from({ length: random(7) }, () => PARTS[random(PARTS.length)]).join("");
    const lines = Array.from({ length: 400 }, line);
    writeFileSync(file("random.log").fsPath, `${lines.join("\n")}\n`);
    const forge = await api();
    for (let round = 0; round < 120; round += 1) {
      const chosen = Array.from({ length: 1 + random(4) }, () => ({
        pair: QUERIES[random(QUERIES.length)] as [Query, RegExp],
        out: random(3) === 0,
      }));
      const also = random(2) === 0 ? QUERIES[random(QUERIES.length)] : undefined;
      const filters: LineFilter[] = chosen.map(({ pair: [query], out }) => ({ query, out }));
      const filter = filterOf(filters, also?.[0]);
      const matches = (text: string, out: boolean) =>
        chosen.filter((each) => each.out === out).map(({ pair: [, expression] }) => expression.test(text));
      const isShown = (text: string) => {
        const within = matches(text, false);
        const isIn = within.length === 0 || within.some(Boolean);
        return isIn && !matches(text, true).some(Boolean) && (also?.[1].test(text) ?? true);
      };
      const wanted = lines.flatMap((text, index) => (isShown(text) ? [index + 1] : []));
      const { line_numbers } = await forge.readFile({ path: "random.log", filter, max_lines: 1000 });
      assert.deepEqual(line_numbers, wanted, JSON.stringify({ filters, also: also?.[0], filter }));
    }
    rmSync(file("random.log").fsPath);
  });
});
