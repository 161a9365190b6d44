import * as vscode from "vscode";
import { type Daemon, ForgeError } from "./daemon";
import { Commands, type ReadArguments, type ReadFileResult } from "./protocol";

const NAME = "forge_read";

/** The tool `Read`, for agents in the editor. */
export function registerReadTool(daemon: Daemon): vscode.Disposable {
  return vscode.lm.registerTool<ReadArguments>(NAME, {
    prepareInvocation: ({ input }) => ({ invocationMessage: invocationMessage(input) }),
    invoke: async ({ input }, token) => {
      const text = await read(daemon, input, token);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  });
}

async function read(daemon: Daemon, input: ReadArguments, token: vscode.CancellationToken): Promise<string> {
  try {
    const call = { name: "Read", toolset: "forge", arguments: { ...input } } as const;
    return asText((await daemon.command(Commands.toolsCall, call, { token })) as ReadFileResult);
  } catch (error) {
    if (error instanceof ForgeError) return refusal(error);
    throw error;
  }
}

/** A model can act on a refusal; thrown, it would only learn that something went wrong. */
function refusal({ message, data }: ForgeError): string {
  const parts = [`${data.code}: ${message}`];
  if (data.hint) parts.push(`Hint: ${data.hint}`);
  if (data.retriable) parts.push("The same call may succeed later.");
  return parts.join("\n");
}

/** What was read stands first and as it is; what must be known of it follows in brackets. */
function asText(window: ReadFileResult): string {
  if (window.binary) {
    const { data, byte_count } = window.binary;
    return `${data}\n[base64 of the first ${byte_count} of ${window.meta.byte_length} bytes of ${window.path}]`;
  }
  const notes = [lines(window)];
  if (window.source === "buffer") notes.push("as it is in the editor");
  if (window.truncated) notes.push(`truncated: go on with start_line ${window.next_start_line}`);
  const gap = window.content === "" || window.content.endsWith("\n") ? "" : "\n";
  return `${window.content}${gap}[${window.path}: ${notes.join("; ")}]`;
}

function lines({ meta }: ReadFileResult): string {
  const total = meta.line_count === null ? "" : ` of ${meta.line_count}`;
  if (meta.returned_line_count === 0) return `no lines${total}`;
  const last = meta.start_line + meta.returned_line_count - 1;
  return `lines ${meta.start_line} to ${last}${total}`;
}

function invocationMessage({ path, start_line, end_line, limit, head, tail }: ReadArguments): string {
  const end = end_line ?? (limit ? (start_line ?? 1) + limit - 1 : undefined);
  if (head) return `Reading the first ${head} lines of ${path}`;
  if (tail) return `Reading the last ${tail} lines of ${path}`;
  if (end) return `Reading ${path}, lines ${start_line ?? 1} to ${end}`;
  return start_line ? `Reading ${path} from line ${start_line}` : `Reading ${path}`;
}
