import { unwatchFile, watchFile } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { type ErrorCode, Requests } from "../protocol";
import { encodingOf } from "./encodingSettings";
import type { FileMemory } from "./fileMemory";
import type { Change, Total } from "./messages";
import { FileChanged, type FileToRead, Snapshot } from "./snapshot";

/** How often the file's size and times are compared: watchers are silent on what a link leads to, and on some file systems. */
const POLL_MS = 1000;
/** Writes come in bursts: a change is looked at when this has passed. */
const SETTLE_MS = 500;
/** A growing log is counted for a fifth of the time at most. */
const REST_PER_COUNT = 4;

interface Count {
  cancellation: vscode.CancellationTokenSource;
  done: Promise<void>;
}

/** A file open in one or more viewers: its current snapshot, the counting of its lines, the watch for changes. */
export class ViewedFile implements vscode.CustomDocument {
  readonly name: string;
  private current: Promise<Snapshot> | undefined;
  /** Tells the file of the current snapshot from another of the same name. */
  private inode: bigint | undefined;
  private counting: Count | undefined;
  private restUntil = 0;
  private checkTimer: NodeJS.Timeout | undefined;
  private readonly showing = new Set<object>();
  private readonly changed = new vscode.EventEmitter<{ snapshot: Snapshot; change: Change; old: Snapshot }>();
  private readonly disappeared = new vscode.EventEmitter<boolean>();
  private gone = false;
  private readonly progressed = new vscode.EventEmitter<number>();
  private readonly counted = new vscode.EventEmitter<Total>();
  readonly onDidChange = this.changed.event;
  /** True: the file is not there any more; false: it is back. */
  readonly onDidDisappear = this.disappeared.event;
  /** Percentage of the lines' counting. */
  readonly onDidProgress = this.progressed.event;
  readonly onDidCount = this.counted.event;
  private readonly damaged = new vscode.EventEmitter<void>();
  /** Why a compressed text ends early; undefined where it does not. */
  damage: string | undefined;
  readonly onDidChangeDamage = this.damaged.event;
  /** What the current snapshot is read in, as it was asked for. */
  private encoding = "auto";

  private constructor(
    /** Of a rotated set, the newest file. */
    readonly uri: vscode.Uri,
    /** With its rotated files, as one text. */
    readonly isRotated: boolean,
    private readonly daemon: Daemon,
    private readonly chosenEncodings: FileMemory<string>,
    private readonly disposables: vscode.Disposable[],
  ) {
    this.name = basename(uri.path);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, ".."), escapeGlob(this.name));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const look = () => this.checkLater();
    disposables.push(
      watcher,
      watcher.onDidChange(look),
      watcher.onDidCreate(look),
      watcher.onDidDelete(look),
      new vscode.Disposable(() => unwatchFile(uri.fsPath, look)),
    );
    watchFile(uri.fsPath, { interval: POLL_MS, persistent: false }, look);
    disposables.push(vscode.workspace.onDidChangeConfiguration((change) => this.settingsChanged(change)));
    disposables.push(this.changed, this.disappeared, this.progressed, this.counted, this.damaged);
  }

  /** Opening a file is the user's act: its directory may be read from now on. */
  static async open(
    uri: vscode.Uri,
    daemon: Daemon,
    chosenEncodings: FileMemory<string>,
    isRotated = false,
  ): Promise<ViewedFile> {
    return new ViewedFile(uri, isRotated, daemon, chosenEncodings, [await daemon.openDirectoryOf(uri)]);
  }

  get path(): string {
    return this.uri.toString();
  }

  /** What places and marks are kept under: with the rotated files the lines have other numbers. */
  get memoryKey(): vscode.Uri {
    return this.isRotated ? this.uri.with({ query: "rotated" }) : this.uri;
  }

  /** What is sent with every request about the file. */
  get toRead(): FileToRead {
    return { path: this.path, encoding: this.encoding, ...(this.isRotated && { rotated: true }) };
  }

  /** The user chose what it is read in, now or earlier. */
  get hasChosenEncoding(): boolean {
    return this.chosenEncodings.of(this.uri) !== undefined;
  }

  /** Reads the file again in another encoding; undefined: as the settings and the file itself say. */
  async reopenWith(encoding: string | undefined): Promise<void> {
    this.chosenEncodings.remember(this.uri, encoding);
    await this.renew(await this.snapshot(), "reencoded");
  }

  /** Another `files.encoding` counts at once, unless the file tells its own or the user chose one for it. */
  private async settingsChanged(change: vscode.ConfigurationChangeEvent): Promise<void> {
    if (change.affectsConfiguration("files") && this.current !== undefined) {
      const snapshot = await this.current.catch(() => undefined);
      const wanted = this.chosenEncodings.of(this.uri) ?? encodingOf(this.uri) ?? "auto";
      if (snapshot !== undefined && !snapshot.text.bom && wanted !== this.encoding) {
        await this.renew(snapshot, "reencoded").catch(() => undefined); // the next read reports it
      }
    }
  }

  /** Runs on the current snapshot. Where the file turns out to have changed, a new one is taken and `FileChanged` thrown. */
  async read<Result>(work: (snapshot: Snapshot) => Promise<Result>): Promise<Result> {
    const snapshot = await this.snapshot();
    try {
      const result = await work(snapshot);
      if (snapshot.isGrown) {
        this.checkLater();
      }
      return result;
    } catch (error) {
      const isChanged = error instanceof FileChanged || hasCode(error, "CONTENT_MODIFIED");
      const problem = isChanged ? await this.noticed(snapshot) : error;
      if (hasCode(problem, "NOT_FOUND")) {
        this.setGone(true);
      }
      throw problem;
    }
  }

  /** What to report where the file has changed. */
  private async noticed(outdated: Snapshot): Promise<unknown> {
    return await this.renew(outdated).then(
      () => new FileChanged(),
      (error: unknown) => error,
    );
  }

  async check(): Promise<void> {
    await this.read(async (snapshot) => {
      await snapshot.refresh();
      this.setGone(false);
    });
    if ((await this.snapshot()).isGrown) {
      await this.count();
    }
  }

  private setGone(gone: boolean): void {
    if (gone !== this.gone) {
      this.gone = gone;
      this.disappeared.fire(gone);
    }
  }

  /** Counts the lines unless that is done; joins a count under way. */
  async count(): Promise<void> {
    const { total, isGrown } = await this.snapshot();
    if (!total.exact || isGrown) {
      this.counting ??= this.startCount();
      await this.counting.done;
    }
  }

  /** Changes are checked for while a viewer of the file is visible. */
  setShown(viewer: object, shown: boolean): void {
    if (shown) {
      this.showing.add(viewer);
    } else {
      this.showing.delete(viewer);
    }
  }

  dispose(): void {
    clearTimeout(this.checkTimer);
    this.counting?.cancellation.cancel();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private startCount(): Count {
    const cancellation = new vscode.CancellationTokenSource();
    const count: Count = { cancellation, done: this.countWith(cancellation.token) };
    const ended = () => {
      cancellation.dispose();
      if (this.counting === count) {
        this.counting = undefined;
      }
    };
    count.done.then(ended, ended);
    return count;
  }

  private async countWith(token: vscode.CancellationToken): Promise<void> {
    const started = Date.now();
    const onProgress = (progress: { percentage: number }) => this.progressed.fire(progress.percentage);
    const { file } = await this.snapshot();
    const total = await this.daemon.request(Requests.countLines, file, { token, onProgress }).then(
      (result) => {
        this.setDamage(undefined);
        return this.read((current) => current.counted(result));
      },
      (error: unknown) => this.countedUpToDamage(error),
    );
    this.restUntil = Date.now() + REST_PER_COUNT * (Date.now() - started);
    this.counted.fire(total);
  }

  /** A compressed text that is damaged, or that ends early, has the lines up to there. */
  private async countedUpToDamage(error: unknown): Promise<Total> {
    if (!hasCode(error, "INTERNAL") || !(await this.snapshot()).text.compression) {
      throw error;
    }
    const total = await this.read((current) => current.countedUpToDamage());
    this.setDamage(error.data.reason);
    return total;
  }

  private setDamage(damage: string | undefined): void {
    if (damage !== this.damage) {
      this.damage = damage;
      this.damaged.fire();
    }
  }

  private snapshot(): Promise<Snapshot> {
    this.current ??= this.take();
    return this.current;
  }

  /** Where the file is gone, the one before stays: by it the change is noticed once there is a file again. */
  private take(before?: Promise<Snapshot>): Promise<Snapshot> {
    const snapshot = this.openSnapshot();
    snapshot.catch((error: unknown) => {
      if (this.current === snapshot) {
        this.current = hasCode(error, "NOT_FOUND") ? before : undefined;
      }
    });
    return snapshot;
  }

  /** As VS Code does: what the user chose, else a byte order mark, else what the settings say. */
  private async openSnapshot(): Promise<Snapshot> {
    this.inode = await stat(this.uri.fsPath, { bigint: true }).then(
      ({ ino }) => ino,
      () => undefined, // the read tells why
    );
    const open = (encoding: string) => {
      this.encoding = encoding;
      return Snapshot.open(this.daemon, this.toRead);
    };
    const chosen = this.chosenEncodings.of(this.uri);
    if (chosen !== undefined) {
      return await open(chosen);
    }
    const set = encodingOf(this.uri);
    const found = set === null ? open("auto") : open("auto").catch(() => null);
    const automatic = await found;
    return automatic !== null && (set === null || automatic.text.bom) ? automatic : await open(set ?? "auto");
  }

  private async renew(outdated: Snapshot, change?: Change): Promise<void> {
    const { current } = this;
    if (current === undefined || (await current) !== outdated || this.current !== current) {
      return; // another read has noticed it, too
    }
    const { inode } = this;
    this.counting?.cancellation.cancel();
    this.counting = undefined;
    this.current = this.take(current);
    const snapshot = await this.current;
    this.setGone(false);
    const isSame = this.inode === inode;
    const shorter = isSame ? "truncated" : "replaced";
    const other = snapshot.byteLength < outdated.byteLength ? shorter : "rewritten";
    const seen = this.isRotated && !isSame ? "rotated" : other;
    this.changed.fire({ snapshot, change: change ?? seen, old: outdated });
  }

  private checkLater(): void {
    if (this.checkTimer !== undefined || this.showing.size === 0) {
      return;
    }
    this.checkTimer = setTimeout(
      () => {
        this.checkTimer = undefined;
        this.check().catch(() => undefined); // the next read reports it
      },
      Math.max(SETTLE_MS, this.restUntil - Date.now()),
    );
  }
}

function hasCode(error: unknown, code: ErrorCode): error is ForgeError {
  return error instanceof ForgeError && error.code === code;
}

function escapeGlob(name: string): string {
  return name.replace(/[[\]{}?*!]/g, (character) => `[${character}]`);
}
