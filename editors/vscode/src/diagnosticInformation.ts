import { execFile } from "node:child_process";
import { arch, platform, release } from "node:os";
import * as vscode from "vscode";
import type { Daemon } from "./daemon";
import { describeMissing } from "./daemon/compiledParts";
import type { Interpreter } from "./daemon/python";
import { daemonSettings } from "./daemon/settings";

const DOCTOR_TIMEOUT_MS = 60_000;

/** What a bug report needs. No names of files or folders of the workspace. */
export async function diagnosticInformation(
  daemon: Daemon,
  extension: vscode.Extension<unknown>,
  packages: string,
): Promise<string> {
  const { state } = daemon;
  const facts: Record<string, unknown> = {
    extension: `${extension.id} ${extension.packageJSON.version}`,
    editor: `${vscode.env.appName} ${vscode.version}`,
    system: `${platform()} ${release()} ${arch()}`,
    remote: vscode.env.remoteName ?? "none",
    trusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    settings: JSON.stringify(daemonSettings()),
    daemon: state.kind === "stopped" ? `stopped: ${state.reason}` : state.kind,
    compiled: state.kind === "running" ? describeMissing(state.missing) || "all loaded" : "not known",
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name.padEnd(14)}${value}`);
  if (state.kind === "running") lines.push("", await doctor(state.interpreter, packages));
  return `${lines.join("\n")}\n`;
}

/** Says what is wrong with its exit code too; its words are what is wanted. */
function doctor({ command, args }: Interpreter, packages: string): Promise<string> {
  const options = {
    cwd: packages,
    // It starts a daemon of its own, which finds the packages by this.
    env: { ...process.env, PYTHONPATH: packages },
    timeout: DOCTOR_TIMEOUT_MS,
    windowsHide: true,
  };
  return new Promise((done) => {
    execFile(command, [...args, "-I", "-S", packages, "doctor"], options, (error, stdout, stderr) =>
      done(stdout.trim() || stderr.trim() || String(error)),
    );
  });
}
