/**
 * Word wrap: a line takes as many rows as its text needs. Positions stay lines with a fraction, which is the part of the line's
 * rows that is scrolled out. How many rows a line takes is measured once it was drawn, and estimated before.
 */

/** Of a longer line only a part is shown at a time. */
export const WRAPPED_COLUMNS = 8192;

export class Wrapping {
  on = false;
  private readonly measured = new Map<number, number>();
  private width = 0;

  /** `estimate` tells how many rows a line may take that was not drawn yet, if its text is here; `lines`, how many lines there are. */
  constructor(
    private readonly estimate: (line: number) => number | undefined,
    private readonly lines: () => number,
  ) {}

  /** The text is another. */
  forget(): void {
    this.measured.clear();
  }

  /** Another part of it is shown. */
  forgetLine(line: number): void {
    this.measured.delete(line);
  }

  setWidth(columns: number): void {
    if (columns !== this.width) {
      this.width = columns;
      this.forget();
    }
  }

  /** Whether that is news. */
  learn(line: number, rows: number): boolean {
    const isNew = this.measured.get(line) !== rows;
    this.measured.set(line, rows);
    return isNew;
  }

  rowsOf(line: number): number {
    return this.known(line) ?? 1;
  }

  private known(line: number): number | undefined {
    const rows = this.measured.get(line) ?? this.estimate(line);
    return rows === undefined ? undefined : Math.max(1, rows);
  }

  /** Where one is after so many rows, down or, if negative, up. */
  advance(top: number, rows: number): number {
    let position = top;
    let rest = Math.abs(rows);
    while (rest > 0 && (rows > 0 ? position < this.lines() + 1 : position > 1)) {
      const line = rows > 0 ? Math.floor(position) : Math.ceil(position) - 1;
      const inLine = this.rowsOf(line);
      const left = (rows > 0 ? line + 1 - position : position - line) * inLine;
      if (rest < left) {
        return position + (Math.sign(rows) * rest) / inLine;
      }
      rest -= left;
      position = rows > 0 ? line + 1 : line;
    }
    return position;
  }

  /** The last line can be scrolled up to the lower edge, with one empty row below it. Lines that are not known may fill the screen. */
  maxTop(rows: number): number {
    const last = this.lines();
    let rest = rows - 1;
    for (let line = last; line >= 1; line -= 1) {
      const inLine = this.known(line);
      if (inLine === undefined) {
        return Math.max(1, Math.min(last, line + 1));
      }
      if (inLine >= rest) {
        return line + 1 - rest / inLine;
      }
      rest -= inLine;
    }
    return 1;
  }

  /** The smallest move that shows a line, from its start if it does not fit; none where the upper edge is within it. */
  topToReveal(line: number, top: number, rows: number): number {
    if (line < top) {
      return line === Math.floor(top) ? top : line;
    }
    const end = this.advance(line + 1, -Math.floor(rows));
    return end <= top ? top : Math.min(line, end);
  }

  topToCenter(line: number, rows: number): number {
    return this.advance(line, -Math.floor((rows - 1) / 2));
  }
}
