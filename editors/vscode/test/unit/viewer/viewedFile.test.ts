import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../../../src/daemon";
import { type ReadFileParams, Requests } from "../../../src/protocol";
import type { FileMemory } from "../../../src/viewer/fileMemory";
import { ViewedFile } from "../../../src/viewer/viewedFile";
import { FileInMemory, numbered } from "./fileInMemory";

/** `answer`: instead of the file's own answer. */
async function viewed(memory: FileInMemory, answer: (method: string, params: ReadFileParams) => unknown) {
  const daemon = {
    request: async (method: "forge/readFile", params: ReadFileParams) =>
      (await answer(method, params)) ?? (await memory.request(method, params)),
    openDirectoryOf: async () => new vscode.Disposable(() => {}),
  } as unknown as Daemon;
  const encodings = { of: () => undefined } as unknown as FileMemory<string>;
  const file = await ViewedFile.open(vscode.Uri.file("/tmp/no such file.log"), daemon, encodings);
  const changes: string[] = [];
  file.onDidChange(({ change }) => changes.push(change));
  return { file, changes };
}

function notFound(): ForgeError {
  return new ForgeError("gone", { code: "NOT_FOUND", path: "file", reason: "", retriable: false });
}

describe("a viewed file", () => {
  it("that is truncated, and gone while that is noticed, is noticed once it is there again", async () => {
    const memory = new FileInMemory(numbered(300));
    let isGone = false;
    const isOpening = ({ cursor, if_none_match }: ReadFileParams) => !cursor && !if_none_match;
    const { file, changes } = await viewed(memory, (_method, params) => {
      if (isGone && isOpening(params)) throw notFound();
    });
    const gone: boolean[] = [];
    file.onDidDisappear((each) => gone.push(each));
    await file.check();
    memory.change(numbered(200));
    isGone = true;
    await assert.rejects(file.check(), { code: "NOT_FOUND" });
    isGone = false;
    await assert.rejects(file.check());
    assert.deepEqual(changes, ["truncated"]);
    assert.deepEqual(gone, [true, false]);
    file.dispose();
  });

  it("does not take the count of the lines that it had for that of those it has", async () => {
    const memory = new FileInMemory(numbered(300), 1000, false);
    let counted = (_count: object) => {};
    const { file } = await viewed(memory, (method) => {
      if (method === Requests.countLines) {
        return new Promise((done) => {
          counted = done;
        });
      }
    });
    await file.check();
    const { etag } = memory;
    const counting = file.count();
    await new Promise(setImmediate);
    memory.change(numbered(200));
    await assert.rejects(file.check());
    counted({ line_count: 300, byte_length: 3000, etag }); // its cancellation came too late
    await counting.catch(() => undefined);
    const { lines, exact } = (await file.read(async (snapshot) => snapshot)).total;
    assert.ok(!exact && lines !== 300, `${lines} lines`);
    file.dispose();
  });
});
