/** The rows that are here, and requests for those that are missing. */

import type { LineRecord, Row } from "../src/viewer/messages";
import type { PlacedRow } from "./placedRow";
import { RowRequests, type RowsWanted } from "./rowRequests";

export interface ReceivedRows {
  first: number;
  count: number;
  /** One of them is shorter than it was. */
  isShorter: boolean;
}

export class HeldRows {
  private readonly rows = new Map<number, PlacedRow>();
  private readonly requests: RowRequests;
  /** Lines from here on were asked for and are not there: an estimated total was too high. */
  private absentFrom = Number.POSITIVE_INFINITY;

  /** `request` gets a number that comes back with the answer. */
  constructor(request: (request: number, wanted: RowsWanted) => void) {
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

  /** The lines that are here now; undefined where the answer is of no use. Null: there was none. */
  receive(request: number, rows: Row[] | null): ReceivedRows | undefined {
    const asked = this.requests.answered(request);
    if (asked === undefined || rows === null) {
      return undefined;
    }
    const { first, count, column, outdated } = asked;
    const complete = outdated ? rows.slice(0, -1) : rows; // what was appended may continue the last one
    let isShorter = false;
    complete.forEach((row, index) => {
      const { number, record, length = 0 } = this.rows.get(first + index) ?? {};
      const known = number === row.number ? record : undefined;
      isShorter ||= row.length < length;
      this.rows.set(first + index, { ...row, column, ...(known && { record: known }) });
    });
    if (rows.length < count && !outdated) {
      this.absentFrom = Math.min(this.absentFrom, first + rows.length);
    }
    return { first, count: complete.length, isShorter };
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

  /** There may be more lines now: which are absent is not known any more, and none of those from a line on is kept. */
  forgetFrom(line: number): void {
    this.absentFrom = Number.POSITIVE_INFINITY;
    this.forget((each) => each >= line);
    this.requests.outdate();
  }

  /** Those asked for may be other lines, or other parts of them. */
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
