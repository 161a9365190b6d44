/** Matches, and selections within a line, painted over the text without touching its elements; whole lines are the rows' own. */

import type { TextRange } from "../src/viewer/messages";
import { matchesIn } from "./matching";
import type { RowElement } from "./row";
import { columnsIn, isWholeLine } from "./selection";

export function paint(
  rows: RowElement[],
  selection: TextRange | null,
  matcher: RegExp | null,
  match: TextRange | null,
): void {
  const matches: StaticRange[] = [];
  for (const row of rows) {
    const { text = "", column = 0 } = row.row ?? {};
    for (const { start, end } of matchesIn(text, matcher)) {
      matches.push(...row.ranges(column + start, column + end));
    }
  }
  const covered = (range: TextRange | null) =>
    rows.flatMap((row) => {
      const columns = range && columnsIn(range, row.line);
      return columns && !isWholeLine(columns) ? row.ranges(columns.start, columns.end) : [];
    });
  CSS.highlights.set("match", new Highlight(...matches));
  CSS.highlights.set("current-match", layered(1, covered(match)));
  CSS.highlights.set("selection", layered(2, covered(selection)));
}

function layered(priority: number, ranges: StaticRange[]): Highlight {
  return Object.assign(new Highlight(...ranges), { priority });
}
