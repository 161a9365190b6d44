import assert from "node:assert/strict";
import * as vscode from "vscode";
import { api, eventually, extension, refusal } from "./forge";

const { Global, Workspace } = vscode.ConfigurationTarget;

function set(key: string, value: unknown, target = Global): Thenable<void> {
  return vscode.workspace.getConfiguration("forge").update(key, value, target);
}

async function codeOf(path: string): Promise<string> {
  return (await refusal((await api()).readFile({ path }))).data.code;
}

describe("the settings", () => {
  before(() => extension().activate());

  it("each has a description, a type and a place in the list", () => {
    const { properties } = extension().packageJSON.contributes.configuration;
    for (const [key, setting] of Object.entries<Record<string, unknown>>(properties)) {
      assert.ok(setting.markdownDescription && setting.type && setting.scope && setting.order, key);
    }
  });

  it("count from the moment they are changed, and no longer when they are removed", async () => {
    const forge = await api();
    await set("policy.deny", ["notes.*"]);
    await eventually(async () => assert.equal(await codeOf("notes.txt"), "POLICY_DENIED"));
    await set("policy.deny", undefined);
    await eventually(async () => assert.ok((await forge.readFile({ path: "notes.txt" })).content));
  });

  it("reach the tool for agents", async () => {
    await set("tools.read_file.show_line_numbers", false);
    const call = { name: "Read", arguments: { path: "notes.txt", head: 1 } };
    const content = async () => ((await (await api()).callTool(call)) as { content: string }).content;
    await eventually(async () => assert.equal(await content(), "alpha\n"));
    await set("tools.read_file.show_line_numbers", undefined);
    await eventually(async () => assert.equal(await content(), "1| alpha\n"));
  });

  it("of VS Code for encodings count where a file does not tell its own", async () => {
    const guessed = vscode.workspace.getConfiguration("files").get("candidateGuessEncodings");
    assert.deepEqual(guessed, ["shiftjis"], "the suite was started with another setting");
    assert.equal((await (await api()).readFile({ path: "sjis.txt" })).content, "日本語\n");
  });

  it("of a workspace cannot loosen what may be read", async () => {
    await assert.rejects(async () => await set("policy.allow", [".env"], Workspace));
    assert.equal(await codeOf(".env"), "POLICY_DENIED");
    await set("policy.allow", [".env"]);
    await eventually(async () => assert.ok((await (await api()).readFile({ path: ".env" })).content));
    await set("policy.allow", undefined);
    await eventually(async () => assert.equal(await codeOf(".env"), "POLICY_DENIED"));
  });
});
