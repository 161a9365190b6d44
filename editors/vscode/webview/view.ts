/** The rows on the screen, and every way to move in them. The position is a line with a fraction; only what is visible is here. */

import type { LineRecord, Place, Position, Row, Showing, TextRange, Total } from "../src/viewer/messages";
import { Decorations } from "./decorations";
import { onMetricsChanged } from "./metrics";
import { isComplete, offsetAt, type PlacedRow, reaches } from "./placedRow";
import type { RowsWanted } from "./rowRequests";
import * as scale from "./scale";
import { Screen } from "./screen";
import type { Selection } from "./selection";
import { applyTheme } from "./theme";
import { MARGIN_COLUMNS, range, Viewport } from "./viewport";
import { WRAPPED_COLUMNS } from "./wrapping";

export class View {
  readonly decorations = new Decorations();
  private readonly port: Viewport;
  private readonly screen: Screen;
  private frame = 0;
  /** A last line to be shown as soon as its text is here: new lines of a followed file come without flicker. */
  private awaitedEnd: number | undefined;
  /** `End` was pressed on a line that has not arrived yet. */
  private wantsLineEnd = false;
  /** A match that is to be in sight. Where it is on the screen is known once its text is drawn. */
  private revealed: TextRange | undefined;
  /** What stayed in sight when lines were last wrapped or unwrapped. It stays so the next time, unless the reader went elsewhere. */
  private kept: Position | undefined;
  /** What waits for the daemon to tell of the current line. */
  private awaitedRecord: { line: number; act: () => void } | undefined;
  /** What a jump aims at: with every wrapped line that is measured, it gets nearer. Scrolling ends it. */
  private aim: (() => number) | undefined;

  constructor(
    request: (request: number, wanted: RowsWanted) => void,
    private readonly moved: () => void,
    private readonly scrolled: () => void,
    private readonly findLineEnd: (line: number) => void,
    showHeader: (record: LineRecord | null) => void,
  ) {
    this.port = new Viewport(request);
    this.screen = new Screen(this.port, this.decorations, {
      scrollDown: (top) => this.dragDown(top),
      scrollAcross: (left) => this.scrollAcross(left - this.port.place.left),
      showHeader,
    });
    onMetricsChanged(
      this.port.grid,
      () => this.measureAgain(),
      () => {
        applyTheme();
        this.decorations.rules.refresh();
        this.screen.clear(); // some colors were chosen to be readable on the theme's own
      },
    );
    applyTheme();
  }

  get selection(): Selection {
    return this.decorations.selection;
  }

  /** The file's number of a row; of one that has not arrived yet, that of the one the reader was at before. */
  numberOf(row: number): number {
    return this.port.numberOf(row);
  }

  /** Whether it is known which line of the file the current row is. */
  get isNumbered(): boolean {
    return this.port.isNumbered;
  }

  /** Where the reader is in the whole file. */
  get placeInFile(): Place {
    return this.port.placeInFile;
  }

  get wraps(): boolean {
    return this.port.wraps;
  }

  /** How many rows are wholly visible. */
  get fullRows(): number {
    return this.port.fullRows;
  }

  /** Whether there is anything to read on the screen. */
  get hasText(): boolean {
    return this.screen.hasText;
  }

  /** Which line and column a point of the page belongs to. */
  positionAt(x: number, y: number): Position {
    return this.screen.positionAt(x, y);
  }

  open(total: Total, place: Place, tabSize: number): void {
    this.port.tabSize = tabSize;
    this.port.grid.style.tabSize = String(tabSize);
    this.replaceRows();
    this.screen.clear();
    this.port.filtered = false;
    this.port.fileLines = total.lines;
    this.port.total = total;
    this.port.place = place;
    this.port.setWraps(place.wraps ?? false);
    this.measureAgain();
    this.scrollTo(place.top);
  }

  /** Shows other lines from now on: those that a filter lets through, or all of them. */
  show(lines: { kind: Showing; total: Total; fileLines: number; line: number }): void {
    this.port.lastNumber = this.port.numberOf(this.port.place.line);
    this.decorations.forgetRows();
    this.replaceRows();
    this.screen.clear();
    this.port.filtered = lines.kind !== "whole";
    this.port.fileLines = lines.fileLines;
    this.port.total = lines.total;
    this.center(lines.line);
  }

  get isFiltered(): boolean {
    return this.port.filtered;
  }

  /** Breaks lines at the right edge, or stops that. The text that is in sight stays. */
  wrap(on: boolean): void {
    const { line, column } = this.kept ?? this.screen.inSight;
    const top = Math.floor(this.port.place.top);
    const above = column === 0 ? 0 : line - this.port.place.top;
    this.port.setWraps(on);
    this.port.place.wraps = on;
    this.port.place.left = on && column >= WRAPPED_COLUMNS / 2 ? column : 0;
    this.forgetRows();
    if (column > 0) {
      this.port.place.line = line;
    }
    if (on) {
      this.aimAt(() => this.port.wrapping.advance(this.port.wrappedPosition({ line, column }), -above));
    } else {
      this.aimAt(() => top);
      this.showColumn({ line, column });
    }
    this.kept = { line, column };
  }

  /** The file is another: every row is asked for again, at the same place. */
  changed(total: Total): void {
    this.decorations.match = null;
    this.decorations.selection.clear();
    this.port.place.column = 0;
    this.replaceRows();
    this.setTotal(total);
  }

  /** Asks for every row again; what is on the screen stays until it comes. */
  refresh(): void {
    this.forgetRows();
    this.draw();
  }

  /** Whether the reader is at the last line, or will be once its text is here. */
  get isAtEnd(): boolean {
    return this.awaitedEnd !== undefined || this.port.isAtEnd;
  }

  /** An estimate never takes away a line that was there. */
  setTotal({ lines, exact }: Total, fileLines = lines): void {
    this.port.fileLines = fileLines;
    // The last line may have been continued.
    this.port.held.forgetFrom(this.port.total.exact ? this.port.total.lines : Number.POSITIVE_INFINITY);
    this.port.total = { lines: exact ? lines : Math.max(lines, this.port.total.lines), exact };
    this.keepInView(this.port.place.line);
  }

  /** The rows of a request; null: they could not be read. */
  receive(request: number, rows: Row[] | null): void {
    const received = this.port.held.receive(request, rows);
    if (received === undefined) {
      return;
    }
    const { first, count, isShorter } = received;
    for (const line of range(first, first + count)) {
      this.port.wrapping.forgetLine(line);
    }
    if (isShorter || this.port.wraps) {
      this.port.place.left = Math.min(
        this.port.place.left,
        this.port.wraps ? this.port.lastPart : this.port.maxLeft,
      );
    }
    this.showAwaitedEnd();
    if (this.port.filtered && this.port.isNumbered) {
      this.port.lastNumber = this.port.numberOf(this.port.place.line);
      this.moved(); // by its own number
    }
    if (this.wantsLineEnd && this.port.held.has(this.port.place.line)) {
      this.toLineEnd();
    }
    this.draw();
  }

  /** The records of rows that came before. */
  receiveRecords(first: number, records: (LineRecord | null)[]): void {
    this.port.held.setRecords(first, records);
    this.draw();
    const { line } = this.port.place;
    if (this.awaitedRecord?.line === line && this.port.held.get(line)?.record !== undefined) {
      const { act } = this.awaitedRecord;
      this.awaitedRecord = undefined;
      act();
    }
  }

  /** Acts once it is known which record the current line belongs to, unless the reader goes elsewhere meanwhile. */
  withRecord(act: (record: LineRecord) => void): void {
    const { line } = this.port.place;
    const record = this.port.held.get(line)?.record;
    this.awaitedRecord = undefined;
    if (record !== undefined) {
      act(record);
    } else {
      this.awaitedRecord = { line, act: () => this.withRecord(act) };
    }
  }

  get current(): Place {
    return this.port.place;
  }

  get lines(): Total {
    return this.port.total;
  }

  /** Line 1 can be scrolled below what covers the upper edge. */
  coverTop(pixels: number): void {
    this.port.covered = pixels;
    this.scrollTo(this.port.place.top);
  }

  scrollTo(wanted: number): void {
    this.port.scrollTo(wanted);
    this.draw();
    this.moved();
  }

  /** By rows of the screen: lines, unless they are wrapped. */
  scrollBy(rows: number): void {
    const { top } = this.port.place;
    this.stay();
    this.scrollTo(this.port.wraps && top >= 1 ? this.port.wrapping.advance(top, rows) : top + rows);
    this.scrolled();
  }

  scrollAcross(columns: number): void {
    this.kept = undefined;
    if (this.port.wraps) {
      this.showPart(
        this.port.place.left + Math.sign(columns) * Math.min(WRAPPED_COLUMNS / 2, Math.abs(columns) * 128),
      );
      return;
    }
    this.revealed = undefined;
    this.port.place.left = Math.max(0, Math.min(this.port.place.left + columns, this.port.maxLeft));
    this.draw();
    this.moved();
  }

  /** By keys, which keep the column as in an editor. */
  moveUpOrDownTo(line: number): void {
    const { column } = this.port.place;
    this.moveTo(line);
    this.port.place.column = column;
  }

  /** Makes a line the current one and scrolls no more than needed. */
  moveTo(line: number): void {
    if (!this.port.total.exact && line > this.port.total.lines) {
      this.port.total = { lines: line, exact: false };
    }
    this.wantsLineEnd = false;
    this.stay();
    this.keepInView(line);
  }

  private keepInView(line: number): void {
    const { top } = this.port.place;
    this.leaveFor(Math.min(line, this.port.total.lines));
    const before = scale.clampTop(top, this.port.extent);
    this.aimAt(() => this.port.topToReveal(before));
  }

  /** The column of a match or a click means nothing in another line. */
  private leaveFor(line: number): void {
    this.port.place.column = line === this.port.place.line ? this.port.place.column : 0;
    this.port.makeCurrent(line);
  }

  private aimAt(aim: () => number): void {
    this.kept = undefined;
    this.aim = this.port.wraps ? aim : undefined;
    this.scrollTo(aim());
  }

  /** The reader goes elsewhere: what was aimed at does not matter any more. */
  private stay(): void {
    this.aim = undefined;
    this.kept = undefined;
    this.awaitedEnd = undefined;
    this.revealed = undefined;
  }

  /** Makes a place on the screen the current one, and shows all of its line. */
  point(at: Position): void {
    if (this.port.wraps) {
      this.stay();
    } else {
      this.moveTo(at.line);
    }
    this.dragTo(at);
  }

  /** The same without scrolling. */
  dragTo({ line, column }: Position): void {
    this.kept = undefined;
    this.port.makeCurrent(Math.min(line, this.port.total.lines));
    this.port.place.column = column;
    this.draw();
    this.moved();
  }

  /** Shows the last line at the lower edge. `last`: the one whose text is here, if others have been appended since. */
  toEnd(last = this.port.total.lines): void {
    this.awaitedEnd = last < this.port.total.lines ? this.port.total.lines : undefined;
    this.leaveFor(last);
    this.aimAt(() => scale.maxTop({ ...this.port.extent, lines: last }));
  }

  /** The same once the text of the last line is here. What is on the screen stays until then. */
  toEndWithText(): void {
    if (this.port.total.lines > 0) {
      this.awaitedEnd ??= this.port.total.lines;
      this.showAwaitedEnd();
      this.draw();
    }
  }

  /** As far as the text is here; what has been appended since is awaited in turn. */
  private showAwaitedEnd(): void {
    if (this.awaitedEnd !== undefined) {
      const last = [this.port.total.lines, this.awaitedEnd].find((line) => this.port.held.has(line));
      if (last !== undefined || this.port.held.isAbsent(this.awaitedEnd)) {
        this.toEnd(last);
      }
    }
  }

  /** Goes to a line and centers it; sideways to the start, unless its text is in sight as it is. */
  center(line: number): void {
    this.moveTo(line);
    this.port.place.column = 0;
    if (this.port.place.left >= this.port.columnsOf(this.port.held.get(this.port.place.line))) {
      this.port.place.left = 0;
    }
    this.aimAt(() => this.port.topToCenter());
  }

  /** Shows a match, and not below the find widget. */
  reveal(match: TextRange): void {
    const { line, column } = match.start;
    this.moveTo(line);
    this.port.place.column = column;
    if (this.port.wraps) {
      this.revealWrapped(line, column);
    } else {
      this.showColumn({ line, column });
      this.revealed = match;
    }
  }

  /** Wide characters and tabs take more of the screen than one column each. */
  private correctRevealed(): void {
    const { start, end } = this.revealed ?? {};
    const row = this.screen.row(start?.line ?? 0);
    const held = this.port.held.get(start?.line ?? 0);
    if (!start || !end || row === undefined || held === undefined || !reaches(held, start.column)) {
      return; // not here yet
    }
    this.revealed = undefined;
    const { charWidth } = this.port.metrics;
    const middle = (this.port.visibleColumns * charWidth) / 2;
    const [left, right] = [start, end].map(({ column }) => row.leftOf(offsetAt(held, column)));
    const isCutOff = (right ?? 0) > 2 * middle - MARGIN_COLUMNS * charWidth;
    if (left !== undefined && (left < 0 || (isCutOff && left > middle))) {
      const perColumn = isComplete(held) ? charWidth : left / (start.column - this.port.place.left);
      this.port.place.left = Math.max(0, this.port.place.left + Math.round((left - middle) / perColumn));
      this.draw();
    }
  }

  private showColumn({ line, column }: Position): void {
    const { above } = this.port.extent;
    if (line < this.port.place.top + above) {
      this.scrollTo(line - Math.max(above, Math.floor(this.port.fullRows / 2)));
    }
    const visible = this.port.visibleColumns;
    if (column < this.port.place.left || column > this.port.place.left + visible - MARGIN_COLUMNS) {
      this.port.place.left =
        column < visible - MARGIN_COLUMNS ? 0 : Math.max(0, column - Math.floor(visible / 2));
      this.draw();
    }
  }

  toLineStart(): void {
    this.wantsLineEnd = false;
    if (this.port.wraps) {
      this.revealWrapped(this.port.place.line, 0);
    } else {
      this.scrollAcross(-this.port.place.left);
    }
  }

  /** Shows the end of the current line, which may have to be found first. */
  toLineEnd(): void {
    this.kept = undefined;
    this.revealed = undefined;
    const row = this.port.held.get(this.port.place.line);
    this.wantsLineEnd = row === undefined || (row.open && !isComplete(row));
    if (row === undefined) {
      return;
    }
    if (this.wantsLineEnd) {
      this.findLineEnd(this.port.place.line);
      return;
    }
    if (this.port.wraps) {
      this.revealWrapped(this.port.place.line, row.length);
      return;
    }
    this.port.place.left = Math.max(
      0,
      Math.ceil(this.port.columnsOf(row) + MARGIN_COLUMNS - this.port.visibleColumns),
    );
    this.draw();
    this.moved();
  }

  foundLineEnd(line: number, length: number): void {
    this.port.held.setLength(line, length);
    if (this.wantsLineEnd && line === this.port.place.line) {
      this.toLineEnd();
    }
  }

  /** Tells the extension of a position or selection that changed without scrolling. */
  announceMove(): void {
    this.moved();
  }

  textOf(line: number): PlacedRow | undefined {
    return this.port.held.get(line);
  }

  draw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.screen.drawRows(this.awaitedEnd);
      if (this.port.wraps && this.screen.measureRows()) {
        this.port.place.top = scale.clampTop(this.aim?.() ?? this.port.place.top, this.port.extent);
        this.draw();
      }
      this.correctRevealed();
      this.screen.drawHeader();
      this.screen.drawScrollbars();
      this.screen.paint();
    });
  }

  /** Shows a column of a wrapped line, and where the line is longer than what is shown of it, the part around the column. */
  private revealWrapped(line: number, column: number): void {
    const row = this.port.held.get(line);
    const from = row?.column ?? 0;
    if (column < from || column > from + WRAPPED_COLUMNS - this.port.visibleColumns) {
      this.showPart(column - WRAPPED_COLUMNS / 2);
    }
    this.aimAt(() => this.port.topToRevealWrapped({ line, column }));
  }

  /** Of a line that is too long to be wrapped whole, the part from a column on. */
  private showPart(column: number): void {
    this.port.place.left = Math.max(0, Math.min(column, this.port.lastPart));
    this.draw();
    this.moved();
  }

  private dragDown(wanted: number): { number: number; at: number } {
    this.stay();
    this.scrollTo(wanted);
    this.scrolled();
    const { top } = this.port.place;
    const line = Math.max(1, Math.floor(top));
    return { number: this.port.held.get(line)?.number ?? line, at: top };
  }

  private forgetRows(): void {
    this.awaitedEnd = undefined;
    this.kept = undefined;
    this.port.forgetRows();
  }

  /** They are others: what waits for one of them waits in vain. */
  private replaceRows(): void {
    this.awaitedRecord = undefined;
    this.forgetRows();
  }

  private measureAgain(): void {
    this.port.measure();
    this.draw();
  }
}
