/** The text of a range that may be far larger than what is on the screen, piece by piece. */

import type { Daemon, RequestOptions } from "../daemon";
import { type ReadFileParams, type ReadFileResult, Requests } from "../protocol";
import { parseAnsi, sliceWithColors } from "./ansi";
import { countCodePoints, unitsOf } from "./codePoints";
import type { TextRange } from "./messages";
import type { FileToRead } from "./snapshot";

/** More than this in the clipboard stalls the editor. */
export const COPY_LIMIT = 32 * 1024 * 1024;
const LINES_AT_ONCE = 10_000;
/** Of one line. */
const COLUMNS_AT_ONCE = 256 * 1024;

export interface CopiedText {
  text: string;
  /** The range holds more than the limit; `text` is the beginning. */
  cut: boolean;
}

/** A part of the text of a range, in its order. */
export interface Piece {
  text: string;
  /** The file's numbers of the lines in it. */
  numbers: number[];
}

export type Reader = Pick<Daemon, "request">;

/** `numbered`: as `12: text`, like `grep -n`. */
export async function textOf(
  pieces: AsyncIterable<Piece>,
  { numbered = false, limit = COPY_LIMIT } = {},
): Promise<CopiedText> {
  let text = "";
  for await (const piece of pieces) {
    const isLineStart = text === "" || text.endsWith("\n");
    text += numbered ? withNumbers(piece, isLineStart) : piece.text;
    if (text.length > limit) {
      return { text: text.slice(0, limit), cut: true };
    }
  }
  return { text, cut: false };
}

/** `colors`: with terminal escape sequences. */
export async function* piecesOf(
  reader: Reader,
  file: FileToRead,
  { start, end }: TextRange,
  colors: boolean,
  options?: RequestOptions,
): AsyncGenerator<Piece, void, void> {
  const copy = new Copy(reader, file, colors, options);
  if (start.line === end.line) {
    yield* copy.partOf(start.line, start.column, end.column);
    return;
  }
  if (start.column > 0) {
    yield* copy.partOf(start.line, start.column, Number.POSITIVE_INFINITY);
  }
  yield* copy.lines(start.column > 0 ? start.line + 1 : start.line, end.line - 1);
  yield* copy.partOf(end.line, 0, end.column);
}

class Copy {
  constructor(
    private readonly reader: Reader,
    private readonly file: FileToRead,
    private readonly colors: boolean,
    private readonly options: RequestOptions | undefined,
  ) {}

  /** Whole lines, with their ends. */
  async *lines(first: number, last: number): AsyncGenerator<Piece, void, void> {
    let where: Partial<ReadFileParams> | null = last < first ? null : { start_line: first, end_line: last };
    let line = first;
    while (where !== null) {
      const ansi = this.colors ? "keep" : "strip";
      const answer: ReadFileResult = await this.read({ ...where, ansi, max_lines: LINES_AT_ONCE });
      const count = answer.meta.returned_line_count;
      const numbers = answer.line_numbers ?? Array.from({ length: count }, (_, index) => line + index);
      yield { text: answer.content, numbers };
      line += answer.content.endsWith("\n") ? count : count - 1; // the last one is continued
      where = answer.next_cursor === null ? null : { cursor: answer.next_cursor };
    }
  }

  /** Some columns of one line; with its end where they reach past it. */
  async *partOf(line: number, from: number, to: number): AsyncGenerator<Piece, void, void> {
    const colored = this.colors && to > from ? await this.coloredPartOf(line, from, to) : null;
    if (colored !== null) {
      yield { text: colored, numbers: [line] };
      return;
    }
    for (let column = from; column < to; column += COLUMNS_AT_ONCE) {
      const columns = { start: column + 1, count: Math.min(COLUMNS_AT_ONCE, to - column) };
      const answer = await this.read({ start_line: line, limit: 1, columns, ansi: "strip" });
      const goesOn = (answer.clipped_lines ?? []).length > 0;
      const isPart = goesOn || to !== Number.POSITIVE_INFINITY;
      yield { text: isPart ? answer.content.replace(/\n$/, "") : answer.content, numbers: [line] };
      if (!goesOn) {
        return;
      }
    }
  }

  /** Null where the line is too long for one answer: where its colors start is not known then. */
  private async coloredPartOf(line: number, from: number, to: number): Promise<string | null> {
    const { content, truncated } = await this.read({ start_line: line, end_line: line });
    if (truncated) {
      return null;
    }
    const raw = content.replace(/\n$/, "");
    const { text } = parseAnsi(raw);
    const isWhole = to >= countCodePoints(text) + 1;
    const part = sliceWithColors(raw, unitsOf(text, from), isWhole ? text.length : unitsOf(text, to));
    return to === Number.POSITIVE_INFINITY && content !== raw ? `${part}\n` : part;
  }

  private read(params: Partial<ReadFileParams>): Promise<ReadFileResult> {
    const wanted = { ...this.file, source: "disk", on_binary: "refuse", ...params } as const;
    return this.reader.request(Requests.readFile, wanted, this.options);
  }
}

export function wholeLines({ start, end }: TextRange): TextRange {
  const last = end.column === 0 ? end.line : end.line + 1;
  return { start: { line: start.line, column: 0 }, end: { line: last, column: 0 } };
}

/** `isLineStart`: else the piece continues a line that has its number already. */
function withNumbers({ text, numbers }: Piece, isLineStart: boolean): string {
  const lines = text.split(/(?<=\n)/);
  return lines
    .map((line, index) => (index > 0 || isLineStart ? `${numbers[index]}: ${line}` : line))
    .join("");
}
