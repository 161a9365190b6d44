import { join } from "node:path";
import * as vscode from "vscode";
import { registerAgentTools } from "./agentTools";
import type { ForgeApi, ForgeExports, ForgeRequests, RequestOptions } from "./api";
import { registerCommands } from "./commands";
import type { Daemon } from "./daemon";
import { LanguageServerDaemon } from "./daemon/daemon";
import { showFailure } from "./failure";
import { registerMcpServer } from "./mcpServer";
import { Commands, PROTOCOL_VERSION, Requests, type RequestsMap } from "./protocol";
import { registerSearch } from "./search";
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
    registerAgentTools(started),
    registerMcpServer(packages, context.extension.packageJSON.version),
    ...registerCommands(started, log, context.extension, packages),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("forge.interpreter")) void started.restart().catch(() => undefined);
    }),
  );
  const openAt = registerViewer(context, started);
  context.subscriptions.push(registerSearch(started, openAt));
  started.start();
  return { getApi: (version) => api(version, started) };
}

export async function deactivate(): Promise<void> {
  await daemon?.dispose();
}

function api(version: number, daemon: Daemon): ForgeApi {
  if (version !== 1) throw new Error(`Version ${version} of the API is not known: this is version 1.`);
  return {
    version: 1,
    protocolVersion: PROTOCOL_VERSION,
    ...requestsOf(daemon),
    follow: (params, options) => daemon.follow(params, options),
    callTool: (params, options) => daemon.command(Commands.toolsCall, params, options),
  };
}

function requestsOf(daemon: Daemon): ForgeRequests {
  const send =
    <M extends keyof RequestsMap>(method: M) =>
    (params: RequestsMap[M]["params"], options?: RequestOptions) =>
      daemon.request(method, params, options);
  const { follow: _follow, unfollow: _unfollow, ...single } = Requests;
  return Object.fromEntries(
    Object.entries(single).map(([name, method]) => [name, send(method)]),
  ) as ForgeRequests;
}
