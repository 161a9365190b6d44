import * as vscode from "vscode";
import type { Daemon, RequestOptions } from "../daemon";
import { type Piece, piecesOf } from "./copying";
import type { Excerpt } from "./excerpt";
import { expressionProblem } from "./expressionProblem";
import { FilteredFile } from "./filteredFile";
import {
  EVERY_LINE,
  type LineFilter,
  type Row,
  type Showing,
  type TextRange,
  type ToPage,
  type Total,
} from "./messages";
import type { OldLines } from "./oldLines";
import { findFailure } from "./searching";
import { FileChanged, type Snapshot } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** Which lines of the file a viewer shows: all, those that its filter lets through, or those from before a rotation. */
export class ShownLines implements vscode.Disposable {
  /** Counts the views that were shown, to tell rows of one from those of another. */
  private number = 0;
  private current: Excerpt | undefined;
  /** What was last asked for. It may still have to be opened. */
  private asked: LineFilter = EVERY_LINE;
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

  /** Undefined where every line is shown. */
  get excerpt(): Excerpt | undefined {
    return this.current;
  }

  get filtered(): FilteredFile | undefined {
    return this.current instanceof FilteredFile ? this.current : undefined;
  }

  /** The filter that was last asked for, whatever is shown by now. */
  get wanted(): LineFilter {
    return this.asked;
  }

  /** Shows the whole file, in a page that was opened just now. */
  reset(): number {
    this.dispose();
    this.current = undefined;
    this.asked = EVERY_LINE;
    return this.renumber();
  }

  /** The file is another: what is on its way belongs to the one before. */
  renumber(): number {
    this.number += 1;
    return this.number;
  }

  /** Shows what passes a filter, from a line of the file on. The view before stays until there is something to show. */
  async apply(wanted: LineFilter, line: number): Promise<void> {
    this.opening?.cancel();
    this.asked = wanted;
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
      const options = { token, onProgress };
      const filtered = await FilteredFile.open(request, snapshot, wanted, options);
      const row = filtered === null ? line : await filtered.rowOf(line);
      if (!token.isCancellationRequested) {
        this.reading?.cancel();
        this.reading = opening;
        this.opening = undefined;
        const kind = filtered === null ? "whole" : "filtered";
        this.show(kind, filtered ?? undefined, snapshot.total, row);
        await this.count();
      }
    } catch (error) {
      if (token.isCancellationRequested || (error instanceof FileChanged && (await this.isToldOfChange()))) {
        return;
      }
      this.post({ type: "filterFailed", message: expressionProblem(error) ?? findFailure(error) });
    }
  }

  /** Shows what was read before the file became another, from its end. */
  showOld(old: OldLines): void {
    this.dispose();
    this.show("old", old, { lines: old.lastNumber, exact: true }, old.total.lines);
  }

  /** Counts the lines that are shown, those that were appended as well. */
  async count(): Promise<void> {
    const { filtered, showing } = this;
    if (filtered === undefined) {
      return;
    }
    const total = await filtered.count();
    const { total: file } = await this.file.read(async (snapshot) => snapshot);
    this.post({ type: "total", showing, total, fileLines: file.lines });
    if (await filtered.lookForColors()) {
      this.post({ type: "recolored", showing });
    }
  }

  /** Rows of the view, and its total. */
  async rows(first: number, count: number, column: number, width: number): Promise<[Row[], Total]> {
    const { excerpt } = this;
    const read = async (lines: Excerpt | Snapshot): Promise<[Row[], Total]> => [
      await lines.rows(first, count, column, width),
      lines.total,
    ];
    if (excerpt === undefined) {
      return await this.file.read(read);
    }
    try {
      return await read(excerpt);
    } catch (error) {
      if (error instanceof FileChanged) {
        await this.file.check(); // tells every viewer of it
      }
      throw error;
    }
  }

  /** The row that shows a line of the file, or the first one after it; in the view that is shown by then. */
  async rowOf(line: number): Promise<number> {
    for (;;) {
      const { excerpt } = this;
      try {
        const row = (await excerpt?.rowOf(line)) ?? line;
        if (excerpt === this.excerpt) {
          return row;
        }
      } catch (error) {
        if (excerpt === this.excerpt) {
          throw error;
        }
      }
    }
  }

  /** The file's number of a row that is shown. */
  async numberOf(row: number): Promise<number> {
    const [found] = (await this.current?.rows(row, 1, 0, 1)) ?? [];
    return found?.number ?? row;
  }

  async lengthOf(row: number): Promise<number> {
    return await (this.current?.lengthOf(row) ?? this.file.read((snapshot) => snapshot.lengthOf(row)));
  }

  /** The text of a range of rows. */
  async *pieces(
    range: TextRange,
    colors: boolean,
    options?: RequestOptions,
  ): AsyncGenerator<Piece, void, void> {
    const { file } = await this.file.read(async (snapshot) => snapshot);
    yield* this.current?.pieces(range, colors, options) ??
      piecesOf(this.daemon, file, range, colors, options);
  }

  /** Every viewer that is told filters anew. */
  private async isToldOfChange(): Promise<boolean> {
    return await this.file.check().then(
      () => false,
      () => true,
    );
  }

  dispose(): void {
    this.reading?.cancel();
    this.opening?.cancel();
  }

  private show(kind: Showing, excerpt: Excerpt | undefined, whole: Total, line: number): void {
    this.current = excerpt;
    const total = excerpt?.total ?? whole;
    this.post({ type: "showing", showing: this.renumber(), kind, total, fileLines: whole.lines, line });
  }
}
