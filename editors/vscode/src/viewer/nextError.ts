import type { FindParams, FindResult } from "../protocol";
import type { FilteredFile } from "./filteredFile";
import { ERROR_CANDIDATES, levelOf } from "./levels";
import type { Direction, Total } from "./messages";
import { formatNumber } from "./numbers";

/** Goes from line to line whose level is error or fatal, around the ends of the file. */
export async function nextError(
  search: (params: FindParams) => Promise<FindResult>,
  file: Pick<FindParams, "path" | "source" | "encoding" | "ansi">,
  direction: Direction,
  line: number,
  total: Total,
): Promise<{ line: number | null; note: string }> {
  const forward = direction === "forward";
  const next = async (from: number): Promise<number | null> => {
    let start = from;
    for (;;) {
      const { match } = await search({
        ...file,
        direction,
        start_line: start,
        pattern: ERROR_CANDIDATES,
        regex: true,
      });
      if (match === null || isError(match.content)) {
        return match?.line ?? null;
      }
      start = forward ? match.line + 1 : match.line; // backward searches before the position
      if (start === 1 && !forward) {
        return null;
      }
    }
  };
  const onward = await next(forward ? line + 1 : line);
  const found = onward ?? (await next(forward ? 1 : Number.MAX_SAFE_INTEGER));
  const of = total.exact ? ` of ${formatNumber(total.lines)}` : "";
  return told(found, of, direction, onward === null);
}

/** The same among the lines that a filter lets through. */
export async function nextErrorShown(
  filtered: FilteredFile,
  direction: Direction,
  line: number,
): Promise<{ line: number | null; note: string }> {
  const candidates = { pattern: ERROR_CANDIDATES, regex: true, ignoreCase: false, wholeWord: false };
  let from = line;
  let wrapped = false;
  for (;;) {
    const next = await filtered.lineBeside(candidates, direction, from);
    wrapped ||= next?.wrapped === true;
    const passed = direction === "forward" ? (next?.line ?? 0) > line : (next?.line ?? 0) < line;
    if (next === null || (wrapped && passed)) {
      return told(null, "", direction, false);
    }
    if (isError(next.content)) {
      return told(next.line, "", direction, wrapped);
    }
    from = next.line;
  }
}

function isError(text: string): boolean {
  const level = levelOf(text)?.level;
  return level === "error" || level === "fatal";
}

function told(
  line: number | null,
  of: string,
  direction: Direction,
  wrapped: boolean,
): { line: number | null; note: string } {
  if (line === null) {
    return { line, note: "No line of level error." };
  }
  const around = direction === "forward" ? ", from the start" : ", from the end";
  return { line, note: `Error in line ${formatNumber(line)}${of}${wrapped ? around : ""}` };
}
