import type * as vscode from "vscode";
import type { Reads } from "../api";
import type { CacheStatsResult } from "../protocol";
import type { Interpreter } from "./python";

export type { Progress, RequestOptions } from "../api";
export { DaemonUnavailable, ForgeError } from "./errors";

export type DaemonState =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly interpreter: Interpreter; readonly pid: number }
  | { readonly kind: "stopped"; readonly reason: string };

/**
 * The daemon, typed. Requests wait while it starts or restarts. They reject with a `ForgeError` where it refuses, with a
 * `vscode.CancellationError` where the token was cancelled, with `DaemonUnavailable` where it does not run.
 */
export interface Daemon extends Reads {
  readonly state: DaemonState;
  readonly onDidChangeState: vscode.Event<DaemonState>;
  /** After each read, whatever came of it. */
  readonly onDidRead: vscode.Event<void>;

  cacheStats(): Promise<CacheStatsResult>;
  clearCache(): Promise<CacheStatsResult>;

  /**
   * Opens the directory of a file to the daemon, if it lies in no workspace folder, until the result is disposed. Only for files
   * that the user opened: it widens what may be read.
   */
  openDirectoryOf(file: vscode.Uri): Promise<vscode.Disposable>;

  restart(): Promise<void>;
}
