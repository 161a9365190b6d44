/** What the tests inside VS Code share: the extension as others see it, and the daemon as the system sees it. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ForgeApi, ForgeExports, ForgeRefusal } from "../../src/api";

export function extension(): vscode.Extension<ForgeExports> {
  const found = vscode.extensions.getExtension<ForgeExports>("forge-read.forge-read");
  assert.ok(found, "the extension is not installed");
  return found;
}

export async function api(): Promise<ForgeApi> {
  return (await extension().activate()).getApi(1);
}

export function folder(name: string): vscode.WorkspaceFolder {
  const found = vscode.workspace.workspaceFolders?.find((each) => each.name === name);
  assert.ok(found, `no folder is called ${name}`);
  return found;
}

export function file(path: string, of = "first"): vscode.Uri {
  return vscode.Uri.joinPath(folder(of).uri, path);
}

/** The refusal that a request ends with. */
export async function refusal(request: Promise<unknown>): Promise<ForgeRefusal> {
  const error: unknown = await request.then(
    (result) => assert.fail(`answered: ${JSON.stringify(result)}`),
    (reason) => reason,
  );
  assert.ok(error instanceof Error && error.name === "ForgeError", String(error));
  return error as ForgeRefusal;
}

/** Types text at the start of a file without saving it, for as long as `then` takes. */
export async function whileTyped(path: string, text: string, then: () => Promise<void>): Promise<void> {
  const document = await vscode.workspace.openTextDocument(file(path));
  await vscode.window.showTextDocument(document, { preview: false });
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  try {
    await then();
  } finally {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await eventually(() => assert.ok(!document.getText().startsWith(text)));
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  }
}

/** Runs `check` until it stops failing: for what VS Code does in its own time. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 15_000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((passed) => setTimeout(passed, 50));
    }
  }
}

/** The processes of the daemon that this extension host has started. */
export function daemonProcesses(): number[] {
  const packages = join(extension().extensionPath, "bundled");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isChild(name) && commandLine(name).includes(packages))
    .map(Number);
}

function isChild(pid: string): boolean {
  const fields = contents(`/proc/${pid}/stat`)
    .replace(/^.*\) /, "")
    .split(" ");
  return fields[0] !== "Z" && Number(fields[1]) === process.pid;
}

function commandLine(pid: string): string[] {
  return contents(`/proc/${pid}/cmdline`).split("\0");
}

/** Empty where the process is gone by now. */
function contents(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
