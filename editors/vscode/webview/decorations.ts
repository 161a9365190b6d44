/** What is shown on the lines beside their text: selection, matches, colors of the user, bookmarks, labels, errors. */

import { formatDuration, secondsBetween } from "../src/viewer/isoTimes";
import type { Label, Member, TextRange } from "../src/viewer/messages";
import { paint } from "./highlights";
import type { Marked } from "./marks";
import type { PlacedRow } from "./placedRow";
import type { Marks, RowElement } from "./row";
import { Rules } from "./rules";
import { columnsIn, isWholeLine, Selection } from "./selection";

export class Decorations {
  readonly selection = new Selection();
  matcher: RegExp | null = null;
  match: TextRange | null = null;
  readonly rules = new Rules();
  /** Lines of the file. */
  bookmarks = new Set<number>();
  /** Where those are that a filter shows. */
  bookmarkRows: number[] = [];
  /** The files of a rotated set. */
  members: readonly Member[] = [];
  /** A silence of so many seconds is marked. */
  gapSeconds = 0;
  labels: readonly Label[] = [];
  /** Rows of level error, to be marked on the scrollbar. */
  errorRows: number[] = [];
  /** Rows with matches, to be marked on the scrollbar. */
  matchingRows: number[] = [];

  /** Other rows are shown: what was said of rows means nothing any more. */
  forgetRows(): void {
    this.match = null;
    this.matchingRows = [];
    this.bookmarkRows = [];
    this.errorRows = [];
    this.selection.clear();
  }

  /** How a row is marked. `number` is the file's number of its line, where that is known. */
  marksOf(
    line: number,
    number: number | undefined,
    row: PlacedRow | undefined,
    before: PlacedRow | undefined,
  ): Omit<Marks, "current"> {
    const { range } = this.selection;
    const columns = range && columnsIn(range, line);
    return {
      selected: columns !== null && isWholeLine(columns),
      bookmarked: this.bookmarks.has(number ?? 0),
      tint: row === undefined ? "" : this.rules.tintOf(row.text),
      ...this.above(line, number, row, before),
    };
  }

  /** A file that starts here, or a silence before this line. In a filtered view lines that are not neighbors tell of none. */
  private above(
    line: number,
    number: number | undefined,
    row: PlacedRow | undefined,
    before: PlacedRow | undefined,
  ): { above: string; isBoundary: boolean } {
    const previous = before?.number ?? line - 1;
    const member = this.members.findLast(
      ({ start }) => number !== undefined && start <= number && (start > previous || line === 1),
    );
    if (member !== undefined) {
      return { above: member.name, isBoundary: true };
    }
    const [from, to] = [before?.record?.time, row?.record?.time];
    const isNext = number !== undefined && previous === number - 1;
    const seconds = isNext && from && to ? (secondsBetween(from, to) ?? 0) : 0;
    const isGap = this.gapSeconds > 0 && seconds >= this.gapSeconds;
    return { above: isGap ? `${formatDuration(seconds)} later` : "", isBoundary: false };
  }

  paint(rows: RowElement[]): void {
    paint(rows, this.selection.range, this.matcher, this.match, this.rules, this.labels);
  }

  /** What is marked on the scrollbar, by rows; `filtered`: those are not the lines of the file. */
  marked(filtered: boolean): Marked[] {
    const match = this.match === null ? [] : [this.match.start.line];
    return [
      {
        lines: this.errorRows,
        color: "--vscode-editorOverviewRuler-errorForeground",
        from: 0.7,
        to: 1,
      },
      {
        lines: filtered ? this.bookmarkRows : this.bookmarks,
        color: "--vscode-charts-purple",
        from: 0,
        to: 0.3,
      },
      {
        lines: this.matchingRows,
        color: "--vscode-editorOverviewRuler-findMatchForeground",
        from: 0.35,
        to: 0.65,
      },
      { lines: match, color: "--vscode-editorOverviewRuler-findMatchForeground", from: 0, to: 1 },
    ];
  }
}
