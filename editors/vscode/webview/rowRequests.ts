/** Requests rows while the user scrolls: at most two pending requests; of those wanted meanwhile only the last is sent. */

export interface RowsWanted {
  first: number;
  count: number;
  column: number;
  width: number;
}

/** A request under way. */
export interface RowsAsked extends RowsWanted {
  /** The file grew meanwhile: the answer may be without what was appended. */
  outdated: boolean;
}

const AT_ONCE = 2;

export class RowRequests {
  private readonly underWay = new Map<number, RowsAsked>();
  private waiting: RowsWanted | undefined;
  private sent = 0;

  /** `send` gets a number that comes back with the answer. */
  constructor(private readonly send: (request: number, wanted: RowsWanted) => void) {}

  want(wanted: RowsWanted): void {
    this.waiting = undefined;
    if ([...this.underWay.values()].some((asked) => !asked.outdated && includes(asked, wanted))) {
      return;
    }
    if (this.underWay.size >= AT_ONCE) {
      this.waiting = wanted;
      return;
    }
    this.sent += 1;
    this.underWay.set(this.sent, { ...wanted, outdated: false });
    this.send(this.sent, wanted);
  }

  /** What was asked for; undefined where the answer comes too late to be of use. */
  answered(request: number): RowsAsked | undefined {
    const asked = this.underWay.get(request);
    this.underWay.delete(request);
    if (this.waiting !== undefined) {
      this.want(this.waiting);
    }
    return asked;
  }

  /** The file grew. */
  outdate(): void {
    for (const asked of this.underWay.values()) {
      asked.outdated = true;
    }
  }

  /** None of the answers will be of use. */
  reset(): void {
    this.underWay.clear();
    this.waiting = undefined;
  }
}

function includes(asked: RowsAsked, wanted: RowsWanted): boolean {
  const end = (rows: RowsWanted) => rows.first + rows.count;
  return asked.column === wanted.column && asked.first <= wanted.first && end(asked) >= end(wanted);
}
