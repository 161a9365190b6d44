import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../../../src/daemon";
import type { ReadFileParams } from "../../../src/protocol";
import type { FileMemory } from "../../../src/viewer/fileMemory";
import { ViewedFile } from "../../../src/viewer/viewedFile";
import { FileInMemory, numbered } from "./fileInMemory";

/** `answer`: instead of the file's own answer. */
async function viewed(memory: FileInMemory, answer: (params: ReadFileParams) => unknown) {
  const daemon = {
    request: async (method: "forge/readFile", params: ReadFileParams) =>
      (await answer(params)) ?? (await memory.request(method, params)),
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
    const { file, changes } = await viewed(memory, (params) => {
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
});
