/** Matches, and selections within a line, painted over the text without touching its elements; whole lines are the rows' own. */

import { matchesIn } from "../src/viewer/matching";
import type { Label, TextRange } from "../src/viewer/messages";
import { LABEL_COLORS, labelsIn } from "./labels";
import { linksIn } from "./links";
import { offsetAt } from "./placedRow";
import type { RowElement } from "./row";
import type { Rules } from "./rules";
import { columnsIn, isWholeLine } from "./selection";

export function paint(
  rows: RowElement[],
  selection: TextRange | null,
  matcher: RegExp | null,
  match: TextRange | null,
  rules: Rules,
  labels: readonly Label[],
): void {
  const matches: StaticRange[] = [];
  const links: StaticRange[] = [];
  const byRule = new Map<string, StaticRange[]>(rules.names.map((name) => [name, []]));
  const byLabel: StaticRange[][] = Array.from({ length: LABEL_COLORS }, () => []);
  for (const row of rows) {
    if (row.row === undefined) {
      continue;
    }
    const { text } = row.row;
    for (const { start, end } of linksIn(row.row)) {
      links.push(...row.ranges(start, end));
    }
    rules.matches(text, (name, start, end) => {
      byRule.get(name)?.push(...row.ranges(start, end));
    });
    labelsIn(text, labels, (color, start, end) => {
      byLabel[color - 1]?.push(...row.ranges(start, end));
    });
    for (const { start, end } of matchesIn(text, matcher)) {
      matches.push(...row.ranges(start, end));
    }
  }
  const covered = (range: TextRange | null) =>
    rows.flatMap((row) => {
      const columns = range && columnsIn(range, row.line);
      return columns && !isWholeLine(columns) && row.row
        ? row.ranges(offsetAt(row.row, columns.start), offsetAt(row.row, columns.end))
        : [];
    });
  CSS.highlights.set("link", layered(0, links));
  for (const [name, ranges] of byRule) {
    CSS.highlights.set(name, layered(1, ranges));
  }
  for (const [index, ranges] of byLabel.entries()) {
    CSS.highlights.set(`label-${index + 1}`, layered(2, ranges));
  }
  CSS.highlights.set("match", layered(3, matches));
  CSS.highlights.set("current-match", layered(4, covered(match)));
  CSS.highlights.set("selection", layered(5, covered(selection)));
}

function layered(priority: number, ranges: StaticRange[]): Highlight {
  return Object.assign(new Highlight(...ranges), { priority });
}
