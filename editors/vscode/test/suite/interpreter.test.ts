import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { api, daemonProcesses, eventually, extension, file } from "./forge";

const { Global, Workspace } = vscode.ConfigurationTarget;

function setting(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("forge");
}

function program(name: string, script: string): string {
  const path = file(name).fsPath;
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("the interpreter", () => {
  let usual: string;

  before(async () => {
    await extension().activate();
    usual = setting().get<string>("interpreter") ?? "";
  });

  afterEach(async () => {
    await setting().update("interpreter", undefined, Workspace);
    await setting().update("interpreter", usual, Global);
    await eventually(async () => assert.ok((await (await api()).readFile({ path: "notes.txt" })).content));
  });

  for (const { what, path, reason } of [
    { what: "missing", path: () => "/nonexistent/python", reason: /does not run/ },
    // A stand-in: an old Python cannot be had here.
    { what: "too old", path: () => program("old", "echo 3.9.18"), reason: /is Python 3\.9\.18/ },
  ]) {
    it(`of the setting that is ${what} leaves requests with the reason, until it is mended`, async () => {
      const forge = await api();
      await setting().update("interpreter", path(), Global);
      await eventually(() => assert.deepEqual(daemonProcesses(), []));
      await assert.rejects(forge.readFile({ path: "notes.txt" }), (error: Error) => {
        assert.equal(error.name, "DaemonUnavailable");
        assert.match(error.message, /Python 3\.11 or newer: .*the setting forge\.interpreter/);
        assert.match(error.message, reason);
        return true;
      });
    });
  }

  it("of a trusted workspace is used", async () => {
    const used = file("used").fsPath;
    const python = program("python", `touch '${used}'\nexec '${usual}' "$@"`);
    await setting().update("interpreter", python, Workspace);
    await eventually(() => assert.ok(existsSync(used)));
    assert.equal((await (await api()).countLines({ path: "notes.txt" })).line_count, 3);
  });
});
