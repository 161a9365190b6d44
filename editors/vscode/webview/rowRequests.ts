/** Requests rows while the user scrolls: at most two pending requests; of those wanted meanwhile only the last is sent. */

export interface RowsWanted {
  first: number;
  count: number;
  column: number;
  width: number;
}

/** What tells the answer to one request from that to another. */
export type RowsAsked = Pick<RowsWanted, "first" | "count" | "column">;

const AT_ONCE = 2;

export class RowRequests {
  private readonly underWay: RowsWanted[] = [];
  private waiting: RowsWanted | undefined;

  constructor(private readonly send: (wanted: RowsWanted) => void) {}

  want(wanted: RowsWanted): void {
    this.waiting = undefined;
    if (this.underWay.some((request) => includes(request, wanted))) {
      return;
    }
    if (this.underWay.length >= AT_ONCE) {
      this.waiting = wanted;
      return;
    }
    this.underWay.push(wanted);
    this.send(wanted);
  }

  /** Returns whether the answer is that of a request under way, and not of one from before a reset. */
  answered({ first, count, column }: RowsAsked): boolean {
    const index = this.underWay.findIndex(
      (request) => request.first === first && request.count === count && request.column === column,
    );
    if (index >= 0) {
      this.underWay.splice(index, 1);
    }
    if (this.waiting !== undefined) {
      this.want(this.waiting);
    }
    return index >= 0;
  }

  /** None of the answers will come, or be of use. */
  reset(): void {
    this.underWay.length = 0;
    this.waiting = undefined;
  }
}

function includes(request: RowsWanted, wanted: RowsWanted): boolean {
  const end = (rows: RowsWanted) => rows.first + rows.count;
  return request.column === wanted.column && request.first <= wanted.first && end(request) >= end(wanted);
}
