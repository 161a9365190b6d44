/** What is here of a line, and where its columns are: in its text, and on the screen. */

import { countCodePoints, unitsOf } from "../src/viewer/codePoints";
import type { Row } from "../src/viewer/messages";
import { displayColumns } from "./scale";

/** A row as it came, from a column on. */
export interface PlacedRow extends Row {
  column: number;
}

/** The column of an offset in a row's text. */
export function columnAt({ column, text }: PlacedRow, offset: number): number {
  return column + countCodePoints(text.slice(0, offset));
}

/** The offset in a row's text that a column has; an end of it where the column is outside. */
export function offsetAt({ column, text }: PlacedRow, wanted: number): number {
  return unitsOf(text, Math.max(0, wanted - column));
}

/** Whether a column is within what came of the line, or at its end. */
export function reaches(row: PlacedRow, column: number): boolean {
  return column >= row.column && column <= columnAt(row, row.text.length);
}

/** Whether it is the line from its start to its end. */
export function isComplete(row: PlacedRow): boolean {
  return row.column === 0 && !row.open && countCodePoints(row.text) === row.length;
}

/** How far it can be scrolled, in columns of the screen. A line that is not here whole may have wide characters where it is not seen. */
export function scrollableColumns(row: PlacedRow, tabSize: number, visibleColumns: number): number {
  const shown = displayColumns(row.text, tabSize);
  if (isComplete(row)) {
    return shown;
  }
  const isWider = shown > row.text.length;
  return row.length + (isWider ? visibleColumns / 2 : 0);
}

/** Where its text starts, in columns of the screen from the left edge. `left` is the first column shown. */
export function startOf(row: PlacedRow, left: number, tabSize: number): number {
  if (isComplete(row) || left < row.column) {
    return row.column - left;
  }
  return -displayColumns(row.text.slice(0, offsetAt(row, left)), tabSize);
}
