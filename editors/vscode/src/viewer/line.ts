/** One line of a file, however long: what is held of it, and how long it is as far as that is known. Columns are code points. */

import { parseAnsi, type Shown, sliceShown, withoutCutSequence } from "./ansi";
import { countCodePoints, unitsOf } from "./codePoints";

/** What the daemon answered for some columns of a line. */
export interface Part {
  text: string;
  /** How many bytes of the line follow; null: none do. */
  omittedBytes: number | null;
}

export interface Line {
  /** In characters as they are shown; where `open` is set, it has no more than that. */
  readonly length: number;
  readonly open: boolean;
  /** What it takes in memory, in characters. */
  readonly weight: number;
  /** The file's number of it, where it was read through a filter. */
  number?: number | undefined;
  /** It is shown because it is near a line that the filter lets through. */
  isContext: boolean;
  /** All that is held of it. */
  readonly held: Shown;
  /** Null where it is not held. */
  slice(from: number, to: number): Shown | null;
}

export class WholeLine implements Line {
  readonly open = false;
  number: number | undefined;
  isContext = false;

  constructor(private readonly raw: string) {}

  get length(): number {
    return countCodePoints(parseAnsi(this.raw).text);
  }

  get weight(): number {
    return this.raw.length;
  }

  get held(): Shown {
    return parseAnsi(this.raw);
  }

  slice(from: number, to: number): Shown {
    return sliceColumns(this.held, from, to);
  }
}

/** A line of which only the beginning is held. The daemon reads any other part of it. */
export class LongLine implements Line {
  number: number | undefined;
  isContext = false;
  private readonly head: string;
  private fewest: number;
  private most: number;

  /** `most` is a length that it does not exceed. `isExtended`: no more of its beginning is to be read. */
  constructor(
    head: string,
    most: number,
    readonly isExtended = false,
  ) {
    this.head = withoutCutSequence(head);
    this.fewest = countCodePoints(parseAnsi(this.head).text);
    this.most = Math.max(most, this.fewest);
  }

  get length(): number {
    return this.most;
  }

  get open(): boolean {
    return this.fewest < this.most;
  }

  get weight(): number {
    return this.head.length;
  }

  get held(): Shown {
    return parseAnsi(this.head);
  }

  slice(from: number, to: number): Shown | null {
    const shown = this.held;
    const held = countCodePoints(shown.text);
    return to <= held || (!this.open && this.most <= held) ? sliceColumns(shown, from, to) : null;
  }

  /** A part that was read tells how long the line is. */
  learn(column: number, { text, omittedBytes }: Part): void {
    const end = column + countCodePoints(text);
    if (omittedBytes !== null) {
      this.fewest = Math.max(this.fewest, end);
      this.most = Math.min(this.most, end + omittedBytes); // no character takes less than a byte
    } else if (text !== "" || column <= this.fewest) {
      this.fewest = end;
      this.most = end;
    } else {
      this.most = Math.min(this.most, column);
    }
    this.most = Math.max(this.most, this.fewest);
  }

  /** Finds out how long it is, by a few reads; one where every character takes a byte. */
  async findEnd(read: (column: number, count: number) => Promise<Part>): Promise<number> {
    let column = Math.max(this.fewest, this.most - PROBE);
    while (this.open) {
      this.learn(column, await read(column, PROBE));
      column = Math.floor((this.fewest + this.most) / 2);
    }
    return this.most;
  }
}

/** Columns that are read at once where the end of a line is looked for. */
const PROBE = 4096;

function sliceColumns(shown: Shown, from: number, to: number): Shown {
  const start = unitsOf(shown.text, from);
  return sliceShown(shown, start, start + unitsOf(shown.text.slice(start), to - from));
}
