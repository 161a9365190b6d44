/** Reads through a filter that sees lines as they are shown, and gives them with their colors all the same. */

import type { Daemon, RequestOptions } from "../daemon";
import {
  type FilterParams,
  type ReadFileParams,
  type ReadFileResult,
  Requests,
  type RequestsMap,
} from "../protocol";
import { stripAnsi } from "./ansi";

type Request = Daemon["request"];

/** Requests for lines with their colors that are under way at the same time. */
const AT_ONCE = 32;

/** Adds a filter to everything that is read. `isColored`: the file has escape sequences. */
export function filteredReader(
  request: Request,
  filter: FilterParams,
  isColored: () => boolean,
  options?: RequestOptions,
): Request {
  return async <M extends keyof RequestsMap>(
    method: M,
    params: RequestsMap[M]["params"],
    own?: RequestOptions,
  ): Promise<RequestsMap[M]["result"]> => {
    const answer = await request(method, { ...params, ansi: "strip", filter }, own ?? options);
    const wanted = params as ReadFileParams;
    return isColored() && method === Requests.readFile && wanted.ansi !== "strip"
      ? await withColors(request, wanted, answer as ReadFileResult, own ?? options)
      : answer;
  };
}

/** The same lines as they are in the file; without colors where one is cut, or has changed meanwhile. */
async function withColors(
  request: Request,
  { path, encoding = null, columns = null, rotated = null }: ReadFileParams,
  answer: ReadFileResult,
  options?: RequestOptions,
): Promise<ReadFileResult> {
  const shown = answer.content.split("\n");
  const reading = { token: options?.token, onProgress: () => {} };
  const runs = runsOf(answer.line_numbers ?? []);
  for (let start = 0; start < runs.length; start += AT_ONCE) {
    const read = runs.slice(start, start + AT_ONCE).map(async ({ index, line, count }) => {
      const run = { start_line: line, limit: count, max_lines: count };
      const params: ReadFileParams = { path, encoding, columns, rotated, source: "disk", ...run };
      const { content } = await request(Requests.readFile, params, reading);
      for (const [offset, raw] of content.split("\n").slice(0, count).entries()) {
        if (stripAnsi(raw) === shown[index + offset]) {
          shown[index + offset] = raw;
        }
      }
    });
    await Promise.all(read);
  }
  return { ...answer, content: shown.join("\n") };
}

/** Lines that follow each other in the file are read together. */
function runsOf(numbers: readonly number[]): { index: number; line: number; count: number }[] {
  const runs: { index: number; line: number; count: number }[] = [];
  for (const [index, line] of numbers.entries()) {
    const run = runs.at(-1);
    if (run !== undefined && run.line + run.count === line) {
      run.count += 1;
    } else {
      runs.push({ index, line, count: 1 });
    }
  }
  return runs;
}
