import * as vscode from "vscode";
import { type Daemon, ForgeError } from "./daemon";
import {
  type AgentFindArguments,
  type AgentReadArguments,
  type AgentReadManyArguments,
  Commands,
} from "./protocol";

/** The toolset `agent` as language model tools. Their definitions in `package.json` are those of the daemon. */
export function registerAgentTools(daemon: Daemon): vscode.Disposable {
  const register = <Input extends object>(tool: string, message: (input: Input) => string) =>
    vscode.lm.registerTool<Input>(`forge_${tool}`, {
      prepareInvocation: ({ input }) => ({ invocationMessage: message(input) }),
      invoke: async ({ input }, token) => {
        const text = await call(daemon, tool, input, token);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    });
  return vscode.Disposable.from(
    register("read", readMessage),
    register<AgentFindArguments>("find", ({ path, pattern }) => `Searching ${path} for ${pattern}`),
    register<AgentReadManyArguments>("read_many", ({ files }) => `Reading ${files.length} files`),
  );
}

async function call(
  daemon: Daemon,
  name: string,
  input: object,
  token: vscode.CancellationToken,
): Promise<string> {
  try {
    const params = { name, toolset: "agent", arguments: { ...input } } as const;
    return String(await daemon.command(Commands.toolsCall, params, { token }));
  } catch (error) {
    // A model can act on a refusal. Thrown, it would only learn that something went wrong.
    if (error instanceof ForgeError) return [error.message, error.data.hint ?? ""].join("\n").trimEnd();
    throw error;
  }
}

function readMessage({ path, start_line, end_line, limit }: AgentReadArguments): string {
  if (start_line && start_line < 0) return `Reading the last ${-start_line} lines of ${path}`;
  const end = end_line ?? (limit ? (start_line ?? 1) + limit - 1 : undefined);
  if (end) return `Reading ${path}, lines ${start_line ?? 1} to ${end}`;
  return start_line ? `Reading ${path} from line ${start_line}` : `Reading ${path}`;
}
