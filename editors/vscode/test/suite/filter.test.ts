import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { NO_CONDITIONS, type Query, type Role, type Term } from "../../src/viewer/messages";
import { filterOf, narrowed } from "../../src/viewer/query";
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
  [regex("(?P<x>a)(?P<y>b)a"), /(a)(b)a/],
  [regex("b{2}"), /bb/],
  [regex("[^\\pL]\\pN*$"), /[^\p{L}]\p{N}*$/u],
  [{ ...regex("a|b"), wholeWord: true }, /\b(?:a|b)\b/],
  [regex("[(]x"), /[(]x/],
  [regex("a.b*?[^a]"), /a.b*?[^a]/],
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

describe("the terms of a filter", () => {
  it("let exactly those lines through that match one of any, every one of all, and none of none", async () => {
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
        role: (["any", "any", "all", "none"] as const)[random(4)] as Role,
      }));
      const also = random(2) === 0 ? QUERIES[random(QUERIES.length)] : undefined;
      const terms: Term[] = chosen.map(({ pair: [query], role }) => ({ query, role }));
      const shown = filterOf({ ...NO_CONDITIONS, terms });
      const filter = also === undefined ? shown : narrowed(shown, also[0]);
      const matches = (text: string, role: Role) =>
        chosen.filter((each) => each.role === role).map(({ pair: [, expression] }) => expression.test(text));
      const isShown = (text: string) => {
        const any = matches(text, "any");
        const isIn = (any.length === 0 || any.some(Boolean)) && matches(text, "all").every(Boolean);
        return isIn && !matches(text, "none").some(Boolean) && (also?.[1].test(text) ?? true);
      };
      const wanted = lines.flatMap((text, index) => (isShown(text) ? [index + 1] : []));
      const { line_numbers } = await forge.readFile({ path: "random.log", filter, max_lines: 1000 });
      assert.deepEqual(line_numbers, wanted, JSON.stringify({ terms, also: also?.[0], filter }));
    }
    rmSync(file("random.log").fsPath);
  });
});
