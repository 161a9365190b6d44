import type { FilterParams, FindParams, FindResult } from "../protocol";
import type { Direction, Total } from "./messages";
import { formatNumber } from "./numbers";
import { errorsIn } from "./query";
import { AS_SHOWN, type FileToRead, PAST_THE_END } from "./snapshot";

/** Goes from error to error, as the daemon knows them, around the ends of the file. `shown`: among these lines. */
export async function nextError(
  search: (params: FindParams) => Promise<FindResult>,
  file: FileToRead,
  shown: FilterParams | null,
  direction: Direction,
  line: number,
  total: Total,
): Promise<{ line: number | null; note: string }> {
  const forward = direction === "forward";
  const filter = errorsIn(shown);
  const next = async (start_line: number) =>
    (await search({ ...file, ...AS_SHOWN, direction, start_line, pattern: "^", regex: true, filter })).match;
  const onward = await next(forward ? line + 1 : line);
  const found = onward ?? (await next(forward ? 1 : PAST_THE_END));
  if (found === null) {
    return { line: null, note: "No record of level error." };
  }
  const of = total.exact && shown === null ? ` of ${formatNumber(total.lines)}` : "";
  const around = forward ? ", from the start" : ", from the end";
  return {
    line: found.line,
    note: `Error in line ${formatNumber(found.line)}${of}${onward === null ? around : ""}`,
  };
}
