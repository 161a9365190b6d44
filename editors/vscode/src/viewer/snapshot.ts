/** A file that is only appended to: what has been read of it stays true. Any other change ends the snapshot. */

import { type Daemon, ForgeError } from "../daemon";
import {
  type CountLinesResult,
  type FindParams,
  type FindResult,
  type ReadFileParams,
  type ReadFileResult,
  Requests,
} from "../protocol";
import { type Line, LongLine, type Piece, WholeLine } from "./line";
import { LineStore } from "./lineStore";
import type { Direction, Position, Query, Row, TextRange, Total } from "./messages";
import { wireQuery } from "./query";

type Reader = Pick<Daemon, "request">;

/** Thrown by every method once the file differs from the one that was opened. */
export class FileChanged extends Error {}

/** Lines asked for at once: a screen or two, and what is scrolled to next. */
const PAGE_LINES = 128;
const STORE_BUDGET = 16 * 1024 * 1024;
/** After the last line of any file. */
const PAST_THE_END = Number.MAX_SAFE_INTEGER;

/** How the file's text is stored. */
export interface TextFormat {
  encoding: string;
  eol: ReadFileResult["meta"]["eol"];
}

/** How many lines there may be, from the first page. */
type Estimate = (first: ReadFileResult) => number;

export class Snapshot {
  readonly text: TextFormat;
  private grown = false;
  private length: number;
  private etag: string;
  /** A position in the file. The daemon takes it as long as the file only grew. */
  private readonly proof: string | null;
  private readonly store = new LineStore<Line>(STORE_BUDGET);
  private known: Total;

  private constructor(
    private readonly reader: Reader,
    private readonly path: string,
    first: ReadFileResult,
    estimate: Estimate,
  ) {
    this.etag = first.etag;
    this.length = first.meta.byte_length;
    this.proof = first.next_cursor ?? first.end_cursor;
    this.text = { encoding: first.meta.encoding, eol: first.meta.eol };
    this.known = totalOf(first, estimate);
    this.keep(1, first);
  }

  static async open(reader: Reader, path: string, estimate: Estimate = linesBySize): Promise<Snapshot> {
    // Without a limit there is a cursor at the end of the page.
    const page = { ...pageOf(path, 1), limit: null };
    return new Snapshot(reader, path, await reader.request(Requests.readFile, page), estimate);
  }

  get total(): Total {
    return this.known;
  }

  get byteLength(): number {
    return this.length;
  }

  /** Whether the file grew since it was last looked at. */
  async refresh(): Promise<boolean> {
    const { etag } = this;
    const answer = await this.reader.request(Requests.readFile, {
      ...pageOf(this.path, 1),
      if_none_match: etag,
    });
    if (!answer.not_modified) {
      await this.accept(answer.etag);
    }
    return this.etag !== etag;
  }

  async counted(result: CountLinesResult): Promise<Total> {
    await this.accept(result.etag);
    if (this.grown) {
      this.store.removeFrom(this.known.lines); // the last line may have been continued
      this.grown = false;
    }
    this.length = result.byte_length;
    this.known = { lines: result.line_count, exact: true };
    return this.known;
  }

  /** The file grew: the lines must be counted again. Those that are known stay. */
  get isGrown(): boolean {
    return this.grown;
  }

  /** What is there of the wanted lines; fewer at the end of the file. */
  async rows(first: number, count: number, column: number, width: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (const line of await this.lines(first, count)) {
      const text = await line.slice(column, column + width);
      const row = { text, length: line.length, open: line.open };
      rows.push(line.number === undefined ? row : { ...row, number: line.number });
    }
    return rows;
  }

  /** The beginnings of lines, as far as their time stamps may reach. */
  async texts(first: number, count: number): Promise<string[]> {
    return (await this.rows(first, count, 0, 200)).map(({ text }) => text);
  }

  async find(
    search: (params: FindParams) => Promise<FindResult>,
    query: Query,
    direction: Direction,
    from: Position,
  ): Promise<{ match: TextRange | null; wrapped: boolean }> {
    const params = { path: this.path, source: "disk", direction, ...wireQuery(query) } as const;
    const column = await this.wireColumn(from);
    const onward = await search({ ...params, start_line: from.line, start_column: column });
    const wrapped = onward.match === null;
    const answer = wrapped
      ? await search({ ...params, start_line: direction === "forward" ? 1 : PAST_THE_END })
      : onward;
    await this.accept(answer.etag);
    return { match: answer.match && (await this.rangeOf(answer.match)), wrapped };
  }

  /** The column as the daemon counts. */
  async wireColumn({ line, column }: Position): Promise<number> {
    const [text] = column === 0 ? [] : await this.lines(line, 1);
    return text === undefined ? 1 : (await text.toCodePoints(column)) + 1;
  }

  /** Where a match is, in the line of that number here. */
  async rangeOf(match: NonNullable<FindResult["match"]>, number = match.line): Promise<TextRange> {
    const [line] = await this.lines(number, 1);
    if (line === undefined) {
      throw new FileChanged();
    }
    const start = await line.fromCodePoints(match.start_column - 1);
    const end = await line.fromCodePoints(match.end_column);
    return { start: { line: number, column: start }, end: { line: number, column: end } };
  }

  private async lines(first: number, count: number): Promise<Line[]> {
    const wanted = new Map<number, Line>();
    for (let number = first; number < first + count; number += 1) {
      const held = wanted.get(number) ?? this.store.get(number);
      const line = held ?? (await this.load(number, first + count, wanted));
      if (line === undefined) {
        break;
      }
      wanted.set(number, line);
    }
    return [...wanted.values()];
  }

  /** Reads the page around a line; from the line on where the page holds too much for one answer. */
  private async load(number: number, end: number, wanted: Map<number, Line>): Promise<Line | undefined> {
    const pageStart = wanted.size > 0 ? number : number - ((number - 1) % PAGE_LINES);
    for (const start of new Set([pageStart, number])) {
      const answer = await this.reader.request(Requests.readFile, pageOf(this.path, start));
      await this.accept(answer.etag);
      const lines = this.keep(start, answer);
      for (let index = Math.max(0, number - start); index < lines.length && start + index < end; index += 1) {
        wanted.set(start + index, lines[index] as Line);
      }
      if (wanted.has(number) || !answer.truncated) {
        break;
      }
    }
    return wanted.get(number);
  }

  private keep(start: number, answer: ReadFileResult): Line[] {
    const lines = linesOf(answer, (cursor) => this.readPiece(start, cursor));
    lines.forEach((line, index) => {
      line.number = answer.line_numbers?.[index];
      this.store.set(start + index, line);
    });
    const isLastPage = lines.length > 0 && lines.length < PAGE_LINES && !answer.truncated;
    if (isLastPage && !this.grown) {
      this.known = { lines: start + lines.length - 1, exact: true };
    }
    return lines;
  }

  private async readPiece(line: number, cursor: string | null): Promise<Piece> {
    const where = cursor === null ? { start_line: line, limit: 1 } : { cursor, max_lines: 1 };
    const answer = await this.reader.request(Requests.readFile, {
      path: this.path,
      source: "disk",
      ...where,
    });
    await this.accept(answer.etag);
    return pieceOf(answer);
  }

  /** Goes on with a file that only grew, which the daemon tells by taking a cursor from before. */
  private async accept(etag: string): Promise<void> {
    if (etag === this.etag) {
      return;
    }
    if (this.proof === null) {
      throw new FileChanged();
    }
    try {
      const params = { path: this.path, cursor: this.proof, max_lines: 1, source: "disk" } as const;
      await this.reader.request(Requests.readFile, params);
    } catch (error) {
      if (error instanceof ForgeError && error.code === "CONTENT_MODIFIED") {
        throw new FileChanged();
      }
      throw error;
    }
    this.etag = etag;
    this.grown = true;
  }
}

function pageOf(path: string, start: number): ReadFileParams {
  return {
    path,
    start_line: start,
    limit: PAGE_LINES,
    max_lines: PAGE_LINES,
    source: "disk",
    on_binary: "refuse",
  };
}

function linesOf(answer: ReadFileResult, more: (cursor: string | null) => Promise<Piece>): Line[] {
  if (answer.content === "") {
    return [];
  }
  if (isCut(answer)) {
    return [new LongLine(pieceOf(answer), more)];
  }
  const texts = answer.content.split("\n");
  if (answer.content.endsWith("\n")) {
    texts.pop();
  }
  return texts.map((text) => new WholeLine(text));
}

/** A line longer than an answer comes alone, without its end. */
function isCut(answer: ReadFileResult): boolean {
  return answer.truncated && !answer.content.endsWith("\n");
}

function pieceOf(answer: ReadFileResult): Piece {
  return isCut(answer)
    ? { text: answer.content, next: answer.next_cursor }
    : { text: answer.content.replace(/\n$/, ""), next: null };
}

function totalOf(first: ReadFileResult, estimate: Estimate): Total {
  const { line_count } = first.meta;
  return line_count === null ? { lines: estimate(first), exact: false } : { lines: line_count, exact: true };
}

function linesBySize({ content, meta }: ReadFileResult): number {
  const bytesPerLine = Math.max(1, content.length / Math.max(1, meta.returned_line_count));
  return Math.max(1, Math.round(meta.byte_length / bytesPerLine));
}
