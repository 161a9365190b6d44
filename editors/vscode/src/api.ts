/**
 * What other extensions may build on.
 *
 * ```ts
 * const forge = vscode.extensions.getExtension<ForgeExports>("forge-read.forge-read");
 * const api = (await forge?.activate())?.getApi(1);
 * const window = await api?.readFile({ path: "server.log", tail: 50 });
 * ```
 */
import type { CancellationToken } from "vscode";
import type {
  CountLinesParams,
  CountLinesResult,
  ErrorData,
  FindParams,
  FindResult,
  ReadFileParams,
  ReadFileResult,
  ReadFilesParams,
  ReadFilesResult,
  ToolsCallParams,
} from "./protocol";

export type * from "./protocol";

/** What the extension exports. */
export interface ForgeExports {
  /** Throws where this version of the API is not served. */
  getApi(version: 1): ForgeApi;
}

/** Version 1: functions and optional fields may be added, nothing is taken away. */
export interface ForgeApi extends Reads {
  readonly version: 1;
  /** Of the messages, such as "1.0". */
  readonly protocolVersion: string;
}

/**
 * The daemon's reads, in its own words: paths are relative to a workspace folder or absolute inside one, lines count from 1,
 * unsaved edits are seen.
 *
 * A refusal rejects with an error named "ForgeError" that has a `data` (see `ForgeRefusal`); a cancelled request with
 * `vscode.CancellationError`; one that finds no daemon, because Python is missing for instance, with an error named
 * "DaemonUnavailable".
 */
export interface Reads {
  /** A bounded window of a file of any size. */
  readFile(params: ReadFileParams, options?: RequestOptions): Promise<ReadFileResult>;
  /** Many windows in one round trip; each item answers or fails by itself. */
  readFiles(params: ReadFilesParams, options?: RequestOptions): Promise<ReadFilesResult>;
  /** The exact number of lines of a text file of any size. */
  countLines(params: CountLinesParams, options?: RequestOptions): Promise<CountLinesResult>;
  /** The next or the previous match in a text file of any size. */
  find(params: FindParams, options?: RequestOptions): Promise<FindResult>;
  /** Calls a tool as an agent would. */
  callTool(params: ToolsCallParams, options?: RequestOptions): Promise<unknown>;
}

export interface RequestOptions {
  readonly token?: CancellationToken | undefined;
  /** Called while long work goes on. Without it, long work is shown in the window's own progress. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  /** 0 to 100. */
  readonly percentage: number;
  readonly message: string | undefined;
}

/** The shape of a refusal. */
export interface ForgeRefusal extends Error {
  readonly name: "ForgeError";
  readonly data: ErrorData;
}
