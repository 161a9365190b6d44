import type * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import {
  type FindFilesParams,
  type FindMatch,
  type FoundFile,
  Requests,
  type SkippedFiles,
} from "../protocol";
import { unitsOf } from "../viewer/codePoints";
import { formatNumber } from "../viewer/numbers";

/** In the list at most. */
const MAX_LINES = 1000;
/** Characters shown before a match that is far from the start of its line. */
const LEAD = 24;
const MAX_CHARACTERS = 300;
/** `FindMatch.content` starts with the line where the match does within so many characters ... */
const NEAR = 4096;
/** ... else so many before the match. */
const BEFORE_FAR = 1024;
const SKIPPED: Record<keyof SkippedFiles, string> = {
  binary: "binary",
  denied: "denied",
  too_large: "too large",
  unreadable: "unreadable",
  ignored: "ignored by Git",
};

export type Query = Pick<FindFilesParams, "pattern" | "regex" | "ignore_case" | "whole_word">;

/** What was found so far. */
export interface Found {
  readonly files: { readonly folder: vscode.Uri; readonly file: FoundFile }[];
  /** How many of them are listed. */
  lines: number;
  readonly skipped: SkippedFiles;
  /** `full`: as many lines as the list takes, before everything was searched. */
  readonly state: "searching" | "full" | "done";
}

/**
 * Folder by folder, page by page. A request without a folder would also search the directories of viewed files that
 * lie outside the workspace.
 */
export async function* search(
  daemon: Daemon,
  query: Query,
  folders: readonly vscode.Uri[],
  token: vscode.CancellationToken,
): AsyncGenerator<Found, void> {
  const skipped = { binary: 0, denied: 0, too_large: 0, unreadable: 0, ignored: 0 };
  const found: Found = { files: [], lines: 0, skipped, state: "searching" };
  for (const folder of folders.filter((each) => !isInsideAnother(each, folders))) {
    let cursor: string | null = null;
    do {
      if (found.lines >= MAX_LINES) {
        yield { ...found, state: "full" };
        return;
      }
      cursor = await addPage(found, daemon, { ...query, cursor }, folder, token);
      yield found;
    } while (cursor !== null);
  }
  yield { ...found, state: "done" };
}

/** Where the next page starts. A folder that is not there has no lines. */
async function addPage(
  found: Found,
  daemon: Daemon,
  params: FindFilesParams,
  folder: vscode.Uri,
  token: vscode.CancellationToken,
): Promise<string | null> {
  const asked = { ...params, workspace_folder: folder.toString(), max_matches: MAX_LINES - found.lines };
  try {
    // With a listener, or VS Code would show progress in the status bar, too.
    const page = await daemon.request(Requests.findFiles, asked, { token, onProgress: () => {} });
    for (const file of page.files) {
      found.files.push({ folder, file });
      found.lines += file.matches.length;
    }
    for (const kind of Object.keys(SKIPPED) as (keyof SkippedFiles)[]) {
      found.skipped[kind] += page.skipped[kind];
    }
    return page.next_cursor;
  } catch (error) {
    if (error instanceof ForgeError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

function isInsideAnother({ path }: vscode.Uri, folders: readonly vscode.Uri[]): boolean {
  return folders.some((other) => path.startsWith(`${other.path.replace(/\/$/, "")}/`) && path !== other.path);
}

/** `31 lines in 12 files`. */
export function summaryOf({ files, state }: Found): string {
  const lines = files.reduce((sum, { file }) => sum + file.matches.length + file.more, 0);
  return `${state === "full" ? "at least " : ""}${counted(lines, "line")} in ${counted(files.length, "file")}`;
}

function counted(count: number, what: string): string {
  return `${formatNumber(count)} ${what}${count === 1 ? "" : "s"}`;
}

/** `3 binary, 1 denied`; empty where everything was searched. */
export function skippedText(skipped: SkippedFiles): string {
  return Object.entries(SKIPPED)
    .map(([kind, words]) => ({ count: skipped[kind as keyof SkippedFiles], words }))
    .filter(({ count }) => count > 0)
    .map(({ count, words }) => `${formatNumber(count)} ${words}`)
    .join(", ");
}

/** The line with its match in sight, as the label of an item, where `$(name)` would be an icon. */
export function preview({ content, start_column }: FindMatch): string {
  const at = unitsOf(content, start_column <= NEAR ? start_column - 1 : BEFORE_FAR);
  const before = [...content.slice(0, at).trimStart()];
  const lead = before.length > 2 * LEAD ? `…${before.slice(-LEAD).join("")}` : before.join("");
  return `${lead}${content.slice(at, at + MAX_CHARACTERS)}`.replaceAll("$(", "$\u200b(");
}

/** From where to where the match goes in its line, in UTF-16 units from 0. Far out it counts those that it has not seen as one each. */
export function columnsOf({ content, start_column, end_column }: FindMatch): [number, number] {
  const unseen = start_column <= NEAR ? 0 : start_column - 1 - BEFORE_FAR;
  const units = (column: number) => unseen + unitsOf(content, column - unseen);
  return [units(start_column - 1), units(end_column)];
}
