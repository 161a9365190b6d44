/** The rows on the screen, in the order of the file. An element is kept for as long as its line is in sight. */

import type { PlacedRow } from "./placedRow";
import { type Marks, RowElement } from "./row";

/** How a line is shown. */
export interface ShownLine {
  /** The file's number of it; undefined where it comes with the text. */
  number: number | undefined;
  /** Undefined until it has arrived: what is on the screen stays until then. */
  row: PlacedRow | undefined;
  /** How far its text is shifted to the right, in pixels. */
  shift: number;
  marks: Marks;
}

export class RowList {
  private rows = new Map<number, RowElement>();

  constructor(private readonly grid: HTMLElement) {}

  get all(): RowElement[] {
    return [...this.rows.values()];
  }

  get(line: number): RowElement | undefined {
    return this.rows.get(line);
  }

  has(line: number): boolean {
    return this.rows.has(line);
  }

  /** Nothing of what is shown is reused. */
  clear(): void {
    this.rows.clear();
  }

  show(lines: number[], look: (line: number) => ShownLine): void {
    const rows = lines.map((line) => {
      const { number, row, shift, marks } = look(line);
      const shown = this.rows.get(line) ?? new RowElement(line, number);
      if (row !== undefined) {
        shown.show(row);
        shown.shift(shift);
      }
      shown.mark(marks);
      return shown;
    });
    this.rows = new Map(rows.map((row) => [row.line, row]));
    this.arrange(rows.map((row) => row.element));
  }

  /** In the order of the file, whatever was reused: assistive technology follows the document. */
  private arrange(rows: HTMLElement[]): void {
    const { children } = this.grid;
    // A row that is taken out, if only to be put back, forgets that it is being clicked.
    if (rows.length !== children.length || rows.some((row, index) => row !== children[index])) {
      this.grid.replaceChildren(...rows);
    }
  }
}
