/** How many lines match, and where they are on the scrollbar, reported while the file is searched. */

import type { Daemon, RequestOptions } from "../daemon";
import { type FilterParams, Requests } from "../protocol";
import { AS_SHOWN, type FileToRead } from "./snapshot";

/** The scrollbar shows no more places than that. */
const PLACES = 256;
/** Matches of a file up to this size are marked line by line. */
const SMALL_BYTES = 4 * 1024 * 1024;
const MAX_LINES = 10_000;
/** Not every step is worth a message. */
const REPORT_MS = 100;

export interface Matches {
  count: number;
  complete: boolean;
  /** Rows of the view. */
  marks: number[];
}

export interface ScannedFile {
  file: FileToRead;
  lines: number;
  byteLength: number;
  /** What the view shows; null: every line. */
  shown: FilterParams | null;
}

/** Searches the file once, in steps. */
export async function scanMatches(
  request: Daemon["request"],
  file: ScannedFile,
  matching: FilterParams,
  options: RequestOptions,
  report: (matches: Matches) => void,
): Promise<Matches> {
  const exact = file.byteLength <= SMALL_BYTES ? await everyMatch(request, file, matching, options) : null;
  const matches = exact ?? (await inSteps(request, file, matching, options, report));
  report(matches);
  return matches;
}

async function inSteps(
  request: Daemon["request"],
  file: ScannedFile,
  matching: FilterParams,
  options: RequestOptions,
  report: (matches: Matches) => void,
): Promise<Matches> {
  const counting = (filter: FilterParams) => {
    // The daemon keeps an index, which each step continues, but for whole records and for lines around matches: of
    // these a step counts its own.
    const isIndexed = !(filter.records || filter.before || filter.after);
    let count = 0;
    let first_line = 1;
    return async (last_line: number) => {
      const step = { ...filter, last_line, ...(!isIndexed && { first_line }) };
      const params = { ...file.file, ...AS_SHOWN, filter: step };
      const { line_count } = await request(Requests.countLines, params, options);
      count = isIndexed ? line_count : count + line_count;
      first_line = last_line + 1;
      return count;
    };
  };
  const matchesUpTo = counting(matching);
  const rowsUpTo = file.shown === null ? async (line: number) => line : counting(file.shown);
  const places = Math.min(PLACES, file.lines);
  const marks: number[] = [];
  let count = 0;
  let rows = 0;
  let reported = Date.now();
  for (let place = 1; place <= places; place += 1) {
    // The last step has no end, for the file may have grown.
    const line = place === places ? Number.MAX_SAFE_INTEGER : Math.floor((file.lines * place) / places);
    const found = await matchesUpTo(line);
    if (found > count) {
      marks.push(rows + 1);
    }
    rows = place === places ? rows : await rowsUpTo(line);
    count = found;
    if (Date.now() - reported > REPORT_MS) {
      reported = Date.now();
      report({ count, complete: false, marks: [...marks] });
    }
  }
  return { count, complete: true, marks };
}

/** Null where there are too many. */
async function everyMatch(
  request: Daemon["request"],
  { file, shown }: ScannedFile,
  filter: FilterParams,
  options: RequestOptions,
): Promise<Matches | null> {
  const numbers = async (wanted: FilterParams) => {
    const columns = { count: 1 };
    const page = { ...file, ...AS_SHOWN, filter: wanted, columns, max_lines: MAX_LINES };
    const answer = await request(Requests.readFile, page, options);
    return answer.truncated ? null : (answer.line_numbers ?? []);
  };
  const matching = await numbers(filter);
  if (matching === null || shown === null) {
    return matching && { count: matching.length, complete: true, marks: matching };
  }
  const rows = await numbers(shown);
  if (rows === null) {
    return null;
  }
  const rowOf = new Map(rows.map((line, index) => [line, index + 1]));
  const marks = matching.flatMap((line) => rowOf.get(line) ?? []);
  return { count: matching.length, complete: true, marks };
}
