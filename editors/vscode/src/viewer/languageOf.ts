/** The language of a file that no text editor has opened, by its name, as VS Code would choose it. */

import { basename } from "node:path";
import * as vscode from "vscode";

interface Language {
  id: string;
  extensions?: string[];
  filenames?: string[];
}

export function languageOf(uri: vscode.Uri): string | undefined {
  const name = basename(uri.path).toLowerCase();
  return associated(name) ?? contributed(name);
}

/** `files.associations`: `*.log`, or a whole name. */
function associated(name: string): string | undefined {
  const associations = vscode.workspace.getConfiguration("files").get<Record<string, string>>("associations");
  const matching = Object.entries(associations ?? {})
    .filter(([pattern]) => matches(pattern.toLowerCase(), name))
    .sort(([one], [other]) => other.length - one.length);
  return matching[0]?.[1];
}

function matches(pattern: string, name: string): boolean {
  const parts = (pattern.split("/").at(-1) ?? "").split("*");
  const expression = parts.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&")).join(".*");
  return new RegExp(`^${expression}$`).test(name);
}

function contributed(name: string): string | undefined {
  const languages = vscode.extensions.all.flatMap(
    ({ packageJSON }) => (packageJSON?.contributes?.languages ?? []) as Language[],
  );
  const byName = languages.find(({ filenames }) => filenames?.some((each) => each.toLowerCase() === name));
  const endings = languages.flatMap(({ id, extensions }) =>
    (extensions ?? []).filter((each) => name.endsWith(each.toLowerCase())).map((ending) => ({ id, ending })),
  );
  const longest = endings.sort((one, other) => other.ending.length - one.ending.length)[0];
  return byName?.id ?? longest?.id;
}
