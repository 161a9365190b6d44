import { type ChildProcess, spawn } from "node:child_process";
import { devNull, homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  type InitializeParams,
  LanguageClient,
  type WorkspaceFolder,
} from "vscode-languageclient/node";
import type { Interpreter } from "./python";
import { daemonSettings } from "./settings";

const STOPS_WITHIN_MS = 2000;

/** How to start a client. */
export interface Launch {
  readonly interpreter: Interpreter;
  /** The folder that holds the daemon's Python packages. */
  readonly packages: string;
  readonly log: vscode.LogOutputChannel;
  /** Folders opened in addition to the workspace's own. */
  readonly otherFolders: () => WorkspaceFolder[];
  /** The process ended without being asked to. */
  readonly onCrash: () => void;
}

/** One daemon process and the connection to it. Never restarted: the next process gets a new client. */
export class ForgeClient extends LanguageClient {
  private process: ChildProcess | undefined;
  private readonly encodingsWatch = vscode.workspace.onDidChangeConfiguration((change) => {
    const concerned = ["files.encoding", "files.candidateGuessEncodings"];
    if (this.isRunning() && concerned.some((key) => change.affectsConfiguration(key))) {
      // The daemon asks for what it is interested in.
      void this.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    }
  });

  constructor(private readonly launch: Launch) {
    super("forge", "Forge", async () => this.spawn(), {
      documentSelector: [{ scheme: "file" }],
      outputChannel: launch.log,
      initializationOptions: daemonSettings,
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.encodingsWatch.dispose();
          launch.onCrash();
          return { action: CloseAction.DoNotRestart, handled: true, message: "The daemon has ended." };
        },
      },
      middleware: {
        workspace: { configuration: (params) => params.items.map(() => daemonSettings()) },
      },
    });
  }

  get pid(): number {
    return this.process?.pid ?? 0;
  }

  /** Kills a process that hangs. Its pending requests then fail as after a crash and are sent again. */
  override async stop(): Promise<void> {
    this.encodingsWatch.dispose();
    const impatience = setTimeout(() => this.process?.kill("SIGKILL"), STOPS_WITHIN_MS);
    try {
      await super.stop(2 * STOPS_WITHIN_MS);
    } finally {
      clearTimeout(impatience);
      this.process?.kill();
    }
  }

  /** Logged only: `onFailure` shows one message, with buttons that help. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    params.workspaceFolders = [...(params.workspaceFolders ?? []), ...this.launch.otherFolders()];
  }

  /** Isolated: no code from PYTHONPATH, the current directory or site-packages is imported. */
  private async spawn(): Promise<ChildProcess> {
    const { interpreter, packages } = this.launch;
    const logging = ["--log-level", "info", "--log-file", devNull];
    const args = [...interpreter.args, "-I", "-S", packages, "serve", ...logging];
    const child = spawn(interpreter.command, args, { cwd: homedir(), windowsHide: true });
    this.process = child;
    await new Promise<void>((started, failed) => child.once("spawn", started).once("error", failed));
    return child;
  }
}
