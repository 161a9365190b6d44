import type { RequestOptions } from "../daemon";
import type { FindParams, FindResult } from "../protocol";
import type { Piece } from "./copying";
import type { Direction, FoundMatch, Position, Query, Row, TextRange, Total } from "./messages";

export type Search = (params: FindParams) => Promise<FindResult>;

/** What a search found, after the end of the file if it had to be `wrapped`. */
export interface Found {
  match: FoundMatch | null;
  wrapped: boolean;
}

export const NOTHING_FOUND: Found = { match: null, wrapped: true };

/** Some of a file's lines, in rows that are counted among them. Each row has the file's number. */
export interface Excerpt {
  readonly total: Total;
  rows(first: number, count: number, column: number, width: number): Promise<Row[]>;
  /** How many characters a row has. */
  lengthOf(row: number): Promise<number>;
  /** The row of a line of the file, else the first one after it, else the last one. */
  rowOf(line: number): Promise<number>;
  /** The rows of those lines of the file that are shown. */
  rowsOf(lines: readonly number[]): Promise<number[]>;
  /** Positions are rows. `search` is of the whole file. */
  find(search: Search, query: Query, direction: Direction, from: Position): Promise<Found>;
  /** The text of a range, with terminal escape sequences or without. */
  pieces(range: TextRange, colors: boolean, options?: RequestOptions): AsyncIterable<Piece>;
}
