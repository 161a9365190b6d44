import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type * as vscode from "vscode";
import { type Daemon, ForgeError } from "../../../src/daemon";
import type { FindFilesParams, FindFilesResult, FindMatch } from "../../../src/protocol";
import { columnsOf, type Found, preview, search, skippedText, summaryOf } from "../../../src/search/found";
import { Uri } from "../vscode";

const NONE = { binary: 0, denied: 0, too_large: 0, unreadable: 0, ignored: 0 };
const folder = (path: string) => Uri.file(path) as unknown as vscode.Uri;
const match = (content: string, start_column: number, end_column: number): FindMatch => ({
  line: 1,
  start_column,
  end_column,
  content,
});

/** A page with that many matches of one file. */
function page(count: number, more: Partial<FindFilesResult> = {}): FindFilesResult {
  const file = {
    path: "a.txt",
    workspace_folder: "w",
    matches: Array(count).fill(match("a", 1, 1)),
    more: 0,
  };
  return { files: count > 0 ? [file] : [], searched_files: 1, skipped: NONE, next_cursor: null, ...more };
}

/** The states of a search whose requests are answered so, and the requests. */
async function states(folders: string[], answers: (FindFilesResult | Error)[]) {
  const asked: FindFilesParams[] = [];
  const request = async (_method: string, params: FindFilesParams) => {
    asked.push(params);
    const answer = answers.shift() ?? assert.fail("one request too many");
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const seen: Found[] = [];
  const query = { pattern: "a" };
  const token = {} as vscode.CancellationToken;
  for await (const found of search({ request } as unknown as Daemon, query, folders.map(folder), token)) {
    seen.push({ ...found, files: [...found.files] });
  }
  return { asked, seen };
}

describe("a search in the workspace", () => {
  it("goes on page by page where an answer ran out of time, and adds up what was skipped", async () => {
    const skipped = { ...NONE, binary: 2 };
    const { asked, seen } = await states(
      ["/w"],
      [page(0, { next_cursor: "c", skipped }), page(3, { skipped })],
    );
    assert.deepEqual(
      asked.map(({ cursor, workspace_folder }) => [cursor, workspace_folder]),
      [
        [null, "file:///w"],
        ["c", "file:///w"],
      ],
    );
    assert.deepEqual(
      seen.map(({ lines, state }) => [lines, state]),
      [
        [0, "searching"],
        [3, "searching"],
        [3, "done"],
      ],
    );
    assert.equal(seen.at(-1)?.skipped.binary, 4);
  });

  it("asks each folder once, not one inside another, and not one that is not there", async () => {
    const gone = new ForgeError("gone", { code: "NOT_FOUND", path: "", reason: "", retriable: false });
    const { asked, seen } = await states(["/w/inner", "/w", "/gone", "/w2"], [page(1), gone, page(1)]);
    assert.deepEqual(
      asked.map(({ workspace_folder }) => workspace_folder),
      ["file:///w", "file:///gone", "file:///w2"],
    );
    assert.equal(seen.at(-1)?.lines, 2);
  });

  it("stops at 1,000 lines and says that there may be more", async () => {
    const { asked, seen } = await states(
      ["/w"],
      [page(400, { next_cursor: "c" }), page(600, { next_cursor: "d" })],
    );
    assert.deepEqual(
      asked.map(({ max_matches }) => max_matches),
      [1000, 600],
    );
    assert.equal(seen.at(-1)?.state, "full");
    assert.equal(summaryOf(seen.at(-1) as Found), "at least 1,000 lines in 2 files");
  });

  it("counts the lines of a file that are not listed", () => {
    const file = { path: "a.txt", workspace_folder: "w", matches: [match("a", 1, 1)], more: 1203 };
    const found = {
      files: [{ folder: folder("/w"), file }],
      lines: 1,
      skipped: NONE,
      state: "done",
    } as Found;
    assert.equal(summaryOf(found), "1,204 lines in 1 file");
  });

  it("names what was not searched", () => {
    assert.equal(skippedText(NONE), "");
    const skipped = { binary: 3, denied: 1, too_large: 2, unreadable: 0, ignored: 0 };
    assert.equal(skippedText(skipped), "3 binary, 1 denied, 2 too large");
  });
});

describe("a found line", () => {
  it("is shown without its indentation", () => {
    assert.equal(preview(match("\t\tif (retry) {", 7, 11)), "if (retry) {");
  });

  it("is shown from shortly before a match that is far in it", () => {
    assert.equal(preview(match(`${"x".repeat(500)}match`, 501, 505)), `…${"x".repeat(24)}match`);
    const far = `${"x".repeat(1024)}match`; // the daemon leaves out what comes before
    assert.equal(preview(match(far, 9001, 9005)), `…${"x".repeat(24)}match`);
    assert.deepEqual(columnsOf(match(far, 9001, 9005)), [9000, 9005]);
  });

  it("has no icons where it has the text of one", () => {
    assert.equal(preview(match("now=$(date)", 1, 3)).replace("\u200b", "·"), "now=$·(date)");
  });

  it("has its columns in UTF-16 units", () => {
    assert.deepEqual(columnsOf(match("🙂🙂 match", 4, 8)), [5, 10]);
  });
});
