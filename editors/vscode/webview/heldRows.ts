/** The rows that are here, and requests for those that are missing. */

import type { LineRecord, Row } from "../src/viewer/messages";
import type { PlacedRow } from "./placedRow";
import { RowRequests, type RowsAsked, type RowsWanted } from "./rowRequests";

export class HeldRows {
  private readonly rows = new Map<number, PlacedRow>();
  private readonly requests: RowRequests;
  /** Lines from here on were asked for and are not there: an estimated total was too high. */
  private absentFrom = Number.POSITIVE_INFINITY;

  constructor(request: (wanted: RowsWanted) => void) {
    this.requests = new RowRequests(request);
  }

  get(line: number): PlacedRow | undefined {
    return this.rows.get(line);
  }

  has(line: number): boolean {
    return this.rows.has(line);
  }

  /** Whether a line that was asked for is not there. */
  isAbsent(line: number): boolean {
    return line >= this.absentFrom;
  }

  request(wanted: RowsWanted): void {
    this.requests.want(wanted);
  }

  /** Returns whether they are of use. Those asked for before all were forgotten may be other parts of the lines. */
  receive(asked: RowsAsked, rows: Row[]): boolean {
    if (!this.requests.answered(asked)) {
      return false;
    }
    const { first, column } = asked;
    rows.forEach((row, index) => {
      const { number, record } = this.rows.get(first + index) ?? {};
      const known = number === row.number ? record : undefined;
      this.rows.set(first + index, { ...row, column, ...(known && { record: known }) });
    });
    if (rows.length < asked.count) {
      this.absentFrom = Math.min(this.absentFrom, first + rows.length);
    }
    return true;
  }

  setRecords(first: number, records: readonly (LineRecord | null)[]): void {
    records.forEach((record, index) => {
      const row = this.rows.get(first + index);
      if (row !== undefined && record !== null) {
        this.rows.set(first + index, { ...row, record });
      }
    });
  }

  setLength(line: number, length: number): void {
    const row = this.rows.get(line);
    if (row !== undefined) {
      this.rows.set(line, { ...row, length, open: false });
    }
  }

  /** The requests under way will not be answered. */
  failed(): void {
    this.requests.reset();
  }

  /** There may be other lines now: which are absent is not known any more, and none of those from a line on is kept. */
  forgetFrom(line: number): void {
    this.absentFrom = Number.POSITIVE_INFINITY;
    this.forget((each) => each >= line);
  }

  forgetAll(): void {
    this.forgetFrom(0);
    this.requests.reset();
  }

  /** Those far away from the lines between `first` and `end` are not kept. */
  forgetFarFrom(first: number, end: number): void {
    const kept = 3 * (end - first);
    this.forget((line) => line < first - kept || line > end + kept);
  }

  private forget(isForgotten: (line: number) => boolean): void {
    for (const line of [...this.rows.keys()].filter(isForgotten)) {
      this.rows.delete(line);
    }
  }
}
