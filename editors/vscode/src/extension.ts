import { join } from "node:path";
import * as vscode from "vscode";
import type { ForgeApi, ForgeExports, Reads } from "./api";
import { registerCommands } from "./commands";
import { LanguageServerDaemon } from "./daemon/daemon";
import { showFailure } from "./failure";
import { PROTOCOL_VERSION } from "./protocol";
import { registerReadTool } from "./readTool";
import { StatusItem } from "./status";
import { registerViewer } from "./viewer";

let daemon: LanguageServerDaemon | undefined;

export function activate(context: vscode.ExtensionContext): ForgeExports {
  const packages = join(context.extensionPath, "bundled");
  const log = vscode.window.createOutputChannel("Forge", { log: true });
  const started = new LanguageServerDaemon(packages, log, showFailure);
  daemon = started;
  context.subscriptions.push(
    log,
    new StatusItem(started),
    registerReadTool(started),
    ...registerCommands(started, log, context.extension, packages),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("forge.interpreter")) void started.restart().catch(() => undefined);
    }),
  );
  registerViewer(context, started);
  started.start();
  return { getApi: (version) => api(version, started) };
}

export async function deactivate(): Promise<void> {
  await daemon?.dispose();
}

function api(version: number, reads: Reads): ForgeApi {
  if (version !== 1) throw new Error(`Version ${version} of the API is not known: this is version 1.`);
  return {
    version: 1,
    protocolVersion: PROTOCOL_VERSION,
    readFile: (params, options) => reads.readFile(params, options),
    readFiles: (params, options) => reads.readFiles(params, options),
    countLines: (params, options) => reads.countLines(params, options),
    find: (params, options) => reads.find(params, options),
    callTool: (params, options) => reads.callTool(params, options),
  };
}
