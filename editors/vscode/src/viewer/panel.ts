import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { chooseInterpreter } from "../failure";
import { Requests } from "../protocol";
import { COPY_LIMIT, textOf } from "./copying";
import { failureOf, sentence } from "./failure";
import type { FileMemory } from "./fileMemory";
import { lineAtTime } from "./goToTime";
import type {
  Change,
  Direction,
  FromPage,
  HighlightRule,
  LinkTarget,
  Place,
  Recovery,
  Selected,
  TextRange,
  ToPage,
  Total,
  ViewerCommand,
} from "./messages";
import { nextError } from "./nextError";
import { formatBytes } from "./numbers";
import { openLink } from "./openLink";
import { pageOf } from "./page";
import { FileChanged, type TextFormat } from "./snapshot";
import type { Time } from "./times";
import type { ViewedFile } from "./viewedFile";

const CHANGES: Record<Change, string> = {
  rewritten: "changed on disk and was read again.",
  truncated: "was truncated. Its lines start at 1 again.",
  replaced: "was replaced by another file of that name, as log rotation does. Its lines start at 1 again.",
};
const START: Place = { top: 1, line: 1, column: 0, left: 0 };

/** What the status bar shows of a viewer. */
export interface Known {
  total: Total;
  byteLength: number;
  line: number;
  column: number;
  selected: Selected | null;
  text: TextFormat;
  following: boolean;
}

/** One viewer in one tab: answers its page. */
export class ViewerPanel {
  private place: Place;
  private total: Total | undefined;
  private text: TextFormat = { encoding: "", eol: "none" };
  private byteLength = 0;
  private selected: Selected | null = null;
  private following = false;
  private failed = false;
  private searching: vscode.CancellationTokenSource | undefined;
  private readonly disposables: vscode.Disposable[] = [];
  private readonly moved = new vscode.EventEmitter<void>();
  /** What the status bar shows has changed. */
  readonly onDidMove = this.moved.event;

  constructor(
    readonly panel: vscode.WebviewPanel,
    readonly file: ViewedFile,
    private readonly daemon: Daemon,
    private readonly memory: { places: FileMemory<Place>; bookmarks: FileMemory<number[]> },
    extensionUri: vscode.Uri,
  ) {
    this.place = { ...START, ...memory.places.of(file.uri) };
    const { webview } = panel;
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist")],
    };
    this.disposables.push(
      this.moved,
      webview.onDidReceiveMessage((message: FromPage) => this.answer(message)),
      panel.onDidChangeViewState(() => this.viewStateChanged()),
      panel.onDidDispose(() => this.dispose()),
      file.onDidProgress((percentage) => this.post({ type: "counting", percentage })),
      file.onDidCount((total) => this.counted(total)),
      file.onDidChange(({ total, change }) => this.changed(total, change)),
      file.onDidDisappear((gone) => this.disappeared(gone)),
      daemon.onDidChangeState(({ kind }) => this.failed && kind === "running" && this.open(null)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("forge.viewer.highlights")) this.sendHighlights();
      }),
    );
    file.setShown(this, panel.visible);
    webview.html = pageOf(webview, extensionUri);
  }

  /** What is known of the file; undefined until it has been read. */
  get known(): Known | undefined {
    const { total, byteLength, place, selected, text } = this;
    const { column } = place;
    const line = Math.min(place.line, total?.lines ?? 0);
    return total && { total, byteLength, line, column, selected, text, following: this.following };
  }

  goTo(line: number): void {
    this.post({ type: "goTo", line });
  }

  /** Goes to the first line at or after a time, in a file whose lines begin with time stamps. */
  async goToTime(typed: { text: string; time: Time }): Promise<void> {
    const options = { location: vscode.ProgressLocation.Window, title: `Looking for ${typed.text}` };
    await this.guarded(async () => {
      const found = await vscode.window.withProgress(options, async () => {
        await this.file.count();
        return await this.file.read((snapshot) => {
          const file = { name: this.file.name, total: snapshot.total.lines };
          const read = (first: number, count: number) => snapshot.texts(first, count);
          return lineAtTime(read, file, typed, this.place.line);
        });
      });
      this.post({ type: "foundLine", ...found });
    });
  }

  run(command: ViewerCommand): void {
    this.post({ type: "command", command });
  }

  private async answer(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        return this.open(message.place);
      case "rows":
        return this.sendRows(message.first, message.count, message.column, message.width);
      case "moved":
        this.selected = message.selected;
        this.following = message.following;
        return this.moveTo(message.place);
      case "find":
        return this.find(message);
      case "stopFinding":
        return this.searching?.cancel();
      case "copy":
        return this.copy(message.range, message.numbered);
      case "copyPath":
        return this.copyPath(message.line);
      case "findError":
        return this.findError(message.direction, message.line);
      case "openLink":
        return this.openLink(message.target);
      case "bookmarks":
        return this.memory.bookmarks.remember(this.file.uri, message.lines);
      case "recovery":
        return this.recover(message.recovery);
    }
  }

  private async open(place: Place | null): Promise<void> {
    this.place = place ?? this.place;
    await this.guarded(async () => {
      const { total, byteLength, text } = await this.file.read(async (snapshot) => snapshot);
      const tabSize = vscode.workspace.getConfiguration("editor", this.file.uri).get("tabSize", 4);
      this.total = total;
      this.byteLength = byteLength;
      this.text = text;
      this.failed = false;
      const bookmarks = this.memory.bookmarks.of(this.file.uri) ?? [];
      const settings = vscode.workspace.getConfiguration("forge.viewer", this.file.uri);
      const follow = settings.get<"auto" | "manual">("follow", "auto");
      const { name } = this.file;
      this.post({ type: "opened", name, total, place: this.place, tabSize, bookmarks, follow });
      this.sendHighlights();
      this.moved.fire();
    });
  }

  private async sendRows(first: number, count: number, column: number, width: number): Promise<void> {
    await this.guarded(async () => {
      const [rows, total] = await this.file.read(
        async (snapshot) => [await snapshot.rows(first, count, column, width), snapshot.total] as const,
      );
      this.post({ type: "rows", first, column, rows });
      if (total.exact && this.total?.exact === false) {
        this.counted(total); // the end of the file was seen before its lines were counted
      }
      await this.file.count();
    });
  }

  private moveTo(place: Place): void {
    this.place = place;
    this.memory.places.remember(this.file.uri, place);
    this.moved.fire();
  }

  private counted(total: Total): void {
    this.total = total;
    this.post({ type: "total", total });
    this.moved.fire();
  }

  private sendHighlights(): void {
    const settings = vscode.workspace.getConfiguration("forge.viewer");
    this.post({ type: "highlights", rules: settings.get<HighlightRule[]>("highlights", []) });
  }

  private disappeared(gone: boolean): void {
    const text = `${this.file.name} was deleted or moved. What has been read of it stays here.`;
    this.post({ type: "banner", text: gone ? text : null });
  }

  private changed(total: Total, change: Change): void {
    this.total = total;
    this.post({ type: "changed", total, change, note: `${this.file.name} ${CHANGES[change]}` });
    this.moved.fire();
  }

  /** The page numbers its searches, and knows which answer it still waits for. */
  private async find({ search, query, direction, from }: FromPage & { type: "find" }): Promise<void> {
    this.searching?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.searching = source;
    const options = {
      token: source.token,
      onProgress: ({ percentage }: { percentage: number }) =>
        this.post({ type: "finding", search, percentage }),
    };
    try {
      const found = await this.file.read((snapshot) =>
        snapshot.find(
          (params) => this.daemon.request(Requests.find, params, options),
          query,
          direction,
          from,
        ),
      );
      this.post({ type: "found", search, ...found });
    } catch (error) {
      this.post({ type: "findFailed", search, message: findFailure(error) });
    } finally {
      source.dispose();
    }
  }

  /** The next or previous line of level error or fatal, around the ends of the file. */
  private async findError(direction: Direction, line: number): Promise<void> {
    this.searching?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.searching = source;
    try {
      const found = await this.file.read((snapshot) =>
        nextError(
          (params) =>
            this.daemon.request(Requests.find, params, { token: source.token, onProgress: () => {} }),
          { path: this.file.path, source: "disk" },
          direction,
          line,
          snapshot.total,
        ),
      );
      this.post({ type: "foundLine", ...found });
    } catch (error) {
      this.post({ type: "foundLine", line: null, note: findFailure(error) });
    } finally {
      source.dispose();
    }
  }

  private async copyPath(line: number): Promise<void> {
    await vscode.env.clipboard.writeText(`${vscode.workspace.asRelativePath(this.file.uri)}:${line}`);
    vscode.window.setStatusBarMessage("Copied the path with its line", 3000);
  }

  private async openLink(target: LinkTarget): Promise<void> {
    try {
      await openLink(target, this.file.uri);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }

  private async copy(range: TextRange, numbered: boolean): Promise<void> {
    try {
      const copied = await textOf(this.daemon, this.file.path, range, numbered);
      const all = "Copy the Beginning";
      const question = `The selection is larger than ${formatBytes(COPY_LIMIT)}, the most that can be copied.`;
      if (!copied.cut || (await vscode.window.showWarningMessage(question, all)) === all) {
        await vscode.env.clipboard.writeText(copied.text);
        vscode.window.setStatusBarMessage(`Copied ${formatBytes(Buffer.byteLength(copied.text))}`, 3000);
      }
    } catch (error) {
      void vscode.window.showErrorMessage(`Not copied: ${failureOf(error, this.file.name).message}`);
    }
  }

  private async recover(recovery: Recovery): Promise<void> {
    switch (recovery) {
      case "retry":
        return this.open(null);
      case "reopenWith":
        await vscode.commands.executeCommand("workbench.action.reopenWithEditor");
        return;
      case "showLog":
        await vscode.commands.executeCommand("forge.showLog");
        return;
      case "chooseInterpreter":
        return chooseInterpreter();
    }
  }

  private viewStateChanged(): void {
    this.file.setShown(this, this.panel.visible);
    if (this.panel.active) {
      void this.guarded(() => this.file.check());
    }
    this.moved.fire();
  }

  /** A changed file announces itself to every viewer; anything else is shown in this one. */
  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const gone = error instanceof ForgeError && error.code === "NOT_FOUND" && this.total !== undefined;
      if (gone) {
        this.disappeared(true);
      } else if (!(error instanceof FileChanged) && !(error instanceof vscode.CancellationError)) {
        this.failed = true;
        this.post({ type: "failed", ...failureOf(error, this.file.name) });
      }
    }
  }

  private post(message: ToPage): void {
    void this.panel.webview.postMessage(message);
  }

  private dispose(): void {
    this.searching?.cancel();
    this.file.setShown(this, false);
    vscode.Disposable.from(...this.disposables).dispose();
  }
}

function findFailure(error: unknown): string {
  if (error instanceof vscode.CancellationError) {
    return "Stopped";
  }
  if (error instanceof FileChanged) {
    return "The file changed";
  }
  return error instanceof ForgeError ? sentence(error) : String(error);
}
