/** What the user's settings say of a file's encoding, in VS Code's own keys. */

import * as vscode from "vscode";
import { wireName } from "./encodings";
import { languageOf } from "./languageOf";

/** `files.encoding` for this file, by its language and folder; null where the daemon is to find out. */
export function encodingOf(uri: vscode.Uri): string | null {
  const languageId = languageOf(uri);
  const files = vscode.workspace.getConfiguration("files", languageId ? { uri, languageId } : uri);
  return files.get("autoGuessEncoding", false) ? null : wireName(files.get("encoding", "utf8"));
}

/** What a file may be in where the daemon finds out: what VS Code guesses among, and the encoding the user has set. */
export function encodingCandidates(): string[] {
  const files = vscode.workspace.getConfiguration("files");
  const guessed = files.inspect<string[]>("candidateGuessEncodings")?.globalValue ?? [];
  const set = files.inspect<string>("encoding")?.globalValue ?? "utf8";
  const names = [...guessed, set].map(wireName).filter((name) => name !== null);
  return [...new Set(names)];
}
