import * as vscode from "vscode";
import type { Daemon } from "../daemon";
import { expressionProblem } from "./expressionProblem";
import { FilteredFile } from "./filteredFile";
import type { LineFilter, Row, ToPage, Total } from "./messages";
import { findFailure } from "./searching";
import type { Snapshot } from "./snapshot";
import { FileChanged } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** Which lines of the file a viewer shows: all, or those that its filters let through. */
export class Filtering implements vscode.Disposable {
  /** Counts the views that were shown, to tell rows of one from those of another. */
  private number = 0;
  private current: FilteredFile | undefined;
  /** Cancels the requests of the view that is shown. */
  private reading: vscode.CancellationTokenSource | undefined;
  /** Cancels the one that is to be shown next. */
  private opening: vscode.CancellationTokenSource | undefined;

  constructor(
    private readonly daemon: Daemon,
    private readonly file: ViewedFile,
    private readonly post: (message: ToPage) => void,
  ) {}

  get showing(): number {
    return this.number;
  }

  get filtered(): FilteredFile | undefined {
    return this.current;
  }

  /** Shows the whole file, in a page that was opened just now. */
  reset(): number {
    this.dispose();
    this.current = undefined;
    this.number += 1;
    return this.number;
  }

  /** Shows what `filters` let through, from a line of the file on. The view before stays until there is something to show. */
  async apply(filters: LineFilter[], line: number): Promise<void> {
    this.opening?.cancel();
    const opening = new vscode.CancellationTokenSource();
    this.opening = opening;
    const { token } = opening;
    const onProgress = ({ percentage }: { percentage: number }) => {
      if ((this.opening ?? this.reading) === opening) {
        this.post({ type: "filtering", percentage });
      }
    };
    try {
      const snapshot = await this.file.read(async (snapshot) => snapshot);
      const request: Daemon["request"] = (...args) => this.daemon.request(...args);
      const { lines } = snapshot.total;
      const options = { token, onProgress };
      const filtered = await FilteredFile.open(request, snapshot, filters, options);
      const row = filtered === null ? line : await filtered.rowOf(line);
      if (!token.isCancellationRequested) {
        this.reading?.cancel();
        this.reading = opening;
        this.opening = undefined;
        this.show(filtered, filtered?.snapshot.total ?? snapshot.total, lines, row);
        await this.count();
      }
    } catch (error) {
      if (!token.isCancellationRequested) {
        this.post({ type: "filterFailed", message: expressionProblem(error) ?? findFailure(error) });
      }
    }
  }

  /** Counts the lines that are shown, those that were appended as well. */
  async count(): Promise<void> {
    const filtered = this.current;
    const total = await filtered?.count();
    if (total !== undefined && filtered === this.current) {
      await this.tell(total);
    }
    if ((await filtered?.lookForColors()) && filtered === this.current) {
      this.post({ type: "recolored", showing: this.number });
    }
  }

  /** Where the bookmarks are among the lines that a filter lets through. */
  async tellBookmarks(lines: readonly number[]): Promise<void> {
    const filtered = this.current;
    const rows = await filtered?.rowsOf(lines);
    if (rows !== undefined && filtered === this.current) {
      this.post({ type: "bookmarkRows", showing: this.number, rows });
    }
  }

  /** Rows of the view, and its total. */
  async rows(first: number, count: number, column: number, width: number): Promise<[Row[], Total]> {
    const filtered = this.current;
    const read = async (snapshot: Snapshot): Promise<[Row[], Total]> => [
      await snapshot.rows(first, count, column, width),
      snapshot.total,
    ];
    if (filtered === undefined) {
      return await this.file.read(read);
    }
    try {
      return await read(filtered.snapshot);
    } catch (error) {
      if (error instanceof FileChanged) {
        await this.file.check(); // tells every viewer of it
      }
      throw error;
    }
  }

  /** The row that shows a line of the file, or the first one after it. */
  async rowOf(line: number): Promise<number> {
    return (await this.current?.rowOf(line)) ?? line;
  }

  dispose(): void {
    this.reading?.cancel();
    this.opening?.cancel();
  }

  private async tell(total: Total): Promise<void> {
    const { total: file } = await this.file.read(async (snapshot) => snapshot);
    this.post({ type: "total", showing: this.number, total, fileLines: file.lines });
  }

  private show(filtered: FilteredFile | null, total: Total, fileLines: number, line: number): void {
    this.current = filtered ?? undefined;
    this.number += 1;
    const view = { showing: this.number, filtered: filtered !== null, total, fileLines, line };
    this.post({ type: "showing", ...view });
  }
}
