/** The language of a file that no text editor has opened, by its name, as VS Code would choose it. */

import { basename } from "node:path";
import * as vscode from "vscode";

interface Language {
  id: string;
  extensions?: string[];
  filenames?: string[];
  filenamePatterns?: string[];
}

/** The setting `files.associations` comes first, then whole names, patterns and endings; of each kind the longest. */
export function languageOf(uri: vscode.Uri): string | undefined {
  const file = uri.with({ path: uri.path.toLowerCase() });
  const name = basename(file.path);
  const associations = vscode.workspace.getConfiguration("files", uri).get<object>("associations") ?? {};
  const languages = vscode.extensions.all.flatMap(
    ({ packageJSON }) => (packageJSON?.contributes?.languages ?? []) as Language[],
  );
  const among = (key: "extensions" | "filenames" | "filenamePatterns") =>
    languages.flatMap((language) => (language[key] ?? []).map((each) => [each, language.id] as const));
  const isPatternOf = (pattern: string) => matches(pattern, file);
  return (
    longest(Object.entries(associations), isPatternOf) ??
    longest(among("filenames"), (each) => each === name) ??
    longest(among("filenamePatterns"), isPatternOf) ??
    longest(among("extensions"), (each) => name.endsWith(each))
  );
}

function longest(
  languages: (readonly [string, string])[],
  fits: (lowerCase: string) => boolean,
): string | undefined {
  const [first] = languages
    .filter(([each]) => fits(each.toLowerCase()))
    .sort(([one], [other]) => other.length - one.length);
  return first?.[1];
}

/** By VS Code's own rules. A pattern without a folder is one for the name. */
export function matches(pattern: string, uri: vscode.Uri): boolean {
  const anywhere = pattern.includes("/") ? pattern : `**/${pattern}`;
  return vscode.languages.match({ pattern: anywhere }, { uri } as vscode.TextDocument) > 0;
}
