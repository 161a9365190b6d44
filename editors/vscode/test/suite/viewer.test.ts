import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Daemon } from "../../src/daemon";
import type { FileMemory } from "../../src/viewer/fileMemory";
import { languageOf } from "../../src/viewer/languageOf";
import { ViewedFile } from "../../src/viewer/viewedFile";
import { FileInMemory, numbered } from "../unit/viewer/fileInMemory";
import { api, eventually, extension, file, refusal } from "./forge";

async function peek(uri: vscode.Uri, lines: string): Promise<vscode.TextDocument> {
  await vscode.commands.executeCommand("forge.peekLines", uri, lines);
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document, "nothing was opened");
  return document;
}

function tabs(): unknown[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.input));
}

/** What the viewer in front copies of its first line. */
async function copied(): Promise<string> {
  await vscode.env.clipboard.writeText("");
  await vscode.commands.executeCommand("forge.viewer.copy");
  return await eventually(async () => {
    const text = await vscode.env.clipboard.readText();
    assert.notEqual(text, "");
    return text;
  }, 1000);
}

/** A file that is there as long as `then` takes. */
async function withFile(
  name: string,
  content: string | Uint8Array,
  then: (uri: vscode.Uri) => Promise<void>,
): Promise<void> {
  const uri = file(name);
  await writeFile(uri.fsPath, content);
  try {
    await then(uri);
  } finally {
    await rm(uri.fsPath);
  }
}

describe("the viewer", () => {
  before(() => extension().activate());
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("takes the place of the text editor it was opened from", async () => {
    await vscode.window.showTextDocument(file("long.txt"));
    await vscode.commands.executeCommand("forge.openInViewer");
    await eventually(() => {
      const [input, ...others] = tabs();
      assert.ok(input instanceof vscode.TabInputCustom && others.length === 0);
      assert.equal(input.viewType, "forge.viewer");
      assert.equal(input.uri.toString(), file("long.txt").toString());
    });
  });

  it("leaves an editor with unsaved edits alone", async () => {
    const editor = await vscode.window.showTextDocument(file("notes.txt"));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "typed "));
    await vscode.commands.executeCommand("forge.openInViewer");
    await eventually(() => assert.equal(tabs().length, 2));
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("copies with terminal colors where the setting says so", async () => {
    const colored = "\x1b[31mred\x1b[0m and plain\n";
    await withFile("colored.log", colored, async (log) => {
      await vscode.commands.executeCommand("vscode.openWith", log, "forge.viewer");
      await eventually(async () => assert.equal(await copied(), "red and plain\n"));
      const settings = vscode.workspace.getConfiguration("forge.viewer");
      await settings.update("copyColors", true, vscode.ConfigurationTarget.Workspace);
      await eventually(async () => assert.equal(await copied(), colored));
      await settings.update("copyColors", undefined, vscode.ConfigurationTarget.Workspace);
      await eventually(async () => assert.equal(await copied(), "red and plain\n"));
    });
  });

  it("reads a file that is shown again in another encoding as soon as files.encoding is another", async () => {
    await withFile("cyrillic.log", Buffer.from([0xe8, 0xec, 0xff, 0x0a]), async (log) => {
      await vscode.commands.executeCommand("vscode.openWith", log, "forge.viewer");
      const automatic = await eventually(async () => {
        const text = await copied();
        assert.ok(text.endsWith("\n") && text !== "имя\n");
        return text;
      });
      const settings = vscode.workspace.getConfiguration("files");
      await settings.update("encoding", "windows1251", vscode.ConfigurationTarget.Workspace);
      await eventually(async () => assert.equal(await copied(), "имя\n"));
      await settings.update("encoding", undefined, vscode.ConfigurationTarget.Workspace);
      await eventually(async () => assert.equal(await copied(), automatic));
    });
  });

  it("tells once of a change that several reads notice", async () => {
    const content = new FileInMemory(numbered(10));
    const openDirectoryOf = async () => new vscode.Disposable(() => undefined);
    const daemon = { request: content.request, openDirectoryOf } as unknown as Daemon;
    const encodings = { of: () => undefined } as unknown as FileMemory<string>;
    const viewed = await ViewedFile.open(file("long.txt"), daemon, encodings);
    await viewed.read(async () => undefined);
    let changes = 0;
    viewed.onDidChange(() => {
      changes += 1;
    });
    content.change("another\n");
    const reads = [1, 2, 3].map(() => viewed.read((snapshot) => snapshot.refresh()));
    const outcomes = await Promise.allSettled(reads);
    assert.ok(outcomes.every(({ status }) => status === "rejected"));
    assert.equal(changes, 1);
    viewed.dispose();
  });

  it("knows the language of a file by its name as VS Code does", async () => {
    const names = [
      ...["plain.txt", "server.log", "APP.LOG", "notes.MD", "data.json", "unknown.xyz", "Makefile"],
      ...["Dockerfile", "Dockerfile.dev", "tsconfig.build.json", "Jenkinsfile2", "compose.prod.yml"],
    ];
    for (const name of names) {
      await withFile(name, "x\n", async (uri) => {
        const { languageId } = await vscode.workspace.openTextDocument(uri);
        assert.equal(languageOf(uri) ?? "plaintext", languageId, name);
      });
    }
  });
});

describe("Forge: Peek Lines…", () => {
  before(() => extension().activate());
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("shows the lines as a document of their own", async () => {
    const document = await peek(file("long.txt"), "40,000-40,002");
    assert.equal(document.getText(), "line 40000\nline 40001\nline 40002");
    assert.equal(document.uri.scheme, "forge");
  });

  it("shows the lines around one, a document for each window", async () => {
    const first = await peek(file("long.txt"), "1000");
    const second = await peek(file("long.txt"), "2000");
    assert.deepEqual([first.lineAt(50).text, second.lineAt(50).text], ["line 1000", "line 2000"]);
  });

  it("knows the language, and reads a file outside every folder as long as the user looks at it", async () => {
    const outside = await mkdtemp(join(tmpdir(), "forge-"));
    try {
      const script = vscode.Uri.file(join(outside, "script.json"));
      await writeFile(script.fsPath, '{\n  "answer": 42\n}\n');
      const document = await peek(script, "1-3");
      assert.equal(document.getText(), '{\n  "answer": 42\n}');
      assert.equal(document.languageId, "json");
      const read = async () => (await api()).readFile({ path: script.fsPath });
      assert.equal((await read()).meta.line_count, 3);
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await eventually(async () => assert.equal((await refusal(read())).data.code, "SANDBOX_VIOLATION"));
    } finally {
      await rm(outside, { recursive: true });
    }
  });
});
