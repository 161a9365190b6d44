/** A least-recently-used cache of lines, with a budget in characters. */

/** The cost of an entry without its text. */
const ENTRY_WEIGHT = 64;

export class LineStore<Line extends { weight: number }> {
  private readonly lines = new Map<number, Line>();
  private weight = 0;

  constructor(private readonly budget: number) {}

  get size(): number {
    return this.lines.size;
  }

  get entries(): [number, Line][] {
    return [...this.lines];
  }

  get(number: number): Line | undefined {
    const line = this.lines.get(number);
    if (line !== undefined) {
      this.lines.delete(number);
      this.lines.set(number, line);
    }
    return line;
  }

  set(number: number, line: Line): void {
    this.remove(number);
    this.lines.set(number, line);
    this.weight += line.weight + ENTRY_WEIGHT;
    for (const oldest of this.lines.keys()) {
      if (this.weight <= this.budget || oldest === number) {
        return;
      }
      this.remove(oldest);
    }
  }

  /** Forgets a line and all after it. */
  removeFrom(first: number): void {
    for (const number of [...this.lines.keys()].filter((each) => each >= first)) {
      this.remove(number);
    }
  }

  private remove(number: number): void {
    const line = this.lines.get(number);
    if (line !== undefined) {
      this.lines.delete(number);
      this.weight -= line.weight + ENTRY_WEIGHT;
    }
  }
}
