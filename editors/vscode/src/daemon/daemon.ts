import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import * as vscode from "vscode";
import {
  ConnectionError,
  DidChangeWorkspaceFoldersNotification,
  ErrorCodes,
  ExecuteCommandRequest,
  ResponseError,
  WorkDoneProgress,
  type WorkspaceFolder,
} from "vscode-languageclient/node";
import {
  Commands,
  type CommandsMap,
  type FollowedParams,
  type FollowParams,
  Requests,
  type RequestsMap,
  ServerRequests,
} from "../protocol";
import { ForgeClient } from "./client";
import { missingParts } from "./compiledParts";
import { Crashes } from "./crashes";
import { asForgeError, DaemonUnavailable, ForgeError } from "./errors";
import { Follows, follow } from "./follows";
import type { Daemon, DaemonState, RequestOptions } from "./index";
import { findInterpreter, NoInterpreter } from "./python";

const CONNECTION_LOST: readonly number[] = [
  ErrorCodes.PendingResponseRejected,
  ErrorCodes.ConnectionInactive,
  ErrorCodes.MessageWriteError,
];
const LOSS_NOTICED_WITHIN_MS = 5000;
/** As many as Linux follows. */
const MOST_LINKS = 40;
const GIVEN_UP = "The Forge daemon ended too often and stays stopped.";

/** Keeps one daemon running, process after process. */
export class LanguageServerDaemon implements Daemon, vscode.Disposable {
  private current: Promise<ForgeClient> | undefined;
  private currentState: DaemonState = { kind: "stopped", reason: "It was not started yet." };
  private readonly stateChanged = new vscode.EventEmitter<DaemonState>();
  private readonly read = new vscode.EventEmitter<void>();
  private readonly crashes = new Crashes();
  private readonly otherFolders = new Map<string, { folder: WorkspaceFolder; users: number }>();
  private readonly follows = new Follows();
  private tokens = 0;
  private disposed = false;

  readonly onDidChangeState = this.stateChanged.event;
  readonly onDidRead = this.read.event;

  constructor(
    private readonly packages: string,
    private readonly log: vscode.LogOutputChannel,
    private readonly onFailure: (error: Error) => unknown,
  ) {}

  get state(): DaemonState {
    return this.currentState;
  }

  start(): void {
    this.use(this.launched());
  }

  /** Requests made meanwhile wait for the new process. */
  async restart(): Promise<void> {
    const previous = this.current;
    this.change({ kind: "starting" });
    this.use(this.end(previous).then(() => this.launched()));
    this.crashes.forget();
    await this.current;
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    this.follows.end();
    await this.end(this.current);
    this.stateChanged.dispose();
    this.read.dispose();
  }

  request<M extends keyof RequestsMap>(
    method: M,
    params: RequestsMap[M]["params"],
    options?: RequestOptions,
  ): Promise<RequestsMap[M]["result"]> {
    return this.ask<RequestsMap[M]["result"]>(method, params, options).finally(() => this.read.fire());
  }

  command<C extends keyof CommandsMap>(
    command: C,
    argument: CommandsMap[C]["params"],
    options?: RequestOptions,
  ): Promise<CommandsMap[C]["result"]> {
    const params = { command, arguments: [argument] };
    return this.ask<CommandsMap[C]["result"]>(ExecuteCommandRequest.method, params, options).finally(() => {
      if (command === Commands.toolsCall || command === Commands.cacheClear) this.read.fire();
    });
  }

  follow(params: FollowParams, options?: RequestOptions): AsyncIterable<FollowedParams> {
    return follow(this, this.follows, params, options);
  }

  async openDirectoryOf(file: vscode.Uri): Promise<vscode.Disposable> {
    const opened = (await directoriesOutside(file)).map((path) => this.openDirectory(path));
    return vscode.Disposable.from(...(await Promise.all(opened)));
  }

  private async openDirectory(path: string): Promise<vscode.Disposable> {
    const directory = vscode.Uri.file(path);
    const uri = directory.toString();
    const open = this.otherFolders.get(uri) ?? {
      folder: { uri, name: basename(directory.fsPath) },
      users: 0,
    };
    this.otherFolders.set(uri, open);
    open.users += 1;
    if (open.users === 1) await this.changeFolders([open.folder], []);
    return new vscode.Disposable(() => {
      open.users -= 1;
      if (open.users > 0) return;
      this.otherFolders.delete(uri);
      void this.changeFolders([], [open.folder]);
    });
  }

  private async changeFolders(added: WorkspaceFolder[], removed: WorkspaceFolder[]): Promise<void> {
    // A daemon that is starting learns of every folder anyway; being told twice does no harm.
    const client = await this.running().catch(() => undefined);
    await client?.sendNotification(DidChangeWorkspaceFoldersNotification.type, { event: { added, removed } });
  }

  private async ask<R>(method: string, params: object, options: RequestOptions = {}): Promise<R> {
    const isCancelled = () => options.token?.isCancellationRequested === true;
    try {
      const answer = await this.askRunning<R>(method, params, options);
      // The daemon may have answered before it heard of the cancellation. A follow that has begun is to be left.
      if (isCancelled() && method !== Requests.follow) throw new vscode.CancellationError();
      return answer;
    } catch (error) {
      const said = asForgeError(error);
      const wasCancelled = isCancelled() || (said instanceof ForgeError && said.code === "CANCELLED");
      throw wasCancelled ? new vscode.CancellationError() : said;
    }
  }

  /** Reads change nothing, so a request that a crash left unanswered is sent once more. */
  private async askRunning<R>(method: string, params: object, options: RequestOptions): Promise<R> {
    const asked = this.running();
    const client = await asked;
    try {
      return await this.askOnce(client, method, params, options);
    } catch (error) {
      if (!isConnectionLost(error, client)) throw error;
      await this.replaced(asked);
      return await this.askOnce(await this.running(), method, params, options);
    }
  }

  private async askOnce<R>(
    client: ForgeClient,
    method: string,
    params: object,
    { token, onProgress }: RequestOptions,
  ): Promise<R> {
    const cancellation = token ? [token] : [];
    if (!onProgress) return await client.sendRequest<R>(method, params, ...cancellation);
    this.tokens += 1;
    const workDoneToken = `forge-${this.tokens}`;
    const listening = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind !== "end") onProgress({ percentage: value.percentage ?? 0, message: value.message });
    });
    try {
      return await client.sendRequest<R>(method, { ...params, workDoneToken }, ...cancellation);
    } finally {
      listening.dispose();
    }
  }

  /** Waits for the crash to be reported: a failed write may notice it first. */
  private async replaced(lost: Promise<ForgeClient>): Promise<void> {
    if (this.current !== lost) return;
    await new Promise<void>((noticed) => {
      const listening = this.onDidChangeState(() => done());
      const timer = setTimeout(() => done(), LOSS_NOTICED_WITHIN_MS);
      const done = () => {
        listening.dispose();
        clearTimeout(timer);
        noticed();
      };
    });
  }

  private running(): Promise<ForgeClient> {
    return this.current ?? Promise.reject(new DaemonUnavailable("Forge was not started."));
  }

  /** A failure to start rejects the requests made meanwhile; there may be none. */
  private use(next: Promise<ForgeClient>): void {
    this.current = next;
    next.catch(() => undefined);
  }

  private async end(launched: Promise<ForgeClient> | undefined): Promise<void> {
    const client = await launched?.catch(() => undefined);
    await client?.stop().catch((error) => this.log.warn("stopping the daemon:", error));
    await client?.dispose();
  }

  private async launched(): Promise<ForgeClient> {
    this.change({ kind: "starting" });
    for (;;) {
      try {
        return await this.launchedOnce();
      } catch (error) {
        this.log.error(error instanceof Error ? error.message : String(error));
        if (error instanceof NoInterpreter) throw this.failed(error);
        if (this.disposed || !this.crashes.mayRestart()) throw this.failed(new Error(GIVEN_UP));
      }
    }
  }

  private async launchedOnce(): Promise<ForgeClient> {
    const interpreter = await findInterpreter();
    this.log.info(`Python ${interpreter.version} from ${interpreter.origin}: ${interpreter.command}`);
    const client: ForgeClient = new ForgeClient({
      interpreter,
      packages: this.packages,
      log: this.log,
      otherFolders: () => [...this.otherFolders.values()].map(({ folder }) => folder),
      onCrash: () => this.crashed(client),
    });
    this.follows.end();
    client.onRequest(ServerRequests.followed, (event: FollowedParams) => this.follows.receive(event));
    const [missing] = await Promise.all([missingParts(interpreter, this.packages), client.start()]);
    if (!client.isRunning()) throw new Error("The daemon ended right after it had started.");
    this.change({ kind: "running", interpreter, pid: client.pid, missing });
    return client;
  }

  /** A crash during the start is handled by `launched`. */
  private crashed(client: ForgeClient): void {
    if (this.disposed || this.state.kind !== "running" || this.state.pid !== client.pid) return;
    this.log.warn("The daemon ended unexpectedly.");
    if (this.crashes.mayRestart()) {
      this.start();
    } else {
      this.use(Promise.reject(this.failed(new Error(GIVEN_UP))));
    }
  }

  private failed(error: Error): DaemonUnavailable {
    this.change({ kind: "stopped", reason: error.message });
    this.onFailure(error);
    return new DaemonUnavailable(error.message, { cause: error });
  }

  private change(state: DaemonState): void {
    this.currentState = state;
    if (!this.disposed) this.stateChanged.fire(state);
  }
}

/** Those outside every workspace folder that must be open for a file to be read: its own, and those that links lead through. */
async function directoriesOutside({ fsPath }: vscode.Uri): Promise<string[]> {
  const real = (path: string) => realpath(path).catch(() => path);
  const paths = [fsPath, ...(await linksFrom(fsPath)), await real(fsPath)];
  const open = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const outside: string[] = [];
  for (const directory of paths.map(dirname)) {
    const ways = [...open, ...(await Promise.all(open.map(real)))].map((folder) =>
      relative(folder, directory),
    );
    if (ways.every((way) => isAbsolute(way) || way.split(sep)[0] === "..")) {
      outside.push(directory);
      open.push(directory);
    }
  }
  return outside;
}

/** What a link leads to, and what that leads to if it is a link itself. */
async function linksFrom(path: string): Promise<string[]> {
  const paths: string[] = [];
  for (let at = path; paths.length < MOST_LINKS; paths.push(at)) {
    const target = await readlink(at).catch(() => undefined);
    if (target === undefined) break;
    at = resolve(dirname(at), target);
  }
  return paths;
}

/** A client that is stopped during a request rejects it with a plain `Error`. */
function isConnectionLost(error: unknown, client: ForgeClient): boolean {
  if (error instanceof ResponseError) return CONNECTION_LOST.includes(error.code);
  return error instanceof ConnectionError || !client.isRunning();
}
