import * as vscode from "vscode";
import type { SettingsFile } from "../protocol";

const READ_TOOL = ["max_file_read_bytes", "max_scan_bytes", "show_line_numbers"];

/**
 * The daemon's tables, with what the user has set and nothing else: a default of the editor would override the user's own
 * `forge.toml`. Every table is there even if empty, or a setting that was removed would stay in force.
 */
export function daemonSettings(): Required<SettingsFile> {
  return {
    tools: { read_file: setByUser("tools.read_file", READ_TOOL) },
    policy: setByUser("policy", ["deny", "allow"]),
    cache: setByUser("cache", ["max_bytes"]),
  };
}

function setByUser(table: string, keys: string[]): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(`forge.${table}`);
  const values = keys.map((key) => [key, section.inspect(key)?.globalValue] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}
