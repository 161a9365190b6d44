import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { api, daemonProcesses, eventually, folder, refusal } from "./forge";

describe("a file outside every folder", () => {
  it("can be read while the user has it in the viewer, over a crash too, and not before or after", async () => {
    const forge = await api();
    const outside = join(folder("first").uri.fsPath, "..", "outside");
    mkdirSync(outside);
    const path = join(outside, "single.log");
    writeFileSync(path, "alone\n");
    const read = () => forge.readFile({ path });
    assert.equal((await refusal(read())).data.code, "SANDBOX_VIOLATION");

    await vscode.commands.executeCommand("vscode.openWith", vscode.Uri.file(path), "forge.viewer");
    await eventually(async () => assert.equal((await read()).content, "alone\n"));
    for (const pid of daemonProcesses()) process.kill(pid, "SIGKILL");
    assert.equal((await read()).content, "alone\n");

    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await eventually(async () => assert.equal((await refusal(read())).data.code, "SANDBOX_VIOLATION"));
  });
});
