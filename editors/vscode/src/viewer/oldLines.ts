/** What was read of a file before it was truncated or replaced: all lines that were held, with their numbers and colors. */

import { type Shown, sliceShown } from "./ansi";
import { countCodePoints, unitsOf } from "./codePoints";
import type { Piece } from "./copying";
import { type Excerpt, type Found, NOTHING_FOUND, type Search } from "./excerpt";
import { matcherOf } from "./matching";
import type { Matches } from "./matchScan";
import type { Direction, Position, Query, Row, TextRange, Total } from "./messages";
import type { Snapshot } from "./snapshot";

/** The expression is one that could take long, and here nothing could stop it. */
export class NotSearched extends Error {
  override readonly message = "The old lines are searched for text and for simple expressions alone.";
}

/** Characters of a line that are searched: an expression must not be able to stall the extension host. */
const REACH = 8192;

interface OldLine {
  number: number;
  shown: Shown;
}

export class OldLines implements Excerpt {
  private constructor(private readonly lines: readonly OldLine[]) {}

  static of(snapshots: readonly Snapshot[]): OldLines {
    const held = new Map(snapshots.flatMap((snapshot) => snapshot.held));
    const lines = [...held].map(([number, shown]) => ({ number, shown }));
    return new OldLines(lines.sort((one, other) => one.number - other.number));
  }

  get total(): Total {
    return { lines: this.lines.length, exact: true };
  }

  /** The file's number of the last of them. */
  get lastNumber(): number {
    return this.lines.at(-1)?.number ?? 0;
  }

  async rows(first: number, count: number, column: number, width: number): Promise<Row[]> {
    return this.lines.slice(first - 1, first - 1 + count).map(({ number, shown }) => {
      const start = unitsOf(shown.text, column);
      const end = start + unitsOf(shown.text.slice(start), width);
      return { ...sliceShown(shown, start, end), number, length: countCodePoints(shown.text), open: false };
    });
  }

  async lengthOf(row: number): Promise<number> {
    return countCodePoints(this.lines[row - 1]?.shown.text ?? "");
  }

  async rowOf(line: number): Promise<number> {
    const index = this.lines.findIndex(({ number }) => number >= line);
    return index < 0 ? Math.max(1, this.lines.length) : index + 1;
  }

  async rowsOf(lines: readonly number[]): Promise<number[]> {
    const wanted = new Set(lines);
    return this.lines.flatMap(({ number }, index) => (wanted.has(number) ? [index + 1] : []));
  }

  async find(_search: Search, query: Query, direction: Direction, from: Position): Promise<Found> {
    const matcher = matcherOrThrow(query);
    const forward = direction === "forward";
    for (const wrapped of [false, true]) {
      const start = wrapped ? (forward ? 1 : this.lines.length) : from.line;
      for (let row = start; row >= 1 && row <= this.lines.length; row += forward ? 1 : -1) {
        const { number, shown } = this.lines[row - 1] as OldLine;
        const columns = matchesIn(shown.text, matcher).filter(
          ({ start: column }) =>
            wrapped || row !== from.line || (forward ? column >= from.column : column < from.column),
        );
        const found = forward ? columns[0] : columns.at(-1);
        if (found !== undefined) {
          const at = (column: number) => ({ line: row, column });
          const range = { start: at(found.start), end: at(found.end) };
          return { match: { range, line: number, content: shown.text }, wrapped };
        }
      }
    }
    return NOTHING_FOUND;
  }

  /** Those that match, by their rows. */
  matches(query: Query): Matches {
    const matcher = matcherOrThrow(query);
    const marks = this.lines.flatMap(({ shown }, index) =>
      matchesIn(shown.text, matcher).length > 0 ? [index + 1] : [],
    );
    return { count: marks.length, complete: true, marks };
  }

  /** Without their colors. */
  async *pieces({ start, end }: TextRange): AsyncGenerator<Piece, void, void> {
    const lines = this.lines.slice(start.line - 1, end.column === 0 ? end.line - 1 : end.line);
    const texts = lines.map(({ shown: { text } }, index) => {
      const row = start.line + index;
      const from = row === start.line ? unitsOf(text, start.column) : 0;
      return row < end.line ? `${text.slice(from)}\n` : text.slice(from, unitsOf(text, end.column));
    });
    yield { text: texts.join(""), numbers: lines.map(({ number }) => number) };
  }
}

function matcherOrThrow(query: Query): RegExp {
  const matcher = matcherOf(query);
  if (matcher === null) {
    throw new NotSearched();
  }
  return matcher;
}

/** By columns. */
function matchesIn(text: string, matcher: RegExp): { start: number; end: number }[] {
  return Array.from(text.slice(0, REACH).matchAll(matcher), (match) => {
    const start = countCodePoints(text.slice(0, match.index));
    return { start, end: start + countCodePoints(match[0]) };
  });
}
