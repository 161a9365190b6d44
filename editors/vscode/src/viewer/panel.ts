import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { chooseInterpreter } from "../failure";
import { COPY_LIMIT, textOf } from "./copying";
import { shortName } from "./encodings";
import { failureOf } from "./failure";
import { Filtering } from "./filtering";
import { lineAtTime } from "./goToTime";
import type {
  Change,
  FromPage,
  HighlightRule,
  LineFilter,
  LinkTarget,
  Place,
  Recovery,
  Selected,
  ToPage,
  Total,
  ViewerCommand,
} from "./messages";
import { formatBytes } from "./numbers";
import { openLink } from "./openLink";
import { pageOf } from "./page";
import { Searching } from "./searching";
import { FileChanged, type TextFormat } from "./snapshot";
import type { Time } from "./times";
import type { ViewedFile } from "./viewedFile";
import type { ViewerMemory } from "./viewerMemory";

const CHANGES: Record<Change, string> = {
  rewritten: "changed on disk and was read again.",
  truncated: "was truncated. Its lines start at 1 again.",
  replaced: "was replaced by another file of that name, as log rotation does. Its lines start at 1 again.",
  reencoded: "is read in another encoding.",
};
const START: Place = { top: 1, line: 1, column: 0, left: 0 };

/** What the status bar shows of a viewer. */
export interface Known {
  total: Total;
  byteLength: number;
  line: number;
  column: number;
  selected: Selected | null;
  text: TextFormat | undefined;
  following: boolean;
  /** How many lines the filters let through; null where all are shown. */
  shown: Total | null;
}

/** One viewer in one tab: answers its page. */
export class ViewerPanel {
  private place: Place;
  private total: Total | undefined;
  private text: TextFormat | undefined;
  private byteLength = 0;
  private selected: Selected | null = null;
  private following = false;
  private failed = false;
  private readonly filtering: Filtering;
  private readonly searching: Searching;
  private readonly disposables: vscode.Disposable[] = [];
  private readonly moved = new vscode.EventEmitter<void>();
  /** What the status bar shows has changed. */
  readonly onDidMove = this.moved.event;

  constructor(
    readonly panel: vscode.WebviewPanel,
    readonly file: ViewedFile,
    private readonly daemon: Daemon,
    private readonly memory: ViewerMemory,
    extensionUri: vscode.Uri,
  ) {
    this.place = { ...START, ...memory.places.of(file.uri) };
    const { webview } = panel;
    const post = (message: ToPage) => this.post(message);
    this.filtering = new Filtering(daemon, file, post);
    this.searching = new Searching(daemon, file, () => this.filtering.filtered, post);
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist")],
    };
    this.disposables.push(
      this.moved,
      this.filtering,
      this.searching,
      webview.onDidReceiveMessage((message: FromPage) => this.answer(message)),
      panel.onDidChangeViewState(() => this.viewStateChanged()),
      panel.onDidDispose(() => this.dispose()),
      file.onDidProgress((percentage) => this.post({ type: "counting", percentage })),
      file.onDidCount((total) => this.counted(total)),
      file.onDidChange(({ total, change }) => this.changed(total, change)),
      file.onDidDisappear((gone) => this.post({ type: "gone", gone })),
      file.onDidChangeDamage(() => this.tellDamage()),
      file.onDidBookmark(() => this.bookmarked()),
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
    const shown = this.filtering.filtered?.snapshot.total ?? null;
    return total && { total, byteLength, line, column, selected, text, following: this.following, shown };
  }

  /** Goes to a line of the file, or the first one after it that is shown. */
  async goTo(line: number): Promise<void> {
    await this.guarded(async () => {
      this.post({ type: "goTo", line: await this.filtering.rowOf(line) });
    });
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
      await this.goToFound(found);
    });
  }

  private async goToFound({ line, note }: { line: number | null; note: string }): Promise<void> {
    const row = line && (await this.filtering.rowOf(line).catch(() => null)); // the filter may be another by now
    this.post({ type: "foundLine", line: row, number: row && line, note });
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
        return this.moveTo(message.place, message.number);
      case "filter":
        return this.filter(message.filters, message.line);
      case "keepFilters":
        return this.memory.filters.set(message.filters);
      case "askFilters":
        return this.post({ type: "filters", filters: this.memory.filters.get() });
      case "reveal":
        return this.goTo(message.line);
      case "find":
        return this.searching.find(message);
      case "stopFinding":
        return this.searching.stop();
      case "searched":
        return this.memory.searches.set(message.history);
      case "filtered":
        return this.memory.filtered.set(message.history);
      case "forgetMatches":
        return this.searching.forgetMatches();
      case "copy":
        return this.copy(message);
      case "findLineEnd":
        return this.findLineEnd(message.line);
      case "copyPath":
        return this.copyPath(message.line);
      case "findError":
        return this.goToFound(await this.searching.findError(message.direction, message.line));
      case "openLink":
        return this.openLink(message.target);
      case "toggleBookmark":
        return this.toggleBookmark(message.line);
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
      const { bookmarks } = this;
      const settings = vscode.workspace.getConfiguration("forge.viewer", this.file.uri);
      const follow = settings.get<"auto" | "manual">("follow", "auto");
      const { name } = this.file;
      const history = this.memory.searches.get();
      const filterHistory = this.memory.filtered.get();
      const showing = this.filtering.reset(); // the page asks for its filters again
      const kept = { place: this.place, bookmarks, history, filterHistory };
      this.post({ type: "opened", name, total, tabSize, follow, showing, ...kept });
      this.sendHighlights();
      if (text.malformed && !this.file.hasChosenEncoding) {
        const other = "Forge: Reopen with Encoding… names another encoding.";
        this.post({ type: "banner", text: `${name} is not all ${shortName(text.encoding)}. ${other}` });
      }
      if (this.file.damage !== undefined) {
        this.tellDamage();
      }
      this.moved.fire();
    });
  }

  private async sendRows(first: number, count: number, column: number, width: number): Promise<void> {
    const { showing, filtered } = this.filtering;
    await this.guarded(async () => {
      const [rows, total] = await this.filtering.rows(first, count, column, width);
      this.post({ type: "rows", showing, first, column, rows });
      if (total.exact && this.total?.exact === false && filtered === undefined) {
        this.counted(total); // the end of the file was seen before its lines were counted
      }
      await this.file.count();
    });
  }

  /** `number` is the file's number of the current line. The place that is kept is one in the whole file. */
  private moveTo(place: Place, number: number): void {
    const top = number - (place.line - place.top);
    this.place = this.filtering.filtered === undefined ? place : { ...place, top, line: number };
    this.memory.places.remember(this.file.uri, this.place);
    this.moved.fire();
  }

  private async filter(filters: LineFilter[], line: number): Promise<void> {
    this.searching.forgetMatches();
    await this.filtering.apply(filters, line);
    this.moved.fire();
    await this.tellBookmarks();
  }

  private get bookmarks(): number[] {
    return this.memory.bookmarks.of(this.file.uri) ?? [];
  }

  private toggleBookmark(line: number): void {
    const { bookmarks } = this;
    const others = bookmarks.filter((each) => each !== line);
    const lines = others.length < bookmarks.length ? others : [...bookmarks, line];
    this.memory.bookmarks.remember(this.file.uri, lines);
    this.file.bookmarked();
  }

  private async bookmarked(): Promise<void> {
    this.post({ type: "bookmarks", lines: this.bookmarks });
    await this.tellBookmarks();
  }

  private async tellBookmarks(): Promise<void> {
    await this.guarded(() => this.filtering.tellBookmarks(this.bookmarks));
  }

  private counted(total: Total): void {
    const { showing, filtered } = this.filtering;
    this.total = total;
    if (filtered === undefined) {
      this.post({ type: "total", showing, total, fileLines: total.lines });
    }
    void this.guarded(async () => {
      await this.filtering.count();
      await this.searching.grew(filtered?.snapshot.total.lines ?? total.lines);
      this.moved.fire();
    });
    this.moved.fire();
  }

  private sendHighlights(): void {
    const settings = vscode.workspace.getConfiguration("forge.viewer");
    this.post({ type: "highlights", rules: settings.get<HighlightRule[]>("highlights", []) });
  }

  private tellDamage(): void {
    const { name, damage } = this.file;
    const text = damage === undefined ? null : `${name}: ${damage}. What comes before that is shown.`;
    this.post({ type: "banner", text });
  }

  private async changed(total: Total, change: Change): Promise<void> {
    const { filtered } = this.filtering;
    this.total = total;
    this.searching.forgetMatches();
    this.post({ type: "changed", total, change, note: `${this.file.name} ${CHANGES[change]}` });
    if (filtered !== undefined) {
      const isNew = change === "truncated" || change === "replaced";
      await this.filter([...filtered.filters], isNew ? 1 : this.place.line);
    }
    await this.guarded(async () => {
      this.text = await this.file.read(async ({ text }) => text);
      this.moved.fire();
    });
  }

  private async findLineEnd(line: number): Promise<void> {
    await this.guarded(async () => {
      const filtered = this.filtering.filtered?.snapshot;
      const length = await (filtered?.lengthOf(line) ??
        this.file.read((snapshot) => snapshot.lengthOf(line)));
      this.post({ type: "lineEnd", line, length });
    });
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

  private async copy({ range, numbered, colors }: FromPage & { type: "copy" }): Promise<void> {
    try {
      const settings = vscode.workspace.getConfiguration("forge.viewer", this.file.uri);
      const options = { numbered, colors: colors || settings.get("copyColors", false) };
      const file = await this.file.read(async (snapshot) => snapshot.file);
      const reader = this.filtering.filtered?.reader ?? this.daemon;
      const copied = await textOf(reader, file, range, options);
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
        return this.retry();
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

  /** A daemon that does not run is started again first. Once it does, every viewer that failed opens its file. */
  private async retry(): Promise<void> {
    const { state } = this.daemon;
    if (state.kind === "stopped") {
      await this.daemon.restart().catch(() => undefined); // `open` says why
    }
    if (state.kind === "running" || this.daemon.state.kind !== "running") {
      await this.open(null);
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
        this.post({ type: "gone", gone });
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
    this.file.setShown(this, false);
    vscode.Disposable.from(...this.disposables).dispose();
  }
}
