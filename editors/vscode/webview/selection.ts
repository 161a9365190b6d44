/** What is selected, by the file's own lines and columns: it outlives the rows that are scrolled out. */

import type { Position, TextRange } from "../src/viewer/messages";

export class Selection {
  private anchor: Position | undefined;
  private focus: Position = { line: 1, column: 0 };
  private wholeLines = false;

  /** From the earlier end to the later one; null where nothing is selected. */
  get range(): TextRange | null {
    if (this.anchor === undefined) {
      return null;
    }
    const [start, end] = inOrder(this.anchor, this.focus);
    if (this.wholeLines) {
      return { start: { line: start.line, column: 0 }, end: { line: end.line + 1, column: 0 } };
    }
    return start.line === end.line && start.column === end.column ? null : { start, end };
  }

  clear(): void {
    this.anchor = undefined;
  }

  start(at: Position): void {
    this.anchor = at;
    this.focus = at;
    this.wholeLines = false;
  }

  startLines(line: number): void {
    this.start({ line, column: 0 });
    this.wholeLines = true;
  }

  extend(to: Position): void {
    this.focus = to;
  }

  /** On from where the selection began, or from `origin` if there is none. */
  extendFrom(origin: Position, to: Position): void {
    this.anchor ??= origin;
    this.wholeLines = false;
    this.focus = to;
  }

  /** On from where the selection began, or from `line` if there is none, by whole lines. */
  extendLines(line: number, to: number): void {
    if (this.anchor === undefined) {
      this.startLines(line);
    }
    this.wholeLines = true;
    this.focus = { line: to, column: 0 };
  }

  select({ start, end }: TextRange): void {
    this.start(start);
    this.focus = end;
  }
}

function inOrder(one: Position, other: Position): [Position, Position] {
  const later = one.line > other.line || (one.line === other.line && one.column > other.column);
  return later ? [other, one] : [one, other];
}

/** The columns of one line that a range covers. */
export function columnsIn(range: TextRange, line: number): { start: number; end: number } | null {
  const { start, end } = range;
  if (line < start.line || line > end.line || (line === end.line && end.column === 0)) {
    return null;
  }
  return {
    start: line === start.line ? start.column : 0,
    end: line === end.line ? end.column : Number.POSITIVE_INFINITY,
  };
}

export function isWholeLine({ start, end }: { start: number; end: number }): boolean {
  return start === 0 && end === Number.POSITIVE_INFINITY;
}

/** The word at a column, or the run of whatever else is there. */
export function wordAt(text: string, column: number): { start: number; end: number } {
  const kind = (character: string) => (/[\p{L}\p{N}_]/u.test(character) ? 2 : /\s/.test(character) ? 0 : 1);
  const at = Math.min(column, text.length - 1);
  const same = (index: number) => kind(text[index] ?? "") === kind(text[at] ?? "");
  let start = Math.max(0, at);
  let end = start;
  while (start > 0 && same(start - 1)) {
    start -= 1;
  }
  while (end < text.length && same(end)) {
    end += 1;
  }
  return { start, end };
}
