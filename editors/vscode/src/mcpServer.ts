import * as vscode from "vscode";
import { DaemonUnavailable } from "./daemon";
import { findInterpreter, NoInterpreter } from "./daemon/python";

const PROVIDER = "forge.mcpServer";

/** What is used of an API that VS Code has since 1.101. */
interface McpApi {
  registerMcpServerDefinitionProvider?(
    id: string,
    provider: {
      onDidChangeMcpServerDefinitions: vscode.Event<void>;
      provideMcpServerDefinitions(): unknown[];
      resolveMcpServerDefinition(definition: { command: string; args: string[] }): Promise<unknown>;
    },
  ): vscode.Disposable;
}

type StdioDefinition = new (
  label: string,
  command: string,
  args: string[],
  env?: Record<string, string>,
  version?: string,
) => { command: string; args: string[] };

const ENABLED = "forge.mcpServer.enabled";

/**
 * Tells VS Code of `forge-read mcp`, so that no configuration file is needed, where the user asks for it: VS Code's own agent has
 * the same tools as language model tools, and would see them twice.
 */
export function registerMcpServer(packages: string, version: string): vscode.Disposable {
  const { registerMcpServerDefinitionProvider: register } = vscode.lm as McpApi;
  const { McpStdioServerDefinition: Definition } = vscode as { McpStdioServerDefinition?: StdioDefinition };
  if (register === undefined || Definition === undefined) return new vscode.Disposable(() => undefined);
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(ENABLED)) changed.fire();
    }),
    register(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => {
        const folders = vscode.workspace.getConfiguration().get(ENABLED, false) ? localFolders() : [];
        const args = ["-I", "-S", packages, "mcp", ...folders];
        return folders.length > 0 ? [new Definition("Forge Read", "python3", args, {}, version)] : [];
      },
      // The interpreter is looked for when the server is wanted.
      resolveMcpServerDefinition: async (definition) => {
        try {
          const { command, args } = await findInterpreter();
          definition.command = command;
          definition.args = [...args, "-I", "-S", packages, "mcp", ...localFolders()];
          return definition;
        } catch (error) {
          throw error instanceof NoInterpreter ? new DaemonUnavailable(error.message) : error;
        }
      },
    }),
  );
}

function localFolders(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}
