import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { api, daemonProcesses, eventually, file, whileTyped } from "./forge";

async function theDaemon(): Promise<number> {
  return await eventually(() => {
    const [pid, ...others] = daemonProcesses();
    assert.ok(pid && others.length === 0, `there are ${others.length + (pid ? 1 : 0)}`);
    return pid;
  });
}

describe("a daemon that is killed", () => {
  it("is started again, and nothing that was asked stays without an answer", async () => {
    const forge = await api();
    const killed = await theDaemon();
    const counting = forge.countLines({ path: "endless.log" });
    process.kill(killed, "SIGKILL");
    assert.equal((await forge.readFile({ path: "notes.txt" })).meta.line_count, 3);
    assert.equal((await counting).byte_length, 4 * 2 ** 30);
    assert.notEqual(await theDaemon(), killed);
  });

  it("is followed by one that continues what was followed", async () => {
    const log = file("survives.log").fsPath;
    writeFileSync(log, "one\n");
    const seen: string[] = [];
    for await (const { content } of (await api()).follow({ path: "survives.log" })) {
      seen.push(content ?? "");
      if (seen.length === 1) {
        process.kill(await theDaemon(), "SIGKILL");
        appendFileSync(log, "two\n");
      }
      if (seen.length === 2) break;
    }
    assert.deepEqual(seen, ["one\n", "two\n"]);
    rmSync(log);
  });

  it("knows the unsaved edits again", async () => {
    const forge = await api();
    await whileTyped("notes.txt", "kept\n", async () => {
      process.kill(await theDaemon(), "SIGKILL");
      assert.equal((await forge.readFile({ path: "notes.txt", head: 1 })).content, "kept\n");
    });
  });
});

describe("Forge: Restart", () => {
  it("ends the old process and starts a new one, and who asks meanwhile waits", async () => {
    const forge = await api();
    const before = await theDaemon();
    const restarting = vscode.commands.executeCommand("forge.restart");
    assert.equal((await forge.countLines({ path: "notes.txt" })).line_count, 3);
    await restarting;
    assert.notEqual(await theDaemon(), before);
  });

  it("also ends one that hangs, and asks its successor what was left without an answer", async () => {
    const forge = await api();
    const hanging = await theDaemon();
    process.kill(hanging, "SIGSTOP");
    const asked = forge.countLines({ path: "notes.txt" });
    await vscode.commands.executeCommand("forge.restart");
    assert.equal((await asked).line_count, 3);
    assert.notEqual(await theDaemon(), hanging);
  });
});
