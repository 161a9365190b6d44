/** The rows on the screen. The position is a line with a fraction; only what is visible, and a little around it, is here. */

import type { Place, Position, Row, TextRange, Total } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { paint } from "./highlights";
import { element } from "./host";
import { type Marked, ScrollbarMarks } from "./marks";
import { type Metrics, measure, onMetricsChanged } from "./metrics";
import { type PlacedRow, RowElement } from "./row";
import { RowRequests, type RowsWanted } from "./rowRequests";
import { Rules } from "./rules";
import * as scale from "./scale";
import { Scrollbar } from "./scrollbar";
import { columnsIn, isWholeLine, Selection } from "./selection";
import { applyTheme } from "./theme";

/** Empty columns to the right of the longest visible line. */
const MARGIN_COLUMNS = 4;
/** The horizontal scrollbar lies over the lower edge: a line counts as visible above it. */
const ACROSS_HEIGHT = 12;

export class View {
  readonly selection = new Selection();
  matcher: RegExp | null = null;
  match: TextRange | null = null;
  readonly rules = new Rules();
  /** Lines of the file. */
  bookmarks = new Set<number>();
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
  private readonly held = new Map<number, PlacedRow>();
  private elements = new Map<number, RowElement>();
  /** Lines from here on were asked for and are not there: an estimated total was too high. */
  private absentFrom = Number.POSITIVE_INFINITY;
  private frame = 0;
  /** What the find widget covers at the upper edge, in pixels. */
  private covered = 0;
  /** `End` was pressed on a line that has not arrived yet. */
  private wantsLineEnd = false;
  private readonly grid = element("#rows");
  private readonly where = element("#where");
  private readonly marks = new ScrollbarMarks(element<HTMLCanvasElement>("#down .marks"));
  private readonly empty = element("#empty");
  private readonly requests: RowRequests;
  private readonly down: Scrollbar;
  private readonly across: Scrollbar;

  constructor(
    request: (wanted: RowsWanted) => void,
    private readonly moved: () => void,
    private readonly scrolled: () => void,
  ) {
    this.requests = new RowRequests(request);
    const release = () => {
      this.where.hidden = true;
    };
    this.down = new Scrollbar(element("#down"), "y", (offset) => this.dragDown(offset), release);
    this.across = new Scrollbar(element("#across"), "x", (offset) => this.dragAcross(offset), release);
    onMetricsChanged(
      this.grid,
      () => this.measureAgain(),
      () => {
        applyTheme();
        this.rules.refresh();
      },
    );
    applyTheme();
  }

  open(total: Total, place: Place, tabSize: number): void {
    this.tabSize = tabSize;
    this.grid.style.tabSize = String(tabSize);
    this.forgetRows();
    this.elements.clear();
    this.filtered = false;
    this.fileLines = total.lines;
    this.total = total;
    this.place = place;
    this.measureAgain();
    this.scrollTo(place.top);
  }

  /** Shows other lines from now on: those that a filter lets through, or all of them. */
  show(lines: { filtered: boolean; total: Total; fileLines: number; line: number }): void {
    this.lastNumber = this.numberOf(this.place.line);
    this.match = null;
    this.matchingRows = [];
    this.selection.clear();
    this.forgetRows();
    this.elements.clear();
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

  /** The file is another: every row is asked for again, at the same place. Returns what was on the screen. */
  changed(total: Total): string[] {
    const old = [...this.elements.values()].map((row) => row.row?.text ?? "");
    this.match = null;
    this.selection.clear();
    this.forgetRows();
    this.setTotal(total);
    return old;
  }

  /** Whether the reader is at the last line; in a file that fits on the screen, by the current line. */
  get isAtEnd(): boolean {
    const last = scale.maxTop(this.extent);
    return this.place.top >= last - 1 && (last > 1 || this.place.line === this.total.lines);
  }

  /** An estimate never takes away a line that was there. */
  setTotal({ lines, exact }: Total, fileLines = lines): void {
    this.fileLines = fileLines;
    if (this.total.exact && lines !== this.total.lines) {
      this.forgetFrom(this.total.lines); // the last line may have been continued
    }
    this.total = { lines: exact ? lines : Math.max(lines, this.total.lines), exact };
    this.absentFrom = Number.POSITIVE_INFINITY;
    this.moveTo(this.place.line, this.place.top);
  }

  /** The request under way will not be answered. */
  failed(): void {
    this.requests.reset();
  }

  receive(first: number, column: number, rows: Row[]): void {
    rows.forEach((row, index) => {
      this.held.set(first + index, { ...row, column });
    });
    const asked = this.requests.answered(first, column);
    if (asked !== undefined && rows.length < asked.count) {
      this.absentFrom = Math.min(this.absentFrom, first + rows.length);
    }
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
    return Math.max(1, Math.floor(this.extent.rows));
  }

  /** Line 1 can be scrolled below what covers the upper edge. */
  coverTop(pixels: number): void {
    this.covered = pixels;
    this.scrollTo(this.place.top);
  }

  scrollTo(top: number): void {
    this.place.top = scale.clampTop(top, this.extent);
    // Keep the current line in the viewport.
    const last = Math.min(this.total.lines, Math.floor(this.place.top + this.extent.rows) - 1);
    this.place.line = Math.max(1, Math.min(Math.max(this.place.line, Math.ceil(this.place.top)), last));
    this.draw();
    this.moved();
  }

  scrollBy(lines: number): void {
    this.scrollTo(this.place.top + lines);
    this.scrolled();
  }

  scrollAcross(columns: number): void {
    this.place.left = Math.max(0, Math.min(this.place.left + columns, this.maxLeft));
    this.draw();
    this.moved();
  }

  /** Makes a line the current one and scrolls no more than needed. */
  moveTo(line: number, top = this.place.top): void {
    if (!this.total.exact && line > this.total.lines) {
      this.total = { lines: line, exact: false };
    }
    this.wantsLineEnd = false;
    this.place.line = Math.max(1, Math.min(line, this.total.lines));
    const shown = scale.clampTop(top, this.extent);
    this.scrollTo(scale.topToReveal(this.place.line, shown, this.extent));
  }

  /** Shows the last line at the lower edge. */
  toEnd(): void {
    this.place.line = Math.max(1, this.total.lines);
    this.scrollTo(scale.maxTop(this.extent));
  }

  /** Goes to a line and centres it; sideways to the start, unless its text is in sight as it is. */
  centre(line: number): void {
    this.moveTo(line);
    this.place.column = 0;
    if (this.place.left >= this.columnsOf(this.held.get(this.place.line))) {
      this.place.left = 0;
    }
    this.scrollTo(scale.topToCentre(this.place.line, this.extent));
  }

  /** Shows a match, and not below the find widget. */
  reveal({ line, column }: Position): void {
    this.moveTo(line);
    this.place.column = column;
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
    this.scrollAcross(-this.place.left);
  }

  toLineEnd(): void {
    this.wantsLineEnd = !this.held.has(this.place.line);
    if (this.wantsLineEnd) {
      return;
    }
    const length = this.columnsOf(this.held.get(this.place.line));
    this.place.left = Math.max(0, length + MARGIN_COLUMNS - Math.floor(this.visibleColumns));
    this.draw();
    this.moved();
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
    const line = Math.floor(this.place.top + (y - box.top) / this.metrics.rowHeight);
    if (line > this.total.lines) {
      return { line: Math.max(1, this.total.lines + 1), column: 0 };
    }
    const row = this.elements.get(Math.max(1, line));
    const caret = document.caretRangeFromPoint(x, y);
    if (row === undefined || caret === null || !row.element.contains(caret.startContainer)) {
      return { line: Math.max(1, line), column: 0 };
    }
    return { line, column: row.columnAt(caret.startContainer, caret.startOffset) };
  }

  draw(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.drawRows();
      this.drawScrollbars();
      paint([...this.elements.values()], this.selection.range, this.matcher, this.match, this.rules);
    });
  }

  private get extent(): Required<scale.Extent> {
    const { rowHeight } = this.metrics;
    const rows = Math.max(1, (this.grid.clientHeight - ACROSS_HEIGHT) / rowHeight);
    return { lines: this.total.lines, rows, above: Math.ceil(this.covered / rowHeight) };
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
    return { first, end: Math.min(this.total.lines + 1, Math.ceil(this.place.top + rows)) };
  }

  private get maxLeft(): number {
    const { first, end } = this.visibleLines;
    let longest = 0;
    for (let line = first; line < end; line += 1) {
      longest = Math.max(longest, this.columnsOf(this.held.get(line)));
    }
    return Math.max(0, longest + MARGIN_COLUMNS - Math.floor(this.visibleColumns));
  }

  /** A line whose end is not known yet can always be scrolled a little further. */
  private columnsOf(row: PlacedRow | undefined): number {
    if (row === undefined) {
      return 0;
    }
    const more = row.open ? this.visibleColumns : 0;
    return isComplete(row) ? scale.displayColumns(row.text, this.tabSize) : row.length + more;
  }

  private drawRows(): void {
    const { first, end } = this.visibleLines;
    const { left, line: current } = this.place;
    const range = this.selection.range;
    const rows = new Map<number, RowElement>();
    for (let line = first; line < end; line += 1) {
      const row = this.elements.get(line) ?? new RowElement(line, this.filtered ? undefined : line);
      rows.set(line, row);
      const held = this.held.get(line);
      if (held !== undefined) {
        row.show(held);
        row.shift((held.column - left) * this.metrics.charWidth);
      }
      const columns = range && columnsIn(range, line);
      row.mark({
        current: line === current,
        selected: columns !== null && isWholeLine(columns),
        bookmarked: this.bookmarks.has(this.filtered ? (held?.number ?? 0) : line),
        tint: held === undefined ? "" : this.rules.tintOf(held.text),
      });
    }
    this.elements = rows;
    this.arrange([...rows.values()].map((row) => row.element));
    this.grid.style.setProperty("--scrolled-out", `${-(this.place.top - first) * this.metrics.rowHeight}px`);
    document.body.style.setProperty("--gutter", `${this.gutterWidth}px`);
    this.grid.setAttribute("aria-rowcount", String(this.total.exact ? this.total.lines : -1));
    this.empty.hidden = this.filtered || this.total.lines > 0 || !this.total.exact;
    if (rows.has(current)) {
      this.grid.setAttribute("aria-activedescendant", `line-${current}`);
    } else {
      this.grid.removeAttribute("aria-activedescendant");
    }
    this.fetch(first, end);
  }

  /** In the order of the file, whatever was reused: assistive technology follows the document. */
  private arrange(rows: HTMLElement[]): void {
    const { children } = this.grid;
    // A row that is taken out, if only to be put back, forgets that it is being clicked.
    if (rows.length !== children.length || rows.some((row, index) => row !== children[index])) {
      this.grid.replaceChildren(...rows);
    }
  }

  private fetch(first: number, end: number): void {
    const { column, width } = scale.columnsAround(this.place.left, this.visibleColumns);
    const missing = (line: number) => {
      const row = this.held.get(line);
      return line < this.absentFrom && (row === undefined || (row.column !== column && !isComplete(row)));
    };
    const lines = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
    if (lines.some(missing)) {
      const around = Math.ceil((end - first) / 2);
      const from = Math.max(1, first - around);
      this.requests.want({ first: from, count: end + around - from, column, width });
    }
    const kept = 3 * (end - first);
    for (const line of this.held.keys()) {
      if (line < first - kept || line > end + kept) {
        this.held.delete(line);
      }
    }
  }

  private drawScrollbars(): void {
    const { extent, place } = this;
    const { track } = this.down;
    this.down.place(scale.thumbOffset(place.top, extent, track), scale.thumbLength(extent, track));
    this.down.announce(place.line, Math.max(1, this.total.lines));
    this.marks.draw(this.total.lines, this.marked());
    const columns = { lines: this.maxLeft + this.visibleColumns - 1, rows: this.visibleColumns };
    const across = this.across.track;
    this.across.place(scale.thumbOffset(place.left + 1, columns, across), scale.thumbLength(columns, across));
    this.across.announce(Math.round(place.left) + 1, Math.round(columns.lines));
  }

  private marked(): Marked[] {
    const match = this.match === null ? [] : [this.match.start.line];
    return [
      { lines: this.filtered ? [] : this.bookmarks, color: "--vscode-charts-blue", from: 0, to: 0.3 },
      {
        lines: this.matchingRows,
        color: "--vscode-editorOverviewRuler-findMatchForeground",
        from: 0.35,
        to: 0.75,
      },
      { lines: match, color: "--vscode-editorOverviewRuler-findMatchForeground", from: 0, to: 1 },
    ];
  }

  private dragDown(offset: number): void {
    this.scrollTo(scale.topAt(offset, this.extent, this.down.track));
    this.scrolled();
    const top = Math.max(1, Math.floor(this.place.top));
    this.where.textContent = formatNumber(this.held.get(top)?.number ?? top);
    this.where.hidden = false;
    const thumb = scale.thumbOffset(this.place.top, this.extent, this.down.track);
    this.where.style.transform = `translateY(${thumb}px)`;
  }

  private dragAcross(offset: number): void {
    const columns = { lines: this.maxLeft + this.visibleColumns - 1, rows: this.visibleColumns };
    this.scrollAcross(scale.topAt(offset, columns, this.across.track) - 1 - this.place.left);
  }

  private forgetFrom(first: number): void {
    for (const line of [...this.held.keys()].filter((each) => each >= first)) {
      this.held.delete(line);
    }
  }

  private forgetRows(): void {
    this.held.clear();
    this.requests.reset();
    this.absentFrom = Number.POSITIVE_INFINITY;
  }

  private measureAgain(): void {
    this.metrics = measure(this.grid);
    this.grid.style.setProperty("--row-height", `${this.metrics.rowHeight}px`);
    this.place.top = scale.clampTop(this.place.top, this.extent);
    this.draw();
  }
}

function isComplete(row: PlacedRow): boolean {
  return row.column === 0 && !row.open && row.text.length === row.length;
}
