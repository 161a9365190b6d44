import * as vscode from "vscode";
import { COPY_LIMIT, type CopiedText, textOf, wholeLines } from "./copying";
import { failureOf } from "./failure";
import type { FromPage } from "./messages";
import { formatBytes } from "./numbers";
import type { ShownLines } from "./shownLines";
import type { ViewedFile } from "./viewedFile";

const SHOWN_MS = 3000;

/** A range of the lines that are shown. */
export async function copyLines(
  file: ViewedFile,
  shown: ShownLines,
  { range, numbered, colors }: FromPage & { type: "copy" },
): Promise<void> {
  try {
    const settings = vscode.workspace.getConfiguration("forge.viewer", file.uri);
    const withColors = colors || settings.get("copyColors", false);
    const pieces = shown.pieces(numbered ? wholeLines(range) : range, withColors);
    await copyText(await textOf(pieces, { numbered }));
  } catch (error) {
    void vscode.window.showErrorMessage(`Not copied: ${failureOf(error, file.name).message}`);
  }
}

async function copyText({ text, cut }: CopiedText): Promise<void> {
  const beginning = "Copy the Beginning";
  const question = `The selection is larger than ${formatBytes(COPY_LIMIT)}, the most that can be copied.`;
  if (!cut || (await vscode.window.showWarningMessage(question, beginning)) === beginning) {
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage(`Copied ${formatBytes(Buffer.byteLength(text))}`, SHOWN_MS);
  }
}

/** Of a rotated set, the path and the line of the file that the line is in. */
export async function copyPath(file: ViewedFile, line: number): Promise<void> {
  const members = await file.read(async (snapshot) => snapshot.members);
  const member = members.findLast(({ start_line }) => start_line !== null && start_line <= line);
  const path = member?.path ?? vscode.workspace.asRelativePath(file.uri);
  await vscode.env.clipboard.writeText(`${path}:${line - (member?.start_line ?? 1) + 1}`);
  vscode.window.setStatusBarMessage("Copied the path with its line", SHOWN_MS);
}
