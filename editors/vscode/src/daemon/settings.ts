import * as vscode from "vscode";
import { SETTINGS, type SettingsFile } from "../protocol";
import { encodingCandidates } from "../viewer/encodingSettings";

type Table = { [key: string]: unknown };

/**
 * The daemon's tables, with what the user has set and nothing else: a default of the editor would override the user's own
 * `forge.toml`. Every table is there even if empty, or a setting that was removed would stay in force.
 */
export function daemonSettings(): SettingsFile {
  const configuration = vscode.workspace.getConfiguration("forge");
  const settings: Table = {};
  for (const key of SETTINGS) {
    const path = key.split(".");
    const name = path.pop() as string;
    const table = path.reduce<Table>((tables, part) => {
      tables[part] ??= {};
      return tables[part] as Table;
    }, settings);
    const value = configuration.inspect(key)?.globalValue ?? fromVsCode(key);
    if (value !== undefined && value !== null) {
      table[name] = value;
    }
  }
  return settings;
}

/** What VS Code's own settings say, where the daemon's do not. */
function fromVsCode(key: string): unknown {
  const encodings = key === "files.encodings" ? encodingCandidates() : [];
  return encodings.length > 0 ? encodings : undefined;
}
