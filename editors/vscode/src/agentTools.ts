import * as vscode from "vscode";
import { type Daemon, ForgeError } from "./daemon";
import {
  type AgentFindArguments,
  type AgentListArguments,
  type AgentReadArguments,
  type AgentReadManyArguments,
  Commands,
} from "./protocol";

/** The toolset `agent` as language model tools. Their definitions in `package.json` are those of the daemon. */
export function registerAgentTools(daemon: Daemon): vscode.Disposable {
  const register = <Input extends object>(tool: string, message: (input: Input) => string) =>
    vscode.lm.registerTool<Input>(`forge_${tool}`, {
      prepareInvocation: ({ input }) => ({ invocationMessage: message(input) }),
      invoke: async ({ input, tokenizationOptions }, token) => {
        const text = await withinBudget(tokenizationOptions, token, (maxChars) =>
          call(daemon, tool, { ...input, ...maxChars }, token),
        );
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    });
  return vscode.Disposable.from(
    register("read", readMessage),
    register<AgentFindArguments>(
      "find",
      ({ path, pattern }) => `Searching ${path ?? "the workspace"} for ${pattern}`,
    ),
    register<AgentListArguments>("list", ({ path }) => `Listing ${path ?? "the workspace"}`),
    register<AgentReadManyArguments>("read_many", ({ files }) => `Reading ${files.length} files`),
  );
}

/** An answer that has no more tokens than the model has room for. */
async function withinBudget(
  options: vscode.LanguageModelToolTokenizationOptions | undefined,
  token: vscode.CancellationToken,
  answer: (maxChars: { max_chars?: number }) => Promise<string>,
): Promise<string> {
  if (!options) return answer({});
  let characters = atLeastAPage(options.tokenBudget * CHARACTERS_PER_TOKEN);
  let text = await answer({ max_chars: characters });
  const tokens = await options.countTokens(text, token);
  if (tokens > options.tokenBudget) {
    // Some texts take more tokens. Room is left because another part of the file may take more still.
    characters = atLeastAPage((0.8 * text.length * options.tokenBudget) / tokens);
    text = await answer({ max_chars: characters });
  }
  return text;
}

const CHARACTERS_PER_TOKEN = 3;
const MIN_CHARACTERS = 1000;

function atLeastAPage(characters: number): number {
  return Math.max(MIN_CHARACTERS, Math.floor(characters));
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
