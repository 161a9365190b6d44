/** Matches, and selections within a line, painted over the text without touching its elements; whole lines are the rows' own. */

import type { TextRange } from "../src/viewer/messages";
import { linksIn } from "./links";
import { matchesIn } from "./matching";
import type { RowElement } from "./row";
import type { Rules } from "./rules";
import { columnsIn, isWholeLine } from "./selection";

export function paint(
  rows: RowElement[],
  selection: TextRange | null,
  matcher: RegExp | null,
  match: TextRange | null,
  rules: Rules,
): void {
  const matches: StaticRange[] = [];
  const links: StaticRange[] = [];
  const byRule = new Map<string, StaticRange[]>(rules.names.map((name) => [name, []]));
  for (const row of rows) {
    const { text = "", column = 0 } = row.row ?? {};
    for (const { start, end } of linksIn(text)) {
      links.push(...row.ranges(column + start, column + end));
    }
    rules.matches(text, (name, start, end) => {
      byRule.get(name)?.push(...row.ranges(column + start, column + end));
    });
    for (const { start, end } of matchesIn(text, matcher)) {
      matches.push(...row.ranges(column + start, column + end));
    }
  }
  const covered = (range: TextRange | null) =>
    rows.flatMap((row) => {
      const columns = range && columnsIn(range, row.line);
      return columns && !isWholeLine(columns) ? row.ranges(columns.start, columns.end) : [];
    });
  CSS.highlights.set("link", layered(0, links));
  for (const [name, ranges] of byRule) {
    CSS.highlights.set(name, layered(1, ranges));
  }
  CSS.highlights.set("match", layered(2, matches));
  CSS.highlights.set("current-match", layered(3, covered(match)));
  CSS.highlights.set("selection", layered(4, covered(selection)));
}

function layered(priority: number, ranges: StaticRange[]): Highlight {
  return Object.assign(new Highlight(...ranges), { priority });
}
