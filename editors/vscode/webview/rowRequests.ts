/** Requests rows while the user scrolls: at most two pending requests; of those wanted meanwhile only the last is sent. */

export interface RowsWanted {
  first: number;
  count: number;
  column: number;
  width: number;
}

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

  /** The request that this is the answer to, if it is still of use. */
  answered(first: number, column: number): RowsWanted | undefined {
    const index = this.underWay.findIndex((request) => request.first === first && request.column === column);
    const [request] = index < 0 ? [] : this.underWay.splice(index, 1);
    if (this.waiting !== undefined) {
      this.want(this.waiting);
    }
    return request;
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
