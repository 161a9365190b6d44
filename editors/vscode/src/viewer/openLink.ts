import { basename, isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import type { LinkTarget } from "./messages";

/** Files of that name that are looked for where the path itself leads nowhere, as in Java's stack traces. */
const MOST_CANDIDATES = 20;

/** Opens an address in the browser, a place in a file in an editor. `log` is the file that mentions it. */
export async function openLink(target: LinkTarget, log: vscode.Uri): Promise<void> {
  try {
    await open(target, log);
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}

async function open(target: LinkTarget, log: vscode.Uri): Promise<void> {
  if ("url" in target) {
    await vscode.env.openExternal(vscode.Uri.parse(target.url, true));
    return;
  }
  const file = await resolve(target.path, log);
  if (file === undefined) {
    void vscode.window.setStatusBarMessage(`${target.path}: no such file in the workspace`, 5000);
    return;
  }
  const at = new vscode.Position(Math.max(0, target.line - 1), Math.max(0, target.column - 1));
  await vscode.window.showTextDocument(file, { selection: new vscode.Range(at, at) });
}

async function resolve(path: string, log: vscode.Uri): Promise<vscode.Uri | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const bases = [join(log.fsPath, ".."), ...folders];
  const paths = isAbsolute(path) ? [path] : bases.map((base) => join(base, path));
  for (const candidate of paths.map((each) => vscode.Uri.file(each))) {
    if (await isFile(candidate)) {
      return candidate;
    }
  }
  return await sameEnding(path);
}

/** The file of the workspace that shares the most of the path, from its end. */
async function sameEnding(path: string): Promise<vscode.Uri | undefined> {
  const name = basename(path.replaceAll("\\", "/"));
  const found = await vscode.workspace.findFiles(
    `**/${name.replace(/[[\]{}?*!]/g, "[$&]")}`,
    undefined,
    MOST_CANDIDATES,
  );
  const parts = (each: string) => each.split(/[\\/]/).reverse();
  const wanted = parts(path);
  const shared = (uri: vscode.Uri) => {
    const theirs = parts(uri.path);
    const differs = wanted.findIndex((part, index) => part !== theirs[index]);
    return differs < 0 ? wanted.length : differs;
  };
  return found.sort((one, other) => shared(other) - shared(one))[0];
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
