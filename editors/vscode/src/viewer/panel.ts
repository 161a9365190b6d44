import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { Requests } from "../protocol";
import { COPY_LIMIT, textOf } from "./copying";
import { failureOf, sentence } from "./failure";
import type { FromPage, Place, Recovery, TextRange, ToPage, Total, ViewerCommand } from "./messages";
import { formatBytes } from "./numbers";
import { pageOf } from "./page";
import type { Places } from "./places";
import { FileChanged } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** One viewer in one tab: answers its page. */
export class ViewerPanel {
  private place: Place;
  private total: Total | undefined;
  private byteLength = 0;
  private searching: vscode.CancellationTokenSource | undefined;
  private readonly disposables: vscode.Disposable[] = [];
  private readonly moved = new vscode.EventEmitter<void>();
  /** What the status bar shows has changed. */
  readonly onDidMove = this.moved.event;

  constructor(
    readonly panel: vscode.WebviewPanel,
    readonly file: ViewedFile,
    private readonly daemon: Daemon,
    private readonly places: Places,
    extensionUri: vscode.Uri,
  ) {
    this.place = places.of(file.uri) ?? { top: 1, line: 1, left: 0 };
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
      file.onDidChange((total) => this.changed(total)),
    );
    file.setShown(this, panel.visible);
    webview.html = pageOf(webview, extensionUri);
  }

  /** What is known of the file; undefined until it has been read. */
  get known(): { total: Total; byteLength: number; line: number } | undefined {
    const { total, byteLength, place } = this;
    return total && { total, byteLength, line: Math.min(place.line, total.lines) };
  }

  goTo(line: number): void {
    this.post({ type: "goTo", line });
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
        return this.moveTo(message.place);
      case "find":
        return this.find(message);
      case "stopFinding":
        return this.searching?.cancel();
      case "copy":
        return this.copy(message.range);
      case "recovery":
        return this.recover(message.recovery);
    }
  }

  private async open(place: Place | null): Promise<void> {
    this.place = place ?? this.place;
    await this.guarded(async () => {
      const { total, byteLength } = await this.file.read(async (snapshot) => snapshot);
      const tabSize = vscode.workspace.getConfiguration("editor", this.file.uri).get("tabSize", 4);
      this.total = total;
      this.byteLength = byteLength;
      this.post({ type: "opened", name: this.file.name, total, place: this.place, tabSize });
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
    this.places.remember(this.file.uri, place);
    this.moved.fire();
  }

  private counted(total: Total): void {
    this.total = total;
    this.post({ type: "total", total });
    this.moved.fire();
  }

  private changed(total: Total): void {
    this.total = total;
    this.post({ type: "changed", total, note: `${this.file.name} changed on disk and was read again.` });
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

  private async copy(range: TextRange): Promise<void> {
    try {
      const copied = await textOf(this.daemon, this.file.path, range);
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
      if (!(error instanceof FileChanged) && !(error instanceof vscode.CancellationError)) {
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
