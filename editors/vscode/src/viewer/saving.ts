import { basename, dirname, extname, join } from "node:path";
import * as vscode from "vscode";
import type { Piece } from "./copying";
import { failureOf } from "./failure";
import type { TextRange } from "./messages";
import { formatBytes, formatNumber } from "./numbers";
import type { ShownLines } from "./shownLines";
import type { ViewedFile } from "./viewedFile";
import { type Written, writeLines } from "./writing";

/** What is to be saved. */
interface Lines {
  pieces(token: vscode.CancellationToken): AsyncIterable<Piece>;
  /** How far a line of the file is, 0 to 1. */
  share(line: number): number;
}

/** Saves a range of the lines that are shown; null: all of them. */
export async function saveShownLines(
  file: ViewedFile,
  shown: ShownLines,
  range: TextRange | null,
): Promise<void> {
  try {
    await file.count();
    await shown.count();
    const { total } = await file.read(async (snapshot) => snapshot);
    const rows = (shown.excerpt?.total ?? total).lines;
    const all = { start: { line: 1, column: 0 }, end: { line: rows + 1, column: 0 } };
    const { start, end } = range ?? all;
    const [first, last] = shown.excerpt === undefined ? [start.line, end.line] : [1, total.lines];
    const colors = vscode.workspace.getConfiguration("forge.viewer", file.uri).get("copyColors", false);
    await save(file.uri, {
      pieces: (token) => shown.pieces({ start, end }, colors, { token, onProgress: () => {} }),
      share: (line) => Math.min(1, (line - first + 1) / Math.max(1, last - first + 1)),
    });
  } catch (error) {
    void vscode.window.showErrorMessage(`Not saved: ${failureOf(error, file.name).message}`);
  }
}

/** Asks for a file, and writes lines to it, as UTF-8. It appears once it is complete. */
async function save(file: vscode.Uri, lines: Lines): Promise<void> {
  const target = await askForFile(file);
  if (target === undefined) {
    return;
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: `Saving ${basename(target)}`,
    cancellable: true,
  };
  const saved = await vscode.window.withProgress(options, async (progress, token) => {
    let percentage = 0;
    const watch = ({ bytes }: Written, line: number) => {
      const now = Math.round(100 * lines.share(line));
      progress.report({ increment: now - percentage, message: formatBytes(bytes) });
      percentage = now;
      return !token.isCancellationRequested;
    };
    return await writeLines(lines.pieces(token), target, watch).catch((error) => {
      if (token.isCancellationRequested) return null;
      throw error;
    });
  });
  if (saved === null) {
    void vscode.window.showInformationMessage(`${basename(target)} was not saved.`);
    return;
  }
  const view = "Open in Forge Viewer";
  const count = `${formatNumber(saved.lines)} line${saved.lines === 1 ? "" : "s"}`;
  const text = `${count} (${formatBytes(saved.bytes)}) saved as ${basename(target)}.`;
  if ((await vscode.window.showInformationMessage(text, view)) === view) {
    await vscode.commands.executeCommand("forge.openInViewer", vscode.Uri.file(target));
  }
}

async function askForFile({ fsPath }: vscode.Uri): Promise<string | undefined> {
  const extension = extname(fsPath);
  const name = `${basename(fsPath, extension)}-lines${extension}`;
  const defaultUri = vscode.Uri.file(join(dirname(fsPath), name));
  const chosen = await vscode.window.showSaveDialog({ defaultUri, title: "Save Lines", saveLabel: "Save" });
  if (chosen?.fsPath === fsPath) {
    throw new Error("the file that is shown cannot be replaced by some of its lines");
  }
  return chosen?.fsPath;
}
