/** A file as if it had only the lines that a filter lets through. Rows are counted among those; each has the file's number. */

import type { Daemon, RequestOptions } from "../daemon";
import {
  type FilterParams,
  type FindParams,
  type FindResult,
  type ReadFileResult,
  Requests,
} from "../protocol";
import { filteredReader } from "./filteredReader";
import type { Direction, LineFilter, Position, Query, TextRange, Total } from "./messages";
import { filterOf, wireQuery } from "./query";
import { AS_SHOWN, FileChanged, type FileToRead, rangeOf, Snapshot } from "./snapshot";

type Request = Daemon["request"];
/** Where the search continues in the whole file. */
type Search = (params: FindParams) => Promise<FindResult>;

export class FilteredFile {
  private constructor(
    private readonly request: Request,
    private readonly whole: Snapshot,
    private readonly file: FileToRead,
    readonly filters: readonly LineFilter[],
    readonly filter: FilterParams,
    readonly snapshot: Snapshot,
    private readonly opening: RequestOptions,
  ) {}

  /** Reads the first rows of what is shown of `whole`. */
  static async open(
    request: Request,
    whole: Snapshot,
    filters: readonly LineFilter[],
    options: RequestOptions,
  ): Promise<FilteredFile | null> {
    const filter = filterOf(filters);
    if (filter === null) {
      return null;
    }
    const { file, total } = whole;
    let reading = options;
    const reader: Request = (...args) =>
      filteredReader(request, filter, () => whole.isColored, reading)(...args);
    const snapshot = await Snapshot.open({ request: reader }, file, (first) => estimate(first, total.lines));
    reading = { token: options.token, onProgress: () => {} };
    return new FilteredFile(request, whole, file, filters, filter, snapshot, options);
  }

  /** What is asked later shows no progress, and ends with the filter. */
  private get options(): RequestOptions {
    return { token: this.opening.token, onProgress: () => {} };
  }

  /** A reader of the matching lines alone. */
  get reader(): { request: Request } {
    return { request: filteredReader(this.request, this.filter, () => this.whole.isColored) };
  }

  /** Where colours are found that were not known of, rows look different from now on. Whether they do. */
  async lookForColors(): Promise<boolean> {
    const found = await this.whole.lookForColors((params) =>
      this.request(Requests.find, params, this.options),
    );
    if (found) {
      this.snapshot.forgetLines();
    }
    return found;
  }

  /** Counts the rows, those of lines that were appended as well. */
  async count(): Promise<Total> {
    const params = { ...this.file, ...AS_SHOWN, filter: this.filter };
    return await this.snapshot.counted(await this.request(Requests.countLines, params, this.opening));
  }

  /** How many rows there are up to a line of the file, that one included. */
  async rowsUpTo(line: number, filter = this.filter): Promise<number> {
    if (line < 1) {
      return 0;
    }
    const params = { ...this.file, ...AS_SHOWN, filter: { ...filter, last_line: line } };
    return (await this.request(Requests.countLines, params, this.options)).line_count;
  }

  /** The rows of those lines of the file that are shown. */
  async rowsOf(lines: readonly number[]): Promise<number[]> {
    const rows = await Promise.all(
      lines.map(async (line) => {
        const isShown = (await this.rowsUpTo(line, { ...this.filter, first_line: line })) > 0;
        return isShown ? [await this.rowsUpTo(line)] : [];
      }),
    );
    return rows.flat();
  }

  /** The row of a line of the file, else the first one after it, else the last one. */
  async rowOf(line: number): Promise<number> {
    const before = await this.rowsUpTo(line - 1);
    const [row] = await this.snapshot.rows(before + 1, 1, 0, 1);
    return row === undefined ? Math.max(1, before) : before + 1;
  }

  /** The file's number of a row. */
  async numberOf(row: number): Promise<number> {
    const [found] = await this.snapshot.rows(row, 1, 0, 1);
    return found?.number ?? 1;
  }

  /** Positions are rows, as on the screen. */
  async find(
    search: Search,
    query: Query,
    direction: Direction,
    from: Position,
  ): Promise<{ match: TextRange | null; wrapped: boolean; line: number | null }> {
    const line = await this.numberOf(from.line);
    const params = { ...this.file, ...AS_SHOWN, direction, ...wireQuery(query) };
    const here = await search({ ...params, start_line: line, start_column: from.column + 1 });
    if (here.match?.line === line) {
      return { match: rangeOf(here.match, from.line), wrapped: false, line };
    }
    const next = await this.lineBeside(query, direction, line);
    if (next === null) {
      return { match: null, wrapped: true, line: null };
    }
    const start = direction === "forward" ? next.line : next.line + 1;
    const { match } = await search({ ...params, start_line: start });
    if (match?.line !== next.line) {
      throw new FileChanged();
    }
    const range = rangeOf(match, await this.rowOf(next.line));
    return { match: range, wrapped: next.wrapped, line: next.line };
  }

  /** The next line of the file that is shown and matches, around the ends of the file; null where there is none. */
  async lineBeside(
    query: Query,
    direction: Direction,
    line: number,
  ): Promise<{ line: number; content: string; wrapped: boolean } | null> {
    const both = filterOf(this.filters, query) as FilterParams;
    const forward = direction === "forward";
    const before = await this.rowsUpTo(forward ? line : line - 1, both);
    const onward = await this.matching(both, forward ? before + 1 : before);
    if (onward !== null) {
      return { ...onward, wrapped: false };
    }
    const last = forward ? 1 : await this.rowsUpTo(Number.MAX_SAFE_INTEGER, both);
    const around = await this.matching(both, last);
    return around && { ...around, wrapped: true };
  }

  private async matching(
    filter: FilterParams,
    number: number,
  ): Promise<{ line: number; content: string } | null> {
    if (number < 1) {
      return null;
    }
    const selection = { ...AS_SHOWN, start_line: number, limit: 1, on_binary: "refuse" } as const;
    const answer = await this.request(
      Requests.readFile,
      { ...this.file, filter, ...selection },
      this.options,
    );
    const line = answer.line_numbers?.[0];
    return line === undefined ? null : { line, content: answer.content };
  }
}

/** As many rows as there would be if the rest of the file matched as often as its beginning. */
function estimate({ line_numbers, meta }: ReadFileResult, lines: number): number {
  const reached = line_numbers?.at(-1) ?? 1;
  return Math.max(
    meta.returned_line_count,
    Math.round((meta.returned_line_count / Math.max(1, reached)) * lines),
  );
}
