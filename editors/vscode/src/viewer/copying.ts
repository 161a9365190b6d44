/** The text of a range that may be far larger than what is on the screen. */

import type { Daemon } from "../daemon";
import { type ReadFileResult, Requests } from "../protocol";
import { stripAnsi } from "./ansi";
import type { TextRange } from "./messages";

/** More than this in the clipboard stalls the editor. */
export const COPY_LIMIT = 32 * 1024 * 1024;
const LINES_AT_ONCE = 10_000;

export interface CopiedText {
  text: string;
  /** The range holds more than the limit; `text` is the beginning. */
  cut: boolean;
}

export async function textOf(
  daemon: Pick<Daemon, "request">,
  path: string,
  range: TextRange,
  numbered = false,
  limit = COPY_LIMIT,
): Promise<CopiedText> {
  const { start, end } = numbered ? wholeLines(range) : range;
  const lastLine = end.column === 0 ? end.line - 1 : end.line;
  if (lastLine < start.line) {
    return { text: "", cut: false };
  }
  let text = "";
  const numbers: number[] = [];
  let lastStart = 0;
  let cursor: string | null = null;
  let complete = false;
  do {
    const where = cursor === null ? { start_line: start.line, end_line: lastLine } : { cursor };
    const answer: ReadFileResult = await daemon.request(Requests.readFile, {
      path,
      ...where,
      max_lines: LINES_AT_ONCE,
      source: "disk",
      on_binary: "refuse",
    });
    text += answer.content;
    numbers.push(...(answer.line_numbers ?? []));
    cursor = answer.next_cursor;
    const { start_line, returned_line_count } = answer.meta;
    if (end.column > 0 && start_line + returned_line_count > lastLine) {
      lastStart = text.lastIndexOf("\n", text.length - 2) + 1;
      complete = text.length - lastStart >= end.column;
    }
  } while (cursor !== null && !complete && text.length - start.column < limit);
  const stop = end.column > 0 && (complete || cursor === null) ? lastStart + end.column : text.length;
  const cutOut = text.slice(start.column, stop);
  const wanted = numbered ? withNumbers(cutOut, (index) => numbers[index] ?? start.line + index) : cutOut;
  return {
    text: stripAnsi(wanted.slice(0, limit)),
    cut: (cursor !== null && !complete) || wanted.length > limit,
  };
}

function wholeLines({ start, end }: TextRange): TextRange {
  const last = end.column === 0 ? end.line : end.line + 1;
  return { start: { line: start.line, column: 0 }, end: { line: last, column: 0 } };
}

/** `12: text`, as `grep -n` has it. */
function withNumbers(text: string, numberOf: (index: number) => number): string {
  const lines = text.split(/(?<=\n)/);
  return lines.map((line, index) => `${numberOf(index)}: ${line}`).join("");
}
