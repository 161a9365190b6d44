import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Daemon, RequestOptions } from "../../../src/daemon";
import type { FindFilesParams, FindFilesResult } from "../../../src/protocol";
import { registerSearch } from "../../../src/search";
import { commands, type QuickPick, window } from "../vscode";

/** A request that waits for its answer. */
interface Asked {
  params: FindFilesParams;
  isCancelled(): boolean;
  answer(...lines: string[]): Promise<void>;
}

const PAUSED = 300;
const passed = (ms: number) => new Promise((done) => setTimeout(done, ms));

function resultOf(lines: string[]): FindFilesResult {
  const matches = lines.map((content, index) => ({
    line: index + 1,
    start_column: 1,
    end_column: 1,
    content,
  }));
  const skipped = { binary: 0, denied: 0, too_large: 0, unreadable: 0, ignored: 0 };
  const files = matches.length > 0 ? [{ path: "a.txt", workspace_folder: "w", matches, more: 0 }] : [];
  return { files, searched_files: 1, skipped, next_cursor: null };
}

describe("Search in Workspace", () => {
  let asked: Asked[];
  let pick: QuickPick;

  beforeEach(() => {
    asked = [];
    const request = (_method: string, params: FindFilesParams, { token }: RequestOptions) =>
      new Promise<FindFilesResult>((done, failed) => {
        const isCancelled = () => token?.isCancellationRequested === true;
        const answer = async (...lines: string[]) => {
          if (isCancelled()) failed(new Error("cancelled"));
          else done(resultOf(lines));
          await passed(0);
        };
        asked.push({ params, isCancelled, answer });
      });
    registerSearch({ request } as unknown as Daemon, async () => {});
    commands.run.get("forge.searchInWorkspace")?.();
    pick = window.shown ?? assert.fail("nothing is shown");
  });

  const texts = () => pick.items.flatMap(({ description }) => description ?? []);

  it("searches once typing pauses, and is busy meanwhile", async () => {
    pick.type("r");
    await passed(20);
    pick.type("re");
    assert.ok(pick.busy);
    await passed(PAUSED);
    assert.deepEqual(
      asked.map(({ params }) => [params.pattern, params.ignore_case]),
      [["re", true]],
    );
    await asked[0]?.answer("retry");
    assert.deepEqual(texts(), ["retry"]);
    assert.equal(pick.title, "Search in Workspace · 1 line in 1 file");
    assert.ok(!pick.busy);
  });

  it("cancels the search before, whose end changes nothing", async () => {
    pick.type("one");
    await passed(PAUSED);
    pick.type("two");
    assert.ok(asked[0]?.isCancelled());
    await passed(PAUSED);
    await asked[1]?.answer("two");
    await asked[0]?.answer();
    assert.deepEqual(texts(), ["two"]);
  });

  it("cancels the search where it is closed", async () => {
    pick.type("one");
    await passed(PAUSED);
    pick.hide();
    assert.ok(asked[0]?.isCancelled());
  });

  it("empties the list with the field", async () => {
    pick.type("one");
    await passed(PAUSED);
    await asked[0]?.answer("one");
    pick.type("");
    assert.deepEqual(pick.items, []);
    assert.ok(!pick.busy);
    assert.equal(pick.title, "Search in Workspace");
  });

  it("searches anew with what a button switches on", async () => {
    pick.type("one");
    pick.press(0);
    pick.press(1);
    await passed(PAUSED);
    assert.deepEqual(asked.at(-1)?.params, {
      pattern: "one",
      regex: false,
      ignore_case: false,
      whole_word: true,
      cursor: null,
      workspace_folder: "file:///w",
      max_matches: 1000,
    });
    assert.equal(pick.title, "Search in Workspace · Match Case · Match Whole Word");
  });
});
