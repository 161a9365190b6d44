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
  ErrorData,
  FollowedParams,
  FollowParams,
  Requests,
  RequestsMap,
  ToolsCallParams,
} from "./protocol";

export type * from "./protocol";

/** What the extension exports. */
export interface ForgeExports {
  /** Throws where this version of the API is not served. */
  getApi(version: 1): ForgeApi;
}

/** Version 1: functions and optional fields may be added, nothing is taken away. */
export interface ForgeApi extends ForgeRequests {
  readonly version: 1;
  /** The version of the protocol, such as "1.0". */
  readonly protocolVersion: string;
  /**
   * What is appended to a file, and what becomes of it, as it happens: `for await (const event of api.follow({ path }))`. Starts
   * with the last lines. Leaving the loop, or cancelling the token, ends it; the next event comes when the loop is ready.
   */
  follow(params: FollowParams, options?: RequestOptions): AsyncIterable<FollowedParams>;
  /** Calls a tool as an agent would. */
  callTool(params: ToolsCallParams, options?: RequestOptions): Promise<unknown>;
}

/**
 * One function for each request of the protocol: `readFile`, `readFiles`, `countLines`, `find`, `findTime` and so on. Paths are relative to a
 * workspace folder or absolute inside one, lines count from 1, unsaved edits are seen.
 *
 * A refusal rejects with an error named "ForgeError" that has a `data` (see `ForgeRefusal`), a cancelled request with
 * `vscode.CancellationError`. Where no daemon runs, because Python is missing for instance, the error is named
 * "DaemonUnavailable".
 */
export type ForgeRequests = {
  [Name in Exclude<keyof typeof Requests, "follow" | "unfollow">]: (
    params: RequestsMap[(typeof Requests)[Name]]["params"],
    options?: RequestOptions,
  ) => Promise<RequestsMap[(typeof Requests)[Name]]["result"]>;
};

export interface RequestOptions {
  readonly token?: CancellationToken | undefined;
  /** Called while a request takes long. Without it, VS Code shows the progress in the status bar. */
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
