import type { FindParams, FindResult } from "../protocol";
import { ERROR_CANDIDATES, levelOf } from "./levels";
import type { Direction, Total } from "./messages";
import { formatNumber } from "./numbers";

/** Goes from line to line whose level is error or fatal, around the ends of the file. */
export async function nextError(
  search: (params: FindParams) => Promise<FindResult>,
  file: Pick<FindParams, "path" | "source">,
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
      const level = match && levelOf(match.content)?.level;
      if (match === null || level === "error" || level === "fatal") {
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
  if (found === null) {
    return { line: null, note: "No line of level error." };
  }
  const around = forward ? "from the start" : "from the end";
  const where = `Error in line ${formatNumber(found)}${total.exact ? ` of ${formatNumber(total.lines)}` : ""}`;
  return { line: found, note: onward === null ? `${where}, ${around}` : where };
}
