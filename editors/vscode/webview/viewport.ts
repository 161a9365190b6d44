/** Where the reader is, what is here of the lines, and how much of them fits: positions and sizes, nothing is drawn. */

import "./wrapping.css";
import type { Place, Position, Total } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { HeldRows } from "./heldRows";
import { element } from "./host";
import { type Metrics, measure } from "./metrics";
import { isComplete, type PlacedRow, scrollableColumns } from "./placedRow";
import type { RowsWanted } from "./rowRequests";
import * as scale from "./scale";
import { WRAPPED_COLUMNS, Wrapping } from "./wrapping";

/** Empty columns to the right of the longest visible line. */
export const MARGIN_COLUMNS = 4;
/** Where a part of a line can start that is too long to be wrapped whole. */
const WRAPPED_STEP = 512;
/** Beside the digits of a number: the bookmark to the left of it, the space to the right. */
const GUTTER_COLUMNS = 5;

export class Viewport {
  /** Only some lines are shown, each with its own number: a row is counted among those. */
  filtered = false;
  fileLines = 0;
  /** The file's number of the row that was last the current one. */
  lastNumber = 1;
  place: Place = { top: 1, line: 1, column: 0, left: 0 };
  total: Total = { lines: 0, exact: true };
  tabSize = 4;
  metrics: Metrics = { rowHeight: 19, charWidth: 8 };
  readonly held: HeldRows;
  /** What the find widget covers at the upper edge, in pixels. */
  covered = 0;
  readonly wrapping = new Wrapping(
    (line) => {
      const row = this.held.get(line);
      const columns = Math.min(WRAPPED_COLUMNS, this.columnsOf(row));
      return row && Math.ceil(columns / Math.floor(this.visibleColumns));
    },
    () => this.total.lines,
  );
  readonly grid = element("#rows");

  constructor(request: (request: number, wanted: RowsWanted) => void) {
    this.held = new HeldRows(request);
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

  /** How many rows are wholly visible. */
  get fullRows(): number {
    return Math.max(1, Math.floor(this.screenRows));
  }

  /** In lines. Where they are wrapped, as many fit as on the last screen. */
  get extent(): Required<scale.Extent> {
    const { lines } = this.total;
    const rows = this.wraps ? lines + 2 - this.wrapping.maxTop(this.screenRows) : this.screenRows;
    return { lines, rows, above: Math.ceil(this.covered / this.metrics.rowHeight) };
  }

  get screenRows(): number {
    return Math.max(1, this.grid.clientHeight / this.metrics.rowHeight);
  }

  /** The line at the lower edge, where lines are wrapped. */
  get bottom(): number {
    return this.wrapping.advance(this.place.top, this.screenRows);
  }

  /** Where a column is while lines are wrapped: the line, with the share of its rows above that one. */
  wrappedPosition({ line, column }: Position): number {
    const rows = this.wrapping.rowsOf(line);
    const start = this.held.get(line)?.column ?? 0;
    const row = Math.floor((column - start) / Math.floor(this.visibleColumns));
    return line + Math.min(rows - 1, Math.max(0, row)) / rows;
  }

  /** The place last pointed at or found, else the left edge, in a line that has text there. */
  textFrom(left: number): Position | undefined {
    const { line: current, column } = this.place;
    const { first, end } = this.visibleLines;
    const isLong = (line: number) => left > 0 && this.columnsOf(this.held.get(line)) > left;
    const line = [current, ...range(first, end)].find(isLong);
    const isSeen = line === current && column >= left && column < left + this.visibleColumns;
    return line === undefined ? undefined : { line, column: isSeen ? column : Math.floor(left) };
  }

  /** Where the last part of the current line starts; while its length is not known, anywhere. */
  get lastPart(): number {
    const { length = Number.POSITIVE_INFINITY } = this.held.get(this.place.line) ?? {};
    return length <= WRAPPED_COLUMNS ? 0 : length - WRAPPED_COLUMNS / 2;
  }

  get visibleColumns(): number {
    return Math.max(1, (this.grid.clientWidth - this.gutterWidth) / this.metrics.charWidth);
  }

  get gutterWidth(): number {
    const digits = Math.max(4, formatNumber(Math.max(this.fileLines, this.total.lines)).length);
    return (digits + GUTTER_COLUMNS) * this.metrics.charWidth;
  }

  get visibleLines(): { first: number; end: number } {
    const first = Math.max(1, Math.floor(this.place.top));
    const rows = this.grid.clientHeight / this.metrics.rowHeight;
    const bottom = this.wraps ? this.wrapping.advance(this.place.top, rows) : this.place.top + rows;
    return { first, end: Math.min(this.total.lines + 1, Math.ceil(bottom)) };
  }

  get maxLeft(): number {
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

  columnsOf(row: PlacedRow | undefined): number {
    return row === undefined ? 0 : scrollableColumns(row, this.tabSize, this.visibleColumns);
  }

  fetch(first: number, end: number): void {
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

  /** Where lines are wrapped, `left` says which part is shown of this one. */
  makeCurrent(line: number): void {
    const current = Math.max(1, line);
    if (this.wraps && current !== this.place.line) {
      this.place.left = this.held.get(current)?.column ?? 0;
    }
    this.place.line = current;
  }

  /** Whether the last line is in sight; in a file that fits on the screen, whether it is the current one. */
  get isAtEnd(): boolean {
    if (this.wraps) {
      return this.bottom >= this.total.lines + 1;
    }
    const last = scale.maxTop(this.extent);
    return this.place.top >= last - 1 && (last > 1 || this.place.line === this.total.lines);
  }

  /** Keeps the current line in sight; of a wrapped one, a part of it. */
  scrollTo(wanted: number): void {
    this.place.top = scale.clampTop(wanted, this.extent);
    const { top } = this.place;
    const [first, end] = this.wraps
      ? [Math.floor(top), Math.ceil(this.bottom)]
      : [Math.ceil(top), Math.floor(top + this.extent.rows)];
    const last = Math.max(Math.floor(top), Math.min(this.total.lines, end - 1));
    this.makeCurrent(Math.min(Math.max(this.place.line, first), last));
  }

  /** The upper edge that shows the current line with the smallest move from one that was before. */
  topToReveal(before: number): number {
    const { line, top } = this.place;
    return this.wraps
      ? this.wrapping.topToReveal(line, Math.max(1, top), this.screenRows)
      : scale.topToReveal(line, before, this.extent);
  }

  topToCenter(): number {
    const { line } = this.place;
    return this.wraps
      ? this.wrapping.topToCenter(line, this.screenRows)
      : scale.topToCenter(line, this.extent);
  }

  /** The upper edge that shows a column of a wrapped line: the present one, or one that centers it. */
  topToRevealWrapped(position: Position): number {
    const { top } = this.place;
    const target = this.wrappedPosition(position);
    const above = this.wrapping.advance(top, this.extent.above);
    const below = this.wrapping.advance(top, this.screenRows - 2);
    if (target >= above && target <= below) {
      return top;
    }
    const centered = this.wrapping.advance(target, -Math.floor(this.screenRows / 2));
    return centered <= 1 ? scale.minTop(this.extent) : centered;
  }

  setWraps(on: boolean): void {
    this.wrapping.on = on;
    this.grid.classList.toggle("wraps", on);
  }

  /** None of the rows is of use any more. */
  forgetRows(): void {
    this.wrapping.forget();
    this.held.forgetAll();
  }

  /** The pane, the font or the theme is another. */
  measure(): void {
    this.metrics = measure(this.grid);
    this.wrapping.setWidth(this.grid.clientWidth / this.metrics.charWidth);
    this.grid.style.setProperty("--row-height", `${this.metrics.rowHeight}px`);
    this.place.top = scale.clampTop(this.place.top, this.extent);
  }
}

export function range(first: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
}
