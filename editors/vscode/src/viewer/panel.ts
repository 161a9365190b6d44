import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { copyLines, copyPath } from "./clipboard";
import { shortName } from "./encodings";
import { ErrorRows } from "./errorRows";
import { failureOf } from "./failure";
import { findTime } from "./findTime";
import type { Known } from "./known";
import { LineMarks } from "./lineMarks";
import { LineRecords } from "./lineRecords";
import type {
  Change,
  ChipCommand,
  Conditions,
  FromPage,
  HighlightRule,
  LineFilter,
  Place,
  ToPage,
  Total,
  ViewerCommand,
} from "./messages";
import { OldLines } from "./oldLines";
import { openLink } from "./openLink";
import { pageOf } from "./page";
import { filterOf } from "./query";
import { recover } from "./recovery";
import { messagesOf } from "./rotatedMembers";
import { saveShownLines } from "./saving";
import { Searching } from "./searching";
import { ShownLines } from "./shownLines";
import { FileChanged, type Snapshot, type TextFormat } from "./snapshot";
import { TimedSelection } from "./timedSelection";
import type { ViewedFile } from "./viewedFile";
import type { ViewerMemory } from "./viewerMemory";

const CHANGES: Record<Change, string> = {
  rewritten: "changed on disk and was read again.",
  truncated: "was truncated. Its lines start at 1 again.",
  replaced: "was replaced by another file of that name, as log rotation does. Its lines start at 1 again.",
  reencoded: "is read in another encoding.",
  rotated: "was rotated. Its files were read again.",
};
const START: Place = { top: 1, line: 1, column: 0, left: 0 };

/** One viewer in one tab: answers its page. */
export class ViewerPanel {
  private place: Place;
  /** Undefined until the file has been read. */
  private snapshot: Snapshot | undefined;
  private following = false;
  private failed = false;
  /** What was read before the file was last truncated or replaced. */
  private old: Snapshot[] = [];
  /** What the page is to do once it shows the file; undefined where it does. Before that it may not even be listening. */
  private waiting: ToPage[] | undefined = [];
  private readonly shown: ShownLines;
  private readonly searching: Searching;
  private readonly errors: ErrorRows;
  private readonly records: LineRecords;
  private readonly selection: TimedSelection;
  readonly marks: LineMarks;
  /** Goes along with every move in this viewer. */
  private linked: ViewerPanel | undefined;
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
    this.place = { ...START, ...memory.places.of(file.memoryKey) };
    const { webview } = panel;
    const post = (message: ToPage) => this.post(message);
    this.shown = new ShownLines(daemon, file, post);
    this.searching = new Searching(daemon, file, this.shown, post);
    this.errors = new ErrorRows(daemon, file, this.shown, post);
    this.records = new LineRecords(daemon, file, this.shown, post);
    this.selection = new TimedSelection(this.records);
    this.marks = new LineMarks(file.memoryKey, memory, this.shown, post);
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist")],
    };
    this.disposables.push(
      this.moved,
      this.shown,
      this.searching,
      this.errors,
      webview.onDidReceiveMessage((message: FromPage) => this.answer(message)),
      panel.onDidChangeViewState(() => this.viewStateChanged()),
      panel.onDidDispose(() => this.dispose()),
      file.onDidProgress((percentage) => this.post({ type: "counting", percentage })),
      file.onDidCount((total) => this.counted(total)),
      file.onDidChange(({ snapshot, change, old }) => this.changed(snapshot, change, old)),
      file.onDidDisappear((gone) => this.post({ type: "gone", gone })),
      file.onDidChangeDamage(() => this.tellDamage()),
      daemon.onDidChangeState(({ kind }) => this.daemonChanged(kind)),
      this.marks.listen(() => this.tellBookmarks()),
      memory.chips.onDidChange((by) => {
        if (by !== this) this.post({ type: "chips", chips: memory.chips.get() });
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("forge.viewer.highlights")) this.sendHighlights();
      }),
    );
    file.setShown(this, panel.visible);
    webview.html = pageOf(webview, extensionUri);
  }

  /** What is known of the file; undefined until it has been read. */
  get known(): Known | undefined {
    if (this.snapshot === undefined) {
      return undefined;
    }
    const { total, byteLength, text } = this.snapshot;
    const { selected, duration } = this.selection;
    const { column } = this.place;
    const isOld = this.shown.excerpt instanceof OldLines;
    const line = isOld ? this.place.line : Math.min(this.place.line, total.lines);
    const shown = this.shown.filtered?.total ?? null;
    const following = this.following && this.daemon.state.kind !== "stopped";
    return { total, byteLength, line, column, selected, duration, text, following, shown, isOld };
  }

  /** Null where every line is wanted. */
  get filter(): LineFilter | null {
    const { wanted } = this.shown;
    return filterOf(wanted) && wanted;
  }

  setConditions(conditions: Partial<Conditions>): void {
    this.tell({ type: "conditions", conditions });
  }

  applyFilter(filter: LineFilter): void {
    this.tell({ type: "applyFilter", filter });
  }

  /** Goes to a line of the file, or the first one after it that is shown. */
  async goTo(line: number): Promise<void> {
    this.tell({ type: "focus" });
    await this.goAlong(line);
  }

  /** Goes to the first line at or after a time as a person types it. */
  async goToTime(time: string): Promise<void> {
    this.tell({ type: "focus" });
    await this.guarded(async () => {
      await this.goToFound(await findTime(this.daemon, this.file, time));
    });
  }

  /** From now on another viewer of the file goes along with every move in this one. */
  link(other: ViewerPanel): void {
    this.linked = other;
    other.panel.onDidDispose(() => {
      if (this.linked === other) this.linked = undefined;
    });
    void other.goAlong(this.place.line);
  }

  /** The same without taking the focus. */
  async goAlong(line: number): Promise<void> {
    await this.guarded(async () => {
      this.tell({ type: "goTo", line: await this.shown.rowOf(line) });
    });
  }

  /** Selects lines of the file, as far as they are shown. */
  async selectLines(start: number, end: number): Promise<void> {
    this.tell({ type: "focus" });
    await this.guarded(async () => {
      const { lines } = this.snapshot?.total ?? { lines: 0 };
      const last = Math.min(end, lines);
      const [first, after] = [await this.shown.rowOf(start), await this.shown.rowOf(last + 1)];
      const isPastEnd = last >= lines;
      this.tell({ type: "select", first, last: Math.max(first, isPastEnd ? after : after - 1) });
    });
  }

  label(color: number): void {
    this.tell({ type: "label", color });
  }

  private async goToFound({ line, note }: { line: number | null; note: string }): Promise<void> {
    const row = line && (await this.shown.rowOf(line).catch(() => null)); // the filter may be another by now
    this.tell({ type: "foundLine", line: row, number: row && line, note });
  }

  run(command: ViewerCommand): void {
    this.tell({ type: "command", command });
  }

  runOnChip(command: ChipCommand, chip: number | null): void {
    this.tell({ type: "chip", command, chip });
  }

  private async answer(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.waiting ??= [];
        return this.open(message.place);
      case "rows":
        return this.sendRows(message);
      case "moved":
        this.selection.set(message.selected, () => this.moved.fire());
        this.following = message.following;
        return this.moveTo(message.place, message.number);
      case "focused":
        await vscode.commands.executeCommand("setContext", "forge.viewer.focus", message.focus);
        return;
      case "filter":
        return this.applied(message.filter, message.line);
      case "pickLevel":
        await vscode.commands.executeCommand("forge.viewer.filterByLevel");
        return;
      case "showOld":
        return this.showOld(message.shown);
      case "keepChips":
        return this.memory.chips.set(message.chips, this);
      case "reveal":
        return this.goAlong(message.line);
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
        return copyLines(this.file, this.shown, message);
      case "findLineEnd":
        return this.findLineEnd(message.line);
      case "copyPath":
        return this.guarded(() => copyPath(this.file, message.line));
      case "findError":
        return this.goToFound(await this.searching.findError(message.direction, message.line));
      case "openLink":
        return openLink(message.target, this.file.uri);
      case "toggleBookmark":
        return this.marks.toggleBookmark(message.line);
      case "setLabels":
        this.marks.labels = message.labels;
        return;
      case "save":
        return saveShownLines(this.file, this.shown, message.range);
      case "recovery":
        return recover(message.recovery, () => this.retry());
    }
  }

  private async open(place: Place | null): Promise<void> {
    this.place = place ?? this.place;
    await this.guarded(async () => {
      const snapshot = await this.file.read(async (snapshot) => snapshot);
      const tabSize = vscode.workspace.getConfiguration("editor", this.file.uri).get("tabSize", 4);
      this.snapshot = snapshot;
      this.failed = false;
      const settings = vscode.workspace.getConfiguration("forge.viewer", this.file.uri);
      this.post({
        type: "opened",
        name: this.file.name,
        total: snapshot.total,
        place: this.place,
        tabSize,
        bookmarks: this.marks.bookmarks,
        labels: this.marks.labels,
        follow: settings.get<"auto" | "manual">("follow", "auto"),
        history: this.memory.searches.get(),
        filterHistory: this.memory.filtered.get(),
        chips: this.memory.chips.get(),
        showing: this.shown.reset(), // the page asks for its filters again
        gapSeconds: settings.get("gapSeconds", 60),
      });
      const { waiting = [] } = this;
      this.waiting = undefined;
      waiting.forEach((message) => {
        this.post(message);
      });
      await this.tellMembers();
      this.errors.restart(snapshot.byteLength);
      this.sendHighlights();
      this.tellEncoding(snapshot.text);
      if (this.file.damage !== undefined) {
        this.tellDamage();
      }
      this.moved.fire();
    });
  }

  private tellEncoding({ malformed, encoding }: TextFormat): void {
    if (malformed && !this.file.hasChosenEncoding) {
      const text = `${this.file.name} is not all ${shortName(encoding)}.`;
      this.post({ type: "banner", text, recovery: "reopenWithEncoding" });
    }
  }

  private async sendRows(asked: FromPage & { type: "rows" }): Promise<void> {
    const { request, first, count, column, width } = asked;
    const { showing, excerpt } = this.shown;
    const wasCounted = this.snapshot?.total.exact;
    await this.guarded(async () => {
      const reading = this.shown.rows(first, count, column, width);
      reading.catch(() => this.post({ type: "rows", request, showing, rows: null }));
      const [rows, total] = await reading;
      this.post({ type: "rows", request, showing, rows });
      void this.records.send(showing, first, rows);
      if (total.exact && wasCounted === false && excerpt === undefined) {
        this.counted(total); // the end of the file was seen before its lines were counted
      }
      await this.file.count();
    });
  }

  /** `number` is the file's number of the current line. The place that is kept is one in the whole file. */
  private moveTo(place: Place, number: number): void {
    const top = number - (place.line - place.top);
    if (number !== this.place.line) {
      void this.linked?.goAlong(number);
    }
    this.place = { ...place, top, line: number };
    this.memory.places.remember(this.file.memoryKey, this.place);
    this.moved.fire();
  }

  private async applied(filter: LineFilter, line: number): Promise<void> {
    this.searching.forgetMatches();
    await this.shown.apply(filter, line);
    this.errors.restart(this.snapshot?.byteLength ?? 0);
    this.moved.fire();
    await this.tellBookmarks();
  }

  /** The lines from before the file was truncated or replaced, or those of the file as it is. */
  private async showOld(isShown: boolean): Promise<void> {
    if (isShown) {
      this.searching.forgetMatches();
      this.shown.showOld(OldLines.of(this.old));
    } else if (this.shown.excerpt instanceof OldLines) {
      await this.applied(this.shown.wanted, 1);
    }
  }

  private async tellBookmarks(): Promise<void> {
    await this.guarded(() => this.marks.tellRows());
  }

  private counted(total: Total): void {
    const { showing, excerpt } = this.shown;
    if (excerpt === undefined) {
      this.post({ type: "total", showing, total, fileLines: total.lines });
    }
    void this.guarded(async () => {
      await this.tellMembers();
      await this.shown.count();
      const rows = (this.shown.excerpt?.total ?? total).lines;
      await Promise.all([this.searching.grew(rows), this.errors.grew(rows)]);
      this.moved.fire();
    });
    this.moved.fire();
  }

  private async tellMembers(): Promise<void> {
    if (this.file.isRotated) {
      const members = await this.file.read((snapshot) => snapshot.knownMembers());
      messagesOf(members).forEach((message) => {
        this.post(message);
      });
    }
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

  private async changed(snapshot: Snapshot, change: Change, old: Snapshot): Promise<void> {
    const { filtered, excerpt, wanted } = this.shown;
    const isNew = change === "truncated" || change === "replaced";
    this.snapshot = snapshot;
    if (isNew) {
      this.old = filtered === undefined ? [old] : [old, filtered.snapshot];
    }
    this.searching.forgetMatches();
    const note = `${this.file.name} ${CHANGES[change]}`;
    this.post({ type: "changed", showing: this.shown.renumber(), total: snapshot.total, change, note });
    if (excerpt === undefined && filterOf(wanted) === null) {
      this.errors.restart(snapshot.byteLength);
    } else {
      await this.applied(wanted, isNew ? 1 : this.place.line);
    }
    await this.guarded(async () => {
      await this.tellMembers();
      this.moved.fire();
    });
  }

  private async findLineEnd(line: number): Promise<void> {
    await this.guarded(async () => {
      this.post({ type: "lineEnd", line, length: await this.shown.lengthOf(line) });
    });
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

  private daemonChanged(kind: Daemon["state"]["kind"]): void {
    if (this.failed && kind === "running") {
      void this.open(null);
    }
    this.moved.fire();
  }

  private viewStateChanged(): void {
    this.file.setShown(this, this.panel.visible);
    if (!this.panel.visible) {
      this.waiting ??= []; // the page is gone until it is visible again
    }
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
      const gone = error instanceof ForgeError && error.code === "NOT_FOUND" && this.snapshot !== undefined;
      if (gone) {
        this.post({ type: "gone", gone });
      } else if (!(error instanceof FileChanged) && !(error instanceof vscode.CancellationError)) {
        this.failed = true;
        this.waiting &&= [];
        this.post({ type: "failed", ...failureOf(error, this.file.name) });
      }
    }
  }

  /** Has the page do something, once it can. */
  private tell(message: ToPage): void {
    if (this.waiting === undefined) {
      this.post(message);
    } else {
      this.waiting.push(message);
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
