import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Daemon, ForgeError } from "../../../src/daemon";
import type { CountLinesParams, FilterParams, ReadFileParams } from "../../../src/protocol";
import { expressionProblem } from "../../../src/viewer/expressionProblem";
import { type Matches, scanMatches } from "../../../src/viewer/matchScan";
import type { Query } from "../../../src/viewer/messages";
import { SearchHistory } from "../../../webview/searchHistory";

const query = (pattern: string): Query => ({ pattern, regex: false, ignoreCase: false, wholeWord: false });

describe("what was searched for", () => {
  it("comes back with up and down, and then what was being typed", () => {
    const history = new SearchHistory();
    for (const pattern of ["one", "two", "one", "three"]) {
      history.add(query(pattern));
    }
    assert.deepEqual(
      history.all.map(({ pattern }) => pattern),
      ["three", "one", "two"],
    );
    assert.equal(history.earlier(query("typed"))?.pattern, "three");
    assert.equal(history.earlier(query("three"))?.pattern, "one");
    assert.equal(history.earlier(query("one"))?.pattern, "two");
    assert.equal(history.earlier(query("two")), undefined);
    assert.equal(history.later()?.pattern, "one");
    assert.equal(history.later()?.pattern, "three");
    assert.equal(history.later()?.pattern, "typed");
    assert.equal(history.later(), undefined);
  });

  it("skips what the field holds already", () => {
    const history = new SearchHistory();
    history.all = [query("last"), query("before")];
    assert.equal(history.earlier(query("last"))?.pattern, "before");
  });
});

describe("what is wrong with an expression", () => {
  const told = (reason: string) =>
    expressionProblem(new ForgeError("", { code: "INVALID_ARGUMENT", path: "x", reason, retriable: false }));

  it("is said in the words of the daemon", () => {
    assert.equal(told("pattern: not a regular expression: a ) is missing"), "A ) is missing.");
    assert.equal(told("filter.none[1].pattern: not a regular expression: a ] is missing"), "A ] is missing.");
    assert.equal(told("pattern: must have 1 to 10,000 characters"), "Must have 1 to 10,000 characters.");
  });

  it("is said of expressions alone", () => {
    assert.equal(told("max_lines: must be an integer"), null);
    assert.equal(expressionProblem(new Error("gone")), null);
  });
});

describe("the matches of a file", () => {
  /** A file in which the given lines match, and the given ones are shown. */
  function fileWith(matching: number[], shown: number[]) {
    const asked: FilterParams[] = [];
    const request = async (method: string, { filter }: CountLinesParams & ReadFileParams) => {
      asked.push(filter ?? {});
      const lines = filter?.pattern === "match" ? matching : shown;
      const [first, last] = [filter?.first_line ?? 1, filter?.last_line ?? Number.POSITIVE_INFINITY];
      return method === "forge/countLines"
        ? { line_count: lines.filter((line) => line >= first && line <= last).length }
        : { line_numbers: lines, truncated: false };
    };
    return { request: request as unknown as Daemon["request"], asked };
  }

  const matching = { pattern: "match" };
  const large = { file: { path: "x" }, lines: 1_000_000, byteLength: 1e9, shown: null };

  it("of a small file are marked line by line, with one request", async () => {
    const { request, asked } = fileWith([3, 500], []);
    const file = { ...large, lines: 1000, byteLength: 50_000 };
    assert.deepEqual(await scanMatches(request, file, matching, {}, () => {}), {
      count: 2,
      complete: true,
      marks: [3, 500],
    });
    assert.equal(asked.length, 1);
  });

  it("of a large file are marked where they are on the scrollbar, and counted exactly", async () => {
    const { request, asked } = fileWith([3, 4, 500_000, 1_000_000], []);
    const reports: Matches[] = [];
    const found = await scanMatches(request, large, matching, {}, (matches) => reports.push(matches));
    assert.equal(found.count, 4);
    assert.equal(found.marks.length, 3);
    const near = (mark: number | undefined, line: number) => Math.abs((mark ?? 0) - line) <= 1_000_000 / 256;
    assert.ok([3, 500_000, 1_000_000].every((line, index) => near(found.marks[index], line)));
    assert.ok(asked.length <= 256);
    assert.deepEqual(reports.at(-1), found);
  });

  it("among the lines of a filter are marked by their rows", async () => {
    const shown = Array.from({ length: 100 }, (_, index) => (index + 1) * 10);
    const { request } = fileWith([500], shown);
    const small = { file: { path: "x" }, lines: 1000, byteLength: 50_000, shown: { pattern: "shown" } };
    assert.deepEqual((await scanMatches(request, small, matching, {}, () => {})).marks, [50]);
    const [mark] = (await scanMatches(request, { ...small, byteLength: 1e9 }, matching, {}, () => {})).marks;
    assert.ok(Math.abs((mark ?? 0) - 50) <= 1, `marked at ${mark}`);
  });

  for (const condition of [{ before: 1, after: 1 }, { records: true }]) {
    it(`among ${Object.keys(condition).join(" and ")} are marked without counting any line twice`, async () => {
      const shown = Array.from({ length: 100 }, (_, index) => (index + 1) * 10_000);
      const { request, asked } = fileWith([500_000], shown);
      const file = { ...large, shown: { pattern: "shown", ...condition } };
      const { marks } = await scanMatches(request, file, matching, {}, () => {});
      assert.ok(Math.abs((marks[0] ?? 0) - 50) <= 1, `marked at ${marks[0]}`);
      const counted = asked.filter(({ pattern }) => pattern === "shown");
      const lines = counted.map(({ first_line, last_line }) => (last_line ?? 0) - (first_line ?? 1) + 1);
      assert.ok(lines.reduce((sum, each) => sum + each) <= large.lines, `${lines}`);
    });
  }
});
