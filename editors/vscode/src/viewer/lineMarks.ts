import * as vscode from "vscode";
import type { Label, ToPage } from "./messages";
import type { ShownLines } from "./shownLines";
import type { ViewerMemory } from "./viewerMemory";

/** Bookmarks and labels of a file. They are kept for the workspace, and the same in every viewer of the file. */
export class LineMarks {
  constructor(
    private readonly uri: vscode.Uri,
    private readonly memory: ViewerMemory,
    private readonly shown: ShownLines,
    private readonly post: (message: ToPage) => void,
  ) {}

  get bookmarks(): number[] {
    return this.memory.bookmarks.of(this.uri) ?? [];
  }

  get labels(): Label[] {
    return this.memory.labels.of(this.uri) ?? [];
  }

  set labels(labels: Label[]) {
    this.memory.labels.remember(this.uri, labels);
  }

  toggleBookmark(line: number): void {
    const { bookmarks } = this;
    const others = bookmarks.filter((each) => each !== line);
    const lines = others.length < bookmarks.length ? others : [...bookmarks, line];
    this.memory.bookmarks.remember(this.uri, lines);
  }

  /** Where the bookmarks are among the lines that are shown. */
  async tellRows(): Promise<void> {
    const { excerpt, showing } = this.shown;
    const rows = await excerpt?.rowsOf(this.bookmarks);
    if (rows !== undefined && excerpt === this.shown.excerpt) {
      this.post({ type: "bookmarkRows", showing, rows });
    }
  }

  /** Tells the page of changes by any viewer. `changed` is called for bookmarks. */
  listen(changed: () => void): vscode.Disposable {
    const isOurs = (uri: vscode.Uri) => uri.toString() === this.uri.toString();
    return vscode.Disposable.from(
      this.memory.bookmarks.onDidChange((uri) => {
        if (isOurs(uri)) {
          this.post({ type: "bookmarks", lines: this.bookmarks });
          changed();
        }
      }),
      this.memory.labels.onDidChange((uri) => {
        if (isOurs(uri)) this.post({ type: "labels", labels: this.labels });
      }),
    );
  }
}
