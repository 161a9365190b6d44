/** The rows on the screen. The position is a line with a fraction; only what is visible, and a little around it, is here. */

import "./wrapping.css";
import type { Place, Position, Row, TextRange, Total } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { HeldRows } from "./heldRows";
import { paint } from "./highlights";
import { element } from "./host";
import type { Marked } from "./marks";
import { type Metrics, measure, onMetricsChanged } from "./metrics";
import { isComplete, offsetAt, type PlacedRow, reaches, scrollableColumns, startOf } from "./placedRow";
import { RowList, type ShownLine } from "./rowList";
import type { RowsWanted } from "./rowRequests";
import { Rules } from "./rules";
import * as scale from "./scale";
import { Scrollbars } from "./scrollbars";
import { columnsIn, isWholeLine, Selection } from "./selection";
import { applyTheme } from "./theme";
import { WRAPPED_COLUMNS, Wrapping } from "./wrapping";

/** Empty columns to the right of the longest visible line. */
const MARGIN_COLUMNS = 4;
/** Where a part of a line can start that is too long to be wrapped whole. */
const WRAPPED_STEP = 512;
/** The horizontal scrollbar lies over the lower edge: a line counts as visible above it. */
const ACROSS_HEIGHT = 12;

export class View {
  readonly selection = new Selection();
  matcher: RegExp | null = null;
  match: TextRange | null = null;
  readonly rules = new Rules();
  /** Lines of the file. */
  bookmarks = new Set<number>();
  /** Where those are that a filter shows. */
  bookmarkRows: number[] = [];
  /** Rows with matches, to be marked on the scrollbar. */
  matchingRows: number[] = [];
  /** Only some lines are shown, each with its own number: a row is counted among those. */
  private filtered = false;
  private fileLines = 0;
  /** The file's number of the row that was last the current one. */
  private lastNumber = 1;
  private place: Place = { top: 1, line: 1, column: 0, left: 0 };
  private total: Total = { lines: 0, exact: true };
  private tabSize = 4;
  private metrics: Metrics = { rowHeight: 19, charWidth: 8 };
  private readonly held: HeldRows;
  private frame = 0;
  /** What the find widget covers at the upper edge, in pixels. */
  private covered = 0;
  /** A last line to be shown as soon as its text is here: new lines of a followed file come without flicker. */
  private awaitedEnd: number | undefined;
  /** `End` was pressed on a line that has not arrived yet. */
  private wantsLineEnd = false;
  /** A match that is to be in sight. Where it is on the screen is known once its text is drawn. */
  private revealed: TextRange | undefined;
  /** What stayed in sight when lines were last wrapped or unwrapped. It stays so the next time, unless the reader went elsewhere. */
  private kept: Position | undefined;
  /** What a jump aims at: with every wrapped line that is measured, it gets nearer. Scrolling ends it. */
  private aim: (() => number) | undefined;
  private readonly wrapping = new Wrapping(
    (line) => {
      const row = this.held.get(line);
      const columns = Math.min(WRAPPED_COLUMNS, this.columnsOf(row));
      return row && Math.ceil(columns / Math.floor(this.visibleColumns));
    },
    () => this.total.lines,
  );
  private readonly grid = element("#rows");
  private readonly rows = new RowList(this.grid);
  private readonly empty = element("#empty");
  private readonly scrollbars = new Scrollbars(
    (top) => this.dragDown(top),
    (left) => this.scrollAcross(left - this.place.left),
  );

  constructor(
    request: (wanted: RowsWanted) => void,
    private readonly moved: () => void,
    private readonly scrolled: () => void,
    private readonly findLineEnd: (line: number) => void,
  ) {
    this.held = new HeldRows(request);
    onMetricsChanged(
      this.grid,
      () => this.measureAgain(),
      () => {
        applyTheme();
        this.rules.refresh();
        this.rows.clear(); // some colours were chosen to be readable on the theme's own
      },
    );
    applyTheme();
  }

  open(total: Total, place: Place, tabSize: number): void {
    this.tabSize = tabSize;
    this.grid.style.tabSize = String(tabSize);
    this.forgetRows();
    this.rows.clear();
    this.filtered = false;
    this.fileLines = total.lines;
    this.total = total;
    this.place = place;
    this.wrapping.on = place.wraps ?? false;
    this.grid.classList.toggle("wraps", this.wraps);
    this.measureAgain();
    this.scrollTo(place.top);
  }

  /** Shows other lines from now on: those that a filter lets through, or all of them. */
  show(lines: { filtered: boolean; total: Total; fileLines: number; line: number }): void {
    this.lastNumber = this.numberOf(this.place.line);
    this.match = null;
    this.matchingRows = [];
    this.bookmarkRows = [];
    this.selection.clear();
    this.forgetRows();
    this.rows.clear();
    this.filtered = lines.filtered;
    this.fileLines = lines.fileLines;
    this.total = lines.total;
    this.centre(lines.line);
  }

  get isFiltered(): boolean {
    return this.filtered;
  }

  /** The file's number of a row; of one that has not arrived yet, that of the one the reader was at before. */
  numberOf(line: number): number {
    return this.filtered ? (this.held.get(line)?.number ?? this.lastNumber) : line;
  }

  /** Whether it is known which line of the file the current row is. */
  get isNumbered(): boolean {
    return !this.filtered || this.held.has(this.place.line) || this.total.lines === 0;
  }

  /** Where the reader is in the whole file. */
  get placeInFile(): Place {
    const { line, top } = this.place;
    const number = this.numberOf(line);
    return this.filtered ? { ...this.place, line: number, top: number - (line - top) } : this.place;
  }

  get wraps(): boolean {
    return this.wrapping.on;
  }

  /** Breaks lines at the right edge, or stops that. The text that is in sight stays. */
  wrap(on: boolean): void {
    const { line, column } = this.kept ?? this.inSight;
    const top = Math.floor(this.place.top);
    const above = column === 0 ? 0 : line - this.place.top;
    this.wrapping.on = on;
    this.place.wraps = on;
    this.grid.classList.toggle("wraps", on);
    this.place.left = on && column >= WRAPPED_COLUMNS / 2 ? column : 0;
    this.forgetRows();
    if (column > 0) {
      this.place.line = line;
    }
    if (on) {
      this.aimAt(() => this.wrapping.advance(this.wrappedPosition({ line, column }), -above));
    } else {
      this.aimAt(() => top);
      this.showColumn({ line, column });
    }
    this.kept = { line, column };
  }

  /** The file is another: every row is asked for again, at the same place. Returns what was on the screen. */
  changed(total: Total): string[] {
    const old = this.rows.all.map(({ row }) => row?.text ?? "");
    this.match = null;
    this.selection.clear();
    this.place.column = 0;
    this.forgetRows();
    this.setTotal(total);
    return old;
  }

  /** Asks for every row again; what is on the screen stays until it comes. */
  refresh(): void {
    this.forgetRows();
    this.draw();
  }

  /** Whether the reader is at the last line; in a file that fits on the screen, by the current line. */
  get isAtEnd(): boolean {
    if (this.awaitedEnd !== undefined) {
      return true;
    }
    if (this.wraps) {
      return this.bottom >= this.total.lines + 1;
    }
    const last = scale.maxTop(this.extent);
    return this.place.top >= last - 1 && (last > 1 || this.place.line === this.total.lines);
  }

  /** An estimate never takes away a line that was there. */
  setTotal({ lines, exact }: Total, fileLines = lines): void {
    this.fileLines = fileLines;
    // The last line may have been continued.
    this.held.forgetFrom(this.total.exact ? this.total.lines : Number.POSITIVE_INFINITY);
    this.total = { lines: exact ? lines : Math.max(lines, this.total.lines), exact };
    this.keepInView(this.place.line);
  }

  /** The request under way will not be answered. */
  failed(): void {
    this.held.failed();
  }

  /** Whether there is anything to read on the screen. */
  get hasText(): boolean {
    return this.rows.all.some(({ row }) => row !== undefined);
  }

  receive(first: number, column: number, rows: Row[]): void {
    const isShorter = rows.some((row, index) => row.length < (this.held.get(first + index)?.length ?? 0));
    if (!this.held.receive(first, column, rows)) {
      return;
    }
    for (const index of rows.keys()) {
      this.wrapping.forgetLine(first + index);
    }
    if (isShorter || this.wraps) {
      this.place.left = Math.min(this.place.left, this.wraps ? this.lastPart : this.maxLeft);
    }
    this.showAwaitedEnd();
    if (this.filtered && this.isNumbered) {
      this.lastNumber = this.numberOf(this.place.line);
      this.moved(); // by its own number
    }
    if (this.wantsLineEnd && this.held.has(this.place.line)) {
      this.toLineEnd();
    }
    this.draw();
  }

  get current(): Place {
    return this.place;
  }

  get lines(): Total {
    return this.total;
  }

  /** How many rows are wholly visible. */
  get fullRows(): number {
    return Math.max(1, Math.floor(this.screenRows));
  }

  /** Line 1 can be scrolled below what covers the upper edge. */
  coverTop(pixels: number): void {
    this.covered = pixels;
    this.scrollTo(this.place.top);
  }

  scrollTo(wanted: number): void {
    this.place.top = scale.clampTop(wanted, this.extent);
    // Keep the current line in the viewport; of a wrapped one, a part of it.
    const { top } = this.place;
    const [first, end] = this.wraps
      ? [Math.floor(top), Math.ceil(this.bottom)]
      : [Math.ceil(top), Math.floor(top + this.extent.rows)];
    const last = Math.max(Math.floor(top), Math.min(this.total.lines, end - 1));
    this.makeCurrent(Math.min(Math.max(this.place.line, first), last));
    this.draw();
    this.moved();
  }

  /** By rows of the screen: lines, unless they are wrapped. */
  scrollBy(rows: number): void {
    const { top } = this.place;
    this.stay();
    this.scrollTo(this.wraps && top >= 1 ? this.wrapping.advance(top, rows) : top + rows);
    this.scrolled();
  }

  scrollAcross(columns: number): void {
    this.kept = undefined;
    if (this.wraps) {
      this.showPart(
        this.place.left + Math.sign(columns) * Math.min(WRAPPED_COLUMNS / 2, Math.abs(columns) * 128),
      );
      return;
    }
    this.revealed = undefined;
    this.place.left = Math.max(0, Math.min(this.place.left + columns, this.maxLeft));
    this.draw();
    this.moved();
  }

  /** Makes a line the current one and scrolls no more than needed. */
  moveTo(line: number): void {
    if (!this.total.exact && line > this.total.lines) {
      this.total = { lines: line, exact: false };
    }
    this.wantsLineEnd = false;
    this.stay();
    this.keepInView(line);
  }

  private keepInView(line: number): void {
    const { top } = this.place;
    this.leaveFor(Math.min(line, this.total.lines));
    const shown = scale.clampTop(top, this.extent);
    this.aimAt(() =>
      this.wraps
        ? this.wrapping.topToReveal(this.place.line, Math.max(1, this.place.top), this.screenRows)
        : scale.topToReveal(this.place.line, shown, this.extent),
    );
  }

  /** The column of a match or a click means nothing in another line. */
  private leaveFor(line: number): void {
    this.place.column = line === this.place.line ? this.place.column : 0;
    this.makeCurrent(line);
  }

  /** Where lines are wrapped, `left` says which part is shown of this one. */
  private makeCurrent(line: number): void {
    const current = Math.max(1, line);
    if (this.wraps && current !== this.place.line) {
      this.place.left = this.held.get(current)?.column ?? 0;
    }
    this.place.line = current;
  }

  private aimAt(aim: () => number): void {
    this.kept = undefined;
    this.aim = this.wraps ? aim : undefined;
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
    if (this.wraps) {
      this.stay();
    } else {
      this.moveTo(at.line);
    }
    this.dragTo(at);
  }

  /** The same without scrolling. */
  dragTo({ line, column }: Position): void {
    this.kept = undefined;
    this.makeCurrent(Math.min(line, this.total.lines));
    this.place.column = column;
    this.draw();
    this.moved();
  }

  /** Shows the last line at the lower edge. `last`: the one whose text is here, if others have been appended since. */
  toEnd(last = this.total.lines): void {
    this.awaitedEnd = last < this.total.lines ? this.total.lines : undefined;
    this.leaveFor(last);
    this.aimAt(() => scale.maxTop({ ...this.extent, lines: last }));
  }

  /** The same once the text of the last line is here. What is on the screen stays until then. */
  toEndWithText(): void {
    if (this.total.lines > 0) {
      this.awaitedEnd ??= this.total.lines;
      this.showAwaitedEnd();
      this.draw();
    }
  }

  /** As far as the text is here; what has been appended since is awaited in turn. */
  private showAwaitedEnd(): void {
    if (this.awaitedEnd !== undefined) {
      const last = [this.total.lines, this.awaitedEnd].find((line) => this.held.has(line));
      if (last !== undefined || this.held.isAbsent(this.awaitedEnd)) {
        this.toEnd(last);
      }
    }
  }

  /** Goes to a line and centres it; sideways to the start, unless its text is in sight as it is. */
  centre(line: number): void {
    this.moveTo(line);
    this.place.column = 0;
    if (this.place.left >= this.columnsOf(this.held.get(this.place.line))) {
      this.place.left = 0;
    }
    this.aimAt(() =>
      this.wraps
        ? this.wrapping.topToCentre(this.place.line, this.screenRows)
        : scale.topToCentre(this.place.line, this.extent),
    );
  }

  /** Shows a match, and not below the find widget. */
  reveal(match: TextRange): void {
    const { line, column } = match.start;
    this.moveTo(line);
    this.place.column = column;
    if (this.wraps) {
      this.revealWrapped(line, column);
    } else {
      this.showColumn({ line, column });
      this.revealed = match;
    }
  }

  /** Wide characters and tabs take more of the screen than one column each. */
  private correctRevealed(): void {
    const { start, end } = this.revealed ?? {};
    const row = this.rows.get(start?.line ?? 0);
    const held = this.held.get(start?.line ?? 0);
    if (!start || !end || row === undefined || held === undefined || !reaches(held, start.column)) {
      return; // not here yet
    }
    this.revealed = undefined;
    const { charWidth } = this.metrics;
    const middle = (this.visibleColumns * charWidth) / 2;
    const [left, right] = [start, end].map(({ column }) => row.leftOf(offsetAt(held, column)));
    const isCutOff = (right ?? 0) > 2 * middle - MARGIN_COLUMNS * charWidth;
    if (left !== undefined && (left < 0 || (isCutOff && left > middle))) {
      const perColumn = isComplete(held) ? charWidth : left / (start.column - this.place.left);
      this.place.left = Math.max(0, this.place.left + Math.round((left - middle) / perColumn));
      this.draw();
    }
  }

  private showColumn({ line, column }: Position): void {
    const { above } = this.extent;
    if (line < this.place.top + above) {
      this.scrollTo(line - Math.max(above, Math.floor(this.fullRows / 2)));
    }
    const visible = this.visibleColumns;
    if (column < this.place.left || column > this.place.left + visible - MARGIN_COLUMNS) {
      this.place.left = column < visible - MARGIN_COLUMNS ? 0 : Math.max(0, column - Math.floor(visible / 2));
      this.draw();
    }
  }

  toLineStart(): void {
    this.wantsLineEnd = false;
    if (this.wraps) {
      this.revealWrapped(this.place.line, 0);
    } else {
      this.scrollAcross(-this.place.left);
    }
  }

  /** Shows the end of the current line, which may have to be found first. */
  toLineEnd(): void {
    this.kept = undefined;
    this.revealed = undefined;
    const row = this.held.get(this.place.line);
    this.wantsLineEnd = row === undefined || (row.open && !isComplete(row));
    if (row === undefined) {
      return;
    }
    if (this.wantsLineEnd) {
      this.findLineEnd(this.place.line);
      return;
    }
    if (this.wraps) {
      this.revealWrapped(this.place.line, row.length);
      return;
    }
    this.place.left = Math.max(0, Math.ceil(this.columnsOf(row) + MARGIN_COLUMNS - this.visibleColumns));
    this.draw();
    this.moved();
  }

  foundLineEnd(line: number, length: number): void {
    this.held.setLength(line, length);
    if (this.wantsLineEnd && line === this.place.line) {
      this.toLineEnd();
    }
  }

  /** Tells the extension of a position or selection that changed without scrolling. */
  announceMove(): void {
    this.moved();
  }

  textOf(line: number): PlacedRow | undefined {
    return this.held.get(line);
  }

  /** Which line and column a point of the page belongs to. */
  positionAt(x: number, y: number): Position {
    const box = this.grid.getBoundingClientRect();
    const rows = (y - box.top) / this.metrics.rowHeight;
    const at = this.wraps ? this.wrapping.advance(this.place.top, rows) : this.place.top + rows;
    const line = Math.max(1, Math.floor(at)); // there may be an empty space above line 1
    if (line > this.total.lines) {
      return { line: this.total.lines + 1, column: 0 };
    }
    const row = this.rows.get(line);
    const caret = document.caretRangeFromPoint(x, y);
    if (row === undefined || caret === null || !row.element.contains(caret.startContainer)) {
      return { line, column: 0 };
    }
    return { line, column: row.columnAt(caret.startContainer, caret.startOffset) };
  }

  draw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.drawRows();
      this.correctRevealed();
      this.drawScrollbars();
      paint(this.rows.all, this.selection.range, this.matcher, this.match, this.rules);
    });
  }

  /** In lines. Where they are wrapped, as many fit as on the last screen. */
  private get extent(): Required<scale.Extent> {
    const { lines } = this.total;
    const rows = this.wraps ? lines + 2 - this.wrapping.maxTop(this.screenRows) : this.screenRows;
    return { lines, rows, above: Math.ceil(this.covered / this.metrics.rowHeight) };
  }

  private get screenRows(): number {
    return Math.max(1, (this.grid.clientHeight - ACROSS_HEIGHT) / this.metrics.rowHeight);
  }

  /** The line at the lower edge, where lines are wrapped. */
  private get bottom(): number {
    return this.wrapping.advance(this.place.top, this.screenRows);
  }

  /** Shows a column of a wrapped line, and where the line is longer than what is shown of it, the part around the column. */
  private revealWrapped(line: number, column: number): void {
    const row = this.held.get(line);
    const from = row?.column ?? 0;
    if (column < from || column > from + WRAPPED_COLUMNS - this.visibleColumns) {
      this.showPart(column - WRAPPED_COLUMNS / 2);
    }
    this.aimAt(() => {
      const target = this.wrappedPosition({ line, column });
      const above = this.wrapping.advance(this.place.top, this.extent.above);
      const below = this.wrapping.advance(this.place.top, this.screenRows - 2);
      if (target >= above && target <= below) {
        return this.place.top;
      }
      const centred = this.wrapping.advance(target, -Math.floor(this.screenRows / 2));
      return centred <= 1 ? scale.minTop(this.extent) : centred;
    });
  }

  /** Where a column is while lines are wrapped: the line, with the share of its rows above that one. */
  private wrappedPosition({ line, column }: Position): number {
    const rows = this.wrapping.rowsOf(line);
    const start = this.held.get(line)?.column ?? 0;
    const row = Math.floor((column - start) / Math.floor(this.visibleColumns));
    return line + Math.min(rows - 1, Math.max(0, row)) / rows;
  }

  /** What must not go out of sight when the way lines are shown changes: far inside a long line that place, else the upper edge. */
  private get inSight(): Position {
    const { top, left } = this.place;
    const upper = { line: Math.max(1, Math.floor(top)), column: 0 };
    return (this.wraps ? this.wrappedTextInSight(upper.line) : this.textFrom(left)) ?? upper;
  }

  /** The place last pointed at or found, else the left edge, in a line that has text there. */
  private textFrom(left: number): Position | undefined {
    const { line: current, column } = this.place;
    const { first, end } = this.visibleLines;
    const isLong = (line: number) => left > 0 && this.columnsOf(this.held.get(line)) > left;
    const line = [current, ...range(first, end)].find(isLong);
    const isSeen = line === current && column >= left && column < left + this.visibleColumns;
    return line === undefined ? undefined : { line, column: isSeen ? column : Math.floor(left) };
  }

  /** Of a line that fills the screen, the place last pointed at or found, else the first character on the screen. */
  private wrappedTextInSight(upper: number): Position | undefined {
    const { line, column, top } = this.place;
    const fills = (line: number) => this.wrapping.rowsOf(line) >= this.fullRows;
    const { column: start = 0, text = "" } = this.held.get(line) ?? {};
    const position = this.wrappedPosition({ line, column });
    const isHere = column > start && column < start + text.length;
    if (fills(line) && isHere && position >= top && position < this.bottom) {
      return { line, column };
    }
    const { left, top: edge } = this.grid.getBoundingClientRect();
    const corner = this.positionAt(left + this.gutterWidth + 1, edge + this.metrics.rowHeight / 2);
    return fills(upper) && corner.line === upper ? corner : undefined;
  }

  /** Of a line that is too long to be wrapped whole, the part from a column on. */
  private showPart(column: number): void {
    this.place.left = Math.max(0, Math.min(column, this.lastPart));
    this.draw();
    this.moved();
  }

  /** Where the last part of the current line starts; while its length is not known, anywhere. */
  private get lastPart(): number {
    const { length = Number.POSITIVE_INFINITY } = this.held.get(this.place.line) ?? {};
    return length <= WRAPPED_COLUMNS ? 0 : length - WRAPPED_COLUMNS / 2;
  }

  private get visibleColumns(): number {
    return Math.max(1, (this.grid.clientWidth - this.gutterWidth) / this.metrics.charWidth);
  }

  private get gutterWidth(): number {
    const digits = Math.max(4, formatNumber(Math.max(this.fileLines, this.total.lines)).length);
    return (digits + 3) * this.metrics.charWidth;
  }

  private get visibleLines(): { first: number; end: number } {
    const first = Math.max(1, Math.floor(this.place.top));
    const rows = this.grid.clientHeight / this.metrics.rowHeight;
    const bottom = this.wraps ? this.wrapping.advance(this.place.top, rows) : this.place.top + rows;
    return { first, end: Math.min(this.total.lines + 1, Math.ceil(bottom)) };
  }

  private get maxLeft(): number {
    if (this.wraps) {
      return 0;
    }
    const { first, end } = this.visibleLines;
    let longest = 0;
    for (let line = first; line < end; line += 1) {
      longest = Math.max(longest, this.columnsOf(this.held.get(line)));
    }
    return Math.max(0, longest + MARGIN_COLUMNS - Math.floor(this.visibleColumns));
  }

  private columnsOf(row: PlacedRow | undefined): number {
    return row === undefined ? 0 : scrollableColumns(row, this.tabSize, this.visibleColumns);
  }

  private drawRows(): void {
    const { first, end } = this.visibleLines;
    const { line: current } = this.place;
    const lines = range(first, end);
    const isMissing = (line: number) => !this.held.has(line) && !this.rows.has(line);
    const missing = this.awaitedEnd === undefined ? -1 : lines.findIndex(isMissing);
    this.rows.show(missing < 0 ? lines : lines.slice(0, missing), (line) => this.look(line));
    const hidden =
      (this.place.top - first) * (this.wraps && this.place.top >= 1 ? this.wrapping.rowsOf(first) : 1);
    this.grid.style.setProperty("--scrolled-out", `${-hidden * this.metrics.rowHeight}px`);
    document.body.style.setProperty("--gutter", `${this.gutterWidth}px`);
    this.grid.setAttribute("aria-rowcount", String(this.total.exact ? this.total.lines : -1));
    this.empty.hidden = this.filtered || this.total.lines > 0 || !this.total.exact;
    if (this.rows.has(current)) {
      this.grid.setAttribute("aria-activedescendant", `line-${current}`);
    } else {
      this.grid.removeAttribute("aria-activedescendant");
    }
    if (this.wraps) {
      this.measureRows();
    }
    if (this.awaitedEnd === undefined) {
      this.fetch(first, end);
    } else {
      const top = scale.maxTop({ ...this.extent, lines: this.awaitedEnd });
      this.fetch(Math.floor(top), this.awaitedEnd + 1);
    }
  }

  private look(line: number): ShownLine {
    const row = this.held.get(line);
    const { range } = this.selection;
    const columns = range && columnsIn(range, line);
    return {
      number: this.filtered ? undefined : line,
      row,
      shift:
        row === undefined || this.wraps
          ? 0
          : startOf(row, this.place.left, this.tabSize) * this.metrics.charWidth,
      marks: {
        current: line === this.place.line,
        selected: columns !== null && isWholeLine(columns),
        bookmarked: this.bookmarks.has(this.filtered ? (row?.number ?? 0) : line),
        tint: row === undefined ? "" : this.rules.tintOf(row.text),
      },
    };
  }

  /** What a wrapped line takes is known once it was laid out; where it was taken for another height, all is drawn again. */
  private measureRows(): void {
    const heights = this.rows.all.map(
      ({ line, element }) => [line, Math.round(element.offsetHeight / this.metrics.rowHeight)] as const,
    );
    const isNews = heights.map(([line, rows]) => this.held.has(line) && this.wrapping.learn(line, rows));
    if (isNews.includes(true)) {
      this.place.top = scale.clampTop(this.aim?.() ?? this.place.top, this.extent);
      this.draw();
    }
  }

  private fetch(first: number, end: number): void {
    const { column, width } = this.wraps
      ? { column: 0, width: WRAPPED_COLUMNS }
      : scale.columnsAround(this.place.left, this.visibleColumns);
    const part = this.wraps ? Math.floor(this.place.left / WRAPPED_STEP) * WRAPPED_STEP : 0;
    const current = this.held.get(this.place.line);
    const missing = (line: number) => {
      const row = this.held.get(line);
      // Where lines are wrapped, each stays at the part that was last shown of it.
      const isElsewhere = !this.wraps && row !== undefined && row.column !== column && !isComplete(row);
      return !this.held.isAbsent(line) && (row === undefined || isElsewhere);
    };
    if (range(first, end).some(missing)) {
      const around = Math.ceil((end - first) / 2);
      const from = Math.max(1, first - around);
      // Those after the last one may be there by now, or not: that is no news about the lines that are known.
      const to = this.total.exact ? Math.min(end + around, this.total.lines + 1) : end + around;
      this.held.request({ first: from, count: to - from, column, width });
    } else if (this.wraps && current !== undefined && current.column !== part && !isComplete(current)) {
      this.held.request({ first: this.place.line, count: 1, column: part, width });
    }
    this.held.forgetFarFrom(first, end);
  }

  private drawScrollbars(): void {
    const { top, line, left } = this.place;
    const columns = { lines: this.maxLeft + this.visibleColumns - 1, rows: this.visibleColumns };
    const rows = { extent: this.extent, at: top };
    this.scrollbars.draw(rows, { extent: columns, at: left + 1 }, line, this.marked());
  }

  private marked(): Marked[] {
    const match = this.match === null ? [] : [this.match.start.line];
    return [
      {
        lines: this.filtered ? this.bookmarkRows : this.bookmarks,
        color: "--vscode-charts-blue",
        from: 0,
        to: 0.3,
      },
      {
        lines: this.matchingRows,
        color: "--vscode-editorOverviewRuler-findMatchForeground",
        from: 0.35,
        to: 0.75,
      },
      { lines: match, color: "--vscode-editorOverviewRuler-findMatchForeground", from: 0, to: 1 },
    ];
  }

  private dragDown(wanted: number): { number: number; at: number } {
    this.stay();
    this.scrollTo(wanted);
    this.scrolled();
    const { top } = this.place;
    const line = Math.max(1, Math.floor(top));
    return { number: this.held.get(line)?.number ?? line, at: top };
  }

  private forgetRows(): void {
    this.awaitedEnd = undefined;
    this.kept = undefined;
    this.wrapping.forget();
    this.held.forgetAll();
  }

  private measureAgain(): void {
    this.metrics = measure(this.grid);
    this.wrapping.setWidth(this.grid.clientWidth / this.metrics.charWidth);
    this.grid.style.setProperty("--row-height", `${this.metrics.rowHeight}px`);
    this.place.top = scale.clampTop(this.place.top, this.extent);
    this.draw();
  }
}

function range(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}
