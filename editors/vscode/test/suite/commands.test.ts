import assert from "node:assert/strict";
import * as vscode from "vscode";
import { api, extension } from "./forge";

describe("the commands", () => {
  before(() => extension().activate());

  it("are all there", async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const promised = extension().packageJSON.contributes.commands.map(
      ({ command }: { command: string }) => command,
    );
    assert.deepEqual(
      promised.filter((command: string) => !known.has(command)),
      [],
    );
  });

  it("Forge: Clear Cache empties the caches of every folder", async () => {
    await (await api()).countLines({ path: "long.txt" });
    await vscode.commands.executeCommand("forge.clearCache");
    const { folders } = await vscode.commands.executeCommand<{ folders: { entries: number }[] }>(
      "forge.cache.stats",
      {},
    );
    assert.deepEqual(
      folders.map(({ entries }) => entries),
      [0, 0],
    );
  });

  it("Forge: Copy Diagnostic Information copies what a bug report needs", async () => {
    await vscode.commands.executeCommand("forge.copyDiagnosticInformation");
    const text = await vscode.env.clipboard.readText();
    assert.match(text, /^extension +forge-read\.forge-read \d/m);
    assert.match(text, /^daemon +running$/m);
    assert.match(text, /^compiled +all loaded$/m);
    assert.match(text, /^pygls +\d/m);
    assert.match(text, /everything works/);
  });
});
