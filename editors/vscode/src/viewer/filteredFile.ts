/** A file as if it had only the lines that a filter lets through. Rows are counted among those; each has the file's number. */

import type { Daemon, RequestOptions } from "../daemon";
import { type FilterParams, type ReadFileResult, Requests } from "../protocol";
import { type Piece, piecesOf } from "./copying";
import type { Excerpt, Found, Search } from "./excerpt";
import { filteredReader } from "./filteredReader";
import type { Direction, LineFilter, Position, Query, Row, TextRange, Total } from "./messages";
import { filterOf, wireQuery } from "./query";
import { AS_SHOWN, type FileToRead, foundMatch, PAST_THE_END, Snapshot } from "./snapshot";

type Request = Daemon["request"];

export class FilteredFile implements Excerpt {
  private constructor(
    private readonly request: Request,
    private readonly whole: Snapshot,
    private readonly file: FileToRead,
    /** What the filter was made of. */
    readonly wanted: LineFilter,
    readonly filter: FilterParams,
    readonly snapshot: Snapshot,
    private readonly opening: RequestOptions,
  ) {}

  /** Reads the first rows of what is shown of `whole`. */
  static async open(
    request: Request,
    whole: Snapshot,
    wanted: LineFilter,
    options: RequestOptions,
  ): Promise<FilteredFile | null> {
    const filter = filterOf(wanted);
    if (filter === null) {
      return null;
    }
    const { file, total } = whole;
    let reading = options;
    const reader: Request = (...args) =>
      filteredReader(request, filter, () => whole.isColored, reading)(...args);
    const snapshot = await Snapshot.open({ request: reader }, file, (first) => estimate(first, total.lines));
    reading = { token: options.token, onProgress: () => {} };
    return new FilteredFile(request, whole, file, wanted, filter, snapshot, options);
  }

  /** What is asked later shows no progress, and ends with the filter. */
  private get options(): RequestOptions {
    return { token: this.opening.token, onProgress: () => {} };
  }

  get total(): Total {
    return this.snapshot.total;
  }

  rows(first: number, count: number, column: number, width: number): Promise<Row[]> {
    return this.snapshot.rows(first, count, column, width);
  }

  lengthOf(row: number): Promise<number> {
    return this.snapshot.lengthOf(row);
  }

  pieces(range: TextRange, colors: boolean, options?: RequestOptions): AsyncIterable<Piece> {
    return piecesOf(this.reader, this.file, range, colors, options);
  }

  /** A reader of the matching lines alone. */
  get reader(): { request: Request } {
    return { request: filteredReader(this.request, this.filter, () => this.whole.isColored) };
  }

  /** Where colors are found that were not known of, rows look different from now on. Whether they do. */
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

  async rowsOf(lines: readonly number[]): Promise<number[]> {
    const rows = await Promise.all(
      lines.map(async (line) => {
        const isShown = (await this.rowsUpTo(line, { ...this.filter, first_line: line })) > 0;
        return isShown ? [await this.rowsUpTo(line)] : [];
      }),
    );
    return rows.flat();
  }

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

  async find(search: Search, query: Query, direction: Direction, from: Position): Promise<Found> {
    const { filter } = this;
    const params = { ...this.file, ...AS_SHOWN, direction, filter, ...wireQuery(query) };
    const start_line = await this.numberOf(from.line);
    const onward = await search({ ...params, start_line, start_column: from.column + 1 });
    const wrapped = onward.match === null;
    const { match } = wrapped
      ? await search({ ...params, start_line: direction === "forward" ? 1 : PAST_THE_END })
      : onward;
    return { match: match && foundMatch(match, await this.rowOf(match.line)), wrapped };
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
