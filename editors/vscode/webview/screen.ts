/** The rows and scrollbars on the screen, drawn from what the viewport holds. */

import type { LineRecord, Position } from "../src/viewer/messages";
import type { Decorations } from "./decorations";
import { element } from "./host";
import { startOf } from "./placedRow";
import type { RowElement } from "./row";
import { RowList, type ShownLine } from "./rowList";
import * as scale from "./scale";
import { Scrollbars } from "./scrollbars";
import { range, type Viewport } from "./viewport";

export interface ScreenHost {
  /** Scrolls; returns the number of the line that is then at the upper edge, and where that is. */
  scrollDown(top: number): { number: number; at: number };
  scrollAcross(left: number): void;
  /** Shows the first line of a record above the lines; null: none. */
  showHeader(record: LineRecord | null): void;
}

export class Screen {
  private readonly rows: RowList;
  private readonly empty = element("#empty");
  private readonly scrollbars: Scrollbars;

  constructor(
    private readonly port: Viewport,
    private readonly decorations: Decorations,
    private readonly host: ScreenHost,
  ) {
    this.rows = new RowList(port.grid);
    this.scrollbars = new Scrollbars(
      (top) => host.scrollDown(top),
      (left) => host.scrollAcross(left),
    );
  }

  row(line: number): RowElement | undefined {
    return this.rows.get(line);
  }

  /** Nothing of what is shown is reused. */
  clear(): void {
    this.rows.clear();
  }

  /** Whether there is anything to read on the screen. */
  get hasText(): boolean {
    return this.rows.all.some(({ row }) => row !== undefined);
  }

  /** Which line and column a point of the page belongs to. */
  positionAt(x: number, y: number): Position {
    const box = this.port.grid.getBoundingClientRect();
    const rows = (y - box.top) / this.port.metrics.rowHeight;
    const at = this.port.wraps
      ? this.port.wrapping.advance(this.port.place.top, rows)
      : this.port.place.top + rows;
    const line = Math.max(1, Math.floor(at)); // there may be an empty space above line 1
    if (line > this.port.total.lines) {
      return { line: this.port.total.lines + 1, column: 0 };
    }
    const row = this.rows.get(line);
    const caret = document.caretRangeFromPoint(x, y);
    if (row === undefined || caret === null || !row.element.contains(caret.startContainer)) {
      return { line, column: 0 };
    }
    return { line, column: row.columnAt(caret.startContainer, caret.startOffset) };
  }

  /** What must not go out of sight when the way lines are shown changes: far inside a long line that place, else the upper edge. */
  get inSight(): Position {
    const { top, left } = this.port.place;
    const upper = { line: Math.max(1, Math.floor(top)), column: 0 };
    return (this.port.wraps ? this.wrappedTextInSight(upper.line) : this.port.textFrom(left)) ?? upper;
  }

  /** Of a line that fills the screen, the place last pointed at or found, else the first character on the screen. */
  private wrappedTextInSight(upper: number): Position | undefined {
    const { line, column, top } = this.port.place;
    const fills = (line: number) => this.port.wrapping.rowsOf(line) >= this.port.fullRows;
    const { column: start = 0, text = "" } = this.port.held.get(line) ?? {};
    const position = this.port.wrappedPosition({ line, column });
    const isHere = column > start && column < start + text.length;
    if (fills(line) && isHere && position >= top && position < this.port.bottom) {
      return { line, column };
    }
    const { left, top: edge } = this.port.grid.getBoundingClientRect();
    const corner = this.positionAt(left + this.port.gutterWidth + 1, edge + this.port.metrics.rowHeight / 2);
    return fills(upper) && corner.line === upper ? corner : undefined;
  }

  /** `awaitedEnd` is a last line whose text is to come; nothing is drawn without its text then. */
  drawRows(awaitedEnd: number | undefined): void {
    const { first, end } = this.port.visibleLines;
    const { line: current } = this.port.place;
    const lines = range(first, end);
    const isMissing = (line: number) => !this.port.held.has(line) && !this.rows.has(line);
    const missing = awaitedEnd === undefined ? -1 : lines.findIndex(isMissing);
    this.rows.show(missing < 0 ? lines : lines.slice(0, missing), (line) => this.look(line));
    const hidden =
      (this.port.place.top - first) *
      (this.port.wraps && this.port.place.top >= 1 ? this.port.wrapping.rowsOf(first) : 1);
    this.port.grid.style.setProperty("--scrolled-out", `${-hidden * this.port.metrics.rowHeight}px`);
    document.body.style.setProperty("--gutter", `${this.port.gutterWidth}px`);
    this.port.grid.setAttribute("aria-rowcount", String(this.port.total.exact ? this.port.total.lines : -1));
    this.empty.hidden = this.port.filtered || this.port.total.lines > 0 || !this.port.total.exact;
    if (this.rows.has(current)) {
      this.port.grid.setAttribute("aria-activedescendant", `line-${current}`);
    } else {
      this.port.grid.removeAttribute("aria-activedescendant");
    }
    if (awaitedEnd === undefined) {
      this.port.fetch(first, end);
    } else {
      const top = scale.maxTop({ ...this.port.extent, lines: awaitedEnd });
      this.port.fetch(Math.floor(top), awaitedEnd + 1);
    }
  }

  /** Of the record at the upper edge, if it started above and goes on below: no line of another one is covered. */
  drawHeader(): void {
    const { held, filtered, place } = this.port;
    const top = Math.max(1, Math.floor(place.top));
    const number = filtered ? held.get(top)?.number : top;
    const record = held.get(top)?.record;
    const isInside = record !== undefined && number !== undefined && record.first < number;
    const goesOn = held.get(top + 1)?.record?.first === record?.first;
    const isCovered = place.line === top || this.port.covered > 0;
    this.host.showHeader(isInside && goesOn && !isCovered ? record : null);
  }

  /** What a wrapped line takes is known once it was laid out. Whether one was taken for another height. */
  measureRows(): boolean {
    const heights = this.rows.all.map(
      ({ line, element }) => [line, Math.round(element.offsetHeight / this.port.metrics.rowHeight)] as const,
    );
    const isNews = heights.map(
      ([line, rows]) => this.port.held.has(line) && this.port.wrapping.learn(line, rows),
    );
    return isNews.includes(true);
  }

  drawScrollbars(): void {
    const { top, line, left } = this.port.place;
    const columns = {
      lines: this.port.maxLeft + this.port.visibleColumns - 1,
      rows: this.port.visibleColumns,
    };
    const rows = { extent: this.port.extent, at: top };
    this.scrollbars.draw(
      rows,
      { extent: columns, at: left + 1 },
      line,
      this.decorations.marked(this.port.filtered),
    );
  }

  paint(): void {
    this.decorations.paint(this.rows.all);
  }

  private look(line: number): ShownLine {
    const { held, filtered, wraps, place, tabSize, metrics } = this.port;
    const row = held.get(line);
    const shift = row === undefined || wraps ? 0 : startOf(row, place.left, tabSize) * metrics.charWidth;
    const number = filtered ? row?.number : line;
    const marks = this.decorations.marksOf(line, number, row, held.get(line - 1));
    return {
      number: filtered ? undefined : line,
      row,
      shift,
      marks: { current: line === place.line, ...marks },
    };
  }
}
