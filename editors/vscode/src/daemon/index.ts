import type * as vscode from "vscode";
import type { RequestOptions } from "../api";
import type { CommandsMap, FollowedParams, FollowParams, RequestsMap } from "../protocol";
import type { CompiledPart } from "./compiledParts";
import type { Interpreter } from "./python";

export type { Progress, RequestOptions } from "../api";
export { DaemonUnavailable, ForgeError } from "./errors";

export type DaemonState =
  | { readonly kind: "starting" }
  | {
      readonly kind: "running";
      readonly interpreter: Interpreter;
      readonly pid: number;
      /** What this Python cannot load. */
      readonly missing: readonly CompiledPart[];
    }
  | { readonly kind: "stopped"; readonly reason: string };

/**
 * Requests wait while the daemon starts or restarts. They reject with a `ForgeError` where it refuses, with a
 * `vscode.CancellationError` where the token was cancelled, with `DaemonUnavailable` where it does not run.
 */
export interface Daemon {
  request<M extends keyof RequestsMap>(
    method: M,
    params: RequestsMap[M]["params"],
    options?: RequestOptions,
  ): Promise<RequestsMap[M]["result"]>;
  command<C extends keyof CommandsMap>(
    command: C,
    argument: CommandsMap[C]["params"],
    options?: RequestOptions,
  ): Promise<CommandsMap[C]["result"]>;

  /** See `ForgeApi.follow`. */
  follow(params: FollowParams, options?: RequestOptions): AsyncIterable<FollowedParams>;

  readonly state: DaemonState;
  readonly onDidChangeState: vscode.Event<DaemonState>;
  /** After what may change the caches: each request and tool call, whether it succeeded or not, and emptying them. */
  readonly onDidRead: vscode.Event<void>;

  /**
   * Lets the daemon read the directory of a file outside every workspace folder until the result is disposed; of a link, that
   * of what it leads to as well. Only for files that the user opened: it widens what may be read.
   */
  openDirectoryOf(file: vscode.Uri): Promise<vscode.Disposable>;

  restart(): Promise<void>;
}
