/** The text of a range that may be far larger than what is on the screen. */

import type { Daemon } from "../daemon";
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

export interface CopyOptions {
  /** `12: text`, as `grep -n` has it; whole lines. */
  numbered?: boolean;
  /** With terminal escape sequences. */
  colors?: boolean;
  limit?: number;
}

type Reader = Pick<Daemon, "request">;

export async function textOf(
  reader: Reader,
  file: FileToRead,
  range: TextRange,
  { numbered = false, colors = false, limit = COPY_LIMIT }: CopyOptions = {},
): Promise<CopiedText> {
  const { start, end } = numbered ? wholeLines(range) : range;
  const copy = new Copy(reader, file, colors, limit);
  if (start.line === end.line) {
    await copy.partOf(start.line, start.column, end.column);
  } else {
    if (start.column > 0) {
      await copy.partOf(start.line, start.column, Number.POSITIVE_INFINITY);
    }
    await copy.lines(start.column > 0 ? start.line + 1 : start.line, end.line - 1);
    await copy.partOf(end.line, 0, end.column);
  }
  const numberOf = (index: number) => copy.numbers[index] ?? start.line + index;
  const text = numbered ? withNumbers(copy.text, numberOf) : copy.text;
  return { text: text.slice(0, limit), cut: copy.isCut || text.length > limit };
}

class Copy {
  text = "";
  /** The file's numbers of whole lines that were read through a filter. */
  readonly numbers: number[] = [];
  isCut = false;

  constructor(
    private readonly reader: Reader,
    private readonly file: FileToRead,
    private readonly colors: boolean,
    private readonly limit: number,
  ) {}

  /** Whole lines, with their ends. */
  async lines(first: number, last: number): Promise<void> {
    let cursor: string | null = null;
    let isDone = last < first;
    while (!isDone && !this.isCut) {
      const where: Partial<ReadFileParams> =
        cursor === null ? { start_line: first, end_line: last } : { cursor };
      const ansi = this.colors ? "keep" : "strip";
      const answer = await this.read({ ...where, ansi, max_lines: LINES_AT_ONCE });
      this.text += answer.content;
      this.numbers.push(...(answer.line_numbers ?? []));
      cursor = answer.next_cursor;
      isDone = cursor === null;
      this.isCut = !isDone && this.text.length >= this.limit;
    }
  }

  /** Some columns of one line; with its end where they reach past it. */
  async partOf(line: number, from: number, to: number): Promise<void> {
    if (this.isCut || to <= from || (this.colors && (await this.coloredPartOf(line, from, to)))) {
      return;
    }
    for (let column = from; column < to; column += COLUMNS_AT_ONCE) {
      const count = Math.min(COLUMNS_AT_ONCE, to - column);
      const columns = { start: column + 1, count };
      const { content, clipped_lines } = await this.read({
        start_line: line,
        limit: 1,
        columns,
        ansi: "strip",
      });
      const goesOn = (clipped_lines ?? []).length > 0;
      this.text += goesOn || to !== Number.POSITIVE_INFINITY ? content.replace(/\n$/, "") : content;
      if (!goesOn) {
        return;
      }
      this.isCut = this.text.length >= this.limit && column + count < to;
      if (this.isCut) {
        return;
      }
    }
  }

  /** False where the line is too long for one answer: where its colours start is not known then. */
  private async coloredPartOf(line: number, from: number, to: number): Promise<boolean> {
    const { content, truncated } = await this.read({ start_line: line, end_line: line });
    if (truncated) {
      return false;
    }
    const raw = content.replace(/\n$/, "");
    const { text } = parseAnsi(raw);
    const isWhole = to >= countCodePoints(text) + 1;
    this.text += sliceWithColors(raw, unitsOf(text, from), isWhole ? text.length : unitsOf(text, to));
    if (to === Number.POSITIVE_INFINITY && content !== raw) {
      this.text += "\n";
    }
    return true;
  }

  private read(params: Partial<ReadFileParams>): Promise<ReadFileResult> {
    return this.reader.request(Requests.readFile, {
      ...this.file,
      source: "disk",
      on_binary: "refuse",
      ...params,
    });
  }
}

function wholeLines({ start, end }: TextRange): TextRange {
  const last = end.column === 0 ? end.line : end.line + 1;
  return { start: { line: start.line, column: 0 }, end: { line: last, column: 0 } };
}

function withNumbers(text: string, numberOf: (index: number) => number): string {
  const lines = text.split(/(?<=\n)/);
  return lines.map((line, index) => `${numberOf(index)}: ${line}`).join("");
}
