import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { api, eventually, extension, folder, refusal, whileTyped } from "./forge";

describe("the API for other extensions", () => {
  it("says which version it is, and refuses one it does not know", async () => {
    const forge = await api();
    assert.equal(forge.version, 1);
    assert.match(forge.protocolVersion, /^1\.\d+$/);
    assert.throws(() => extension().exports.getApi(2 as 1), /Version 2/);
  });

  it("publishes the types it names in its manifest", () => {
    assert.equal(extension().packageJSON.types, "./dist/api/api.d.ts");
  });

  it("reads a window of a file", async () => {
    const window = await (await api()).readFile({ path: "notes.txt", start_line: 2, limit: 1 });
    assert.equal(window.content, "beta\n");
    assert.equal(window.workspace_folder, "first");
    assert.equal(window.meta.line_count, 3);
  });

  it("reads what is typed and not saved", async () => {
    const forge = await api();
    await whileTyped("notes.txt", "unsaved 🙂\n", async () => {
      const window = await forge.readFile({ path: "notes.txt", head: 1 });
      assert.equal(window.content, "unsaved 🙂\n");
      assert.equal(window.source, "buffer");
      const saved = await forge.readFile({ path: "notes.txt", head: 1, source: "disk" });
      assert.equal(saved.content, "alpha\n");
    });
  });

  it("reads many files at once, each for itself", async () => {
    const files = [{ path: "notes.txt" }, { path: "missing.txt" }];
    const { results } = await (await api()).readFiles({ files });
    assert.equal(results[0]?.result?.content, "alpha\nbeta\ngamma\n");
    assert.equal(results[1]?.error?.code, "NOT_FOUND");
  });

  it("counts lines and finds text", async () => {
    const forge = await api();
    assert.equal((await forge.countLines({ path: "notes.txt" })).line_count, 3);
    const { match } = await forge.find({ path: "notes.txt", pattern: "G.M", regex: true, ignore_case: true });
    assert.deepEqual(match, { line: 3, start_column: 1, end_column: 3, content: "gamma" });
  });

  it("calls a tool of either toolset", async () => {
    const call = { name: "read_file", toolset: "workspace", arguments: { path: "notes.txt" } } as const;
    const output = await (await api()).callTool(call);
    assert.equal((output as { content: string }).content, "alpha\nbeta\ngamma");
  });

  it("refuses with a code, a reason and a hint", async () => {
    const error = await refusal((await api()).readFile({ path: "note.txt" }));
    assert.equal(error.data.code, "NOT_FOUND");
    assert.equal(error.data.path, "note.txt");
    assert.match(error.data.hint ?? "", /notes\.txt/);
  });

  it("follows a file as it grows and is replaced", async () => {
    const log = join(folder("first").uri.fsPath, "live.log");
    writeFileSync(log, "one\ntwo\n");
    const seen: string[] = [];
    for await (const { event, content, start_line } of (await api()).follow({ path: "live.log", tail: 1 })) {
      seen.push(`${event} ${start_line} ${content}`);
      if (seen.length === 1) appendFileSync(log, "three\n");
      if (seen.length === 2) {
        writeFileSync(`${log}.new`, "another\n");
        renameSync(`${log}.new`, log);
      }
      if (seen.length === 4) break;
    }
    assert.deepEqual(seen, [
      "appended 2 two\n",
      "appended 3 three\n",
      "replaced null null",
      "appended 1 another\n",
    ]);
    rmSync(log);
  });

  it("never leaves the workspace", async () => {
    const error = await refusal((await api()).readFile({ path: "/etc/hostname" }));
    assert.equal(error.data.code, "SANDBOX_VIOLATION");
    assert.equal(error.data.path, null);
  });

  it("stops when it is cancelled, and shows how far it came", async () => {
    await vscode.commands.executeCommand("forge.clearCache"); // or an earlier count would be the answer
    const cancellation = new vscode.CancellationTokenSource();
    const shown: number[] = [];
    const counting = (await api()).countLines(
      { path: "endless.log" },
      {
        token: cancellation.token,
        onProgress: ({ percentage }) => {
          shown.push(percentage);
          cancellation.cancel();
        },
      },
    );
    await assert.rejects(counting, vscode.CancellationError);
    assert.ok(shown.every((percentage) => percentage >= 0 && percentage <= 100) && shown.length > 0);
  });
});

describe("a workspace of several folders", () => {
  it("asks which one is meant where a path is in more than one", async () => {
    const forge = await api();
    const error = await refusal(forge.readFile({ path: "both.txt" }));
    assert.equal(error.data.code, "INVALID_ARGUMENT");
    assert.match(error.message, /first.*second/s);
    const window = await forge.readFile({ path: "both.txt", workspace_folder: "second" });
    assert.equal(window.content, "of the second\n");
  });

  it("serves a folder from when it is added until it is removed", async () => {
    const forge = await api();
    const added = join(folder("first").uri.fsPath, "..", "third");
    mkdirSync(added, { recursive: true });
    writeFileSync(join(added, "late.txt"), "late\n");
    const count = vscode.workspace.workspaceFolders?.length ?? 0;
    vscode.workspace.updateWorkspaceFolders(count, 0, { uri: vscode.Uri.file(added) });
    await eventually(async () =>
      assert.equal((await forge.readFile({ path: "late.txt" })).content, "late\n"),
    );
    vscode.workspace.updateWorkspaceFolders(count, 1);
    await eventually(async () => {
      assert.equal((await refusal(forge.readFile({ path: "late.txt" }))).data.code, "NOT_FOUND");
    });
  });
});
