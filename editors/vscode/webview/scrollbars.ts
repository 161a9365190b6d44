/** Both scrollbars, the marks on the vertical one, and the number beside its thumb while it is dragged. */

import { formatNumber } from "../src/viewer/numbers";
import { element } from "./host";
import { type Marked, ScrollbarMarks } from "./marks";
import * as scale from "./scale";
import { Scrollbar } from "./scrollbar";

/** How far the view can be scrolled one way, and where it is. */
export interface Scrolled {
  extent: scale.Extent;
  /** At the upper or left edge, counted from 1. */
  at: number;
}

export class Scrollbars {
  private readonly marks = new ScrollbarMarks(element<HTMLCanvasElement>("#down .marks"));
  private readonly where = element("#where");
  private readonly down: Scrollbar;
  private readonly across: Scrollbar;
  private rows: Scrolled = { extent: { lines: 0, rows: 1 }, at: 1 };
  private columns: Scrolled = { extent: { lines: 0, rows: 1 }, at: 1 };

  /** `scrollDown` returns the number of the line that is then at the upper edge, and where that is. */
  constructor(
    private readonly scrollDown: (top: number) => { number: number; at: number },
    private readonly scrollAcross: (left: number) => void,
  ) {
    const release = () => {
      this.where.hidden = true;
    };
    this.down = new Scrollbar(element("#down"), "y", (offset) => this.dragDown(offset), release);
    this.across = new Scrollbar(element("#across"), "x", (offset) => this.dragAcross(offset), release);
  }

  /** `line` is the current one. */
  draw(rows: Scrolled, columns: Scrolled, line: number, marked: Marked[]): void {
    this.rows = rows;
    this.columns = columns;
    place(this.down, rows);
    this.down.announce(line, Math.max(1, rows.extent.lines));
    this.marks.draw(rows.extent.lines, marked);
    place(this.across, columns);
    this.across.announce(Math.round(columns.at), Math.round(columns.extent.lines));
  }

  private dragDown(offset: number): void {
    const { extent } = this.rows;
    const { track } = this.down;
    const { number, at } = this.scrollDown(scale.topAt(offset, extent, track));
    this.where.textContent = formatNumber(number);
    this.where.hidden = false;
    this.where.style.transform = `translateY(${scale.thumbOffset(at, extent, track)}px)`;
  }

  private dragAcross(offset: number): void {
    this.scrollAcross(scale.topAt(offset, this.columns.extent, this.across.track) - 1);
  }
}

function place(bar: Scrollbar, { extent, at }: Scrolled): void {
  bar.place(scale.thumbOffset(at, extent, bar.track), scale.thumbLength(extent, bar.track));
}
