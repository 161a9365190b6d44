/** One line of a file, however long: whole, or in the fragments the daemon hands out. */

export interface Line {
  /** As far as it has been read. */
  readonly length: number;
  /** It continues after what has been read. */
  readonly open: boolean;
  /** What it takes in memory, in characters. */
  readonly weight: number;
  /** The file's number of it, where it was read through a filter. */
  number?: number | undefined;
  slice(from: number, to: number): Promise<string>;
  /** Columns are UTF-16 units here and code points on the wire. */
  toCodePoints(column: number): Promise<number>;
  fromCodePoints(column: number): Promise<number>;
}

export class WholeLine implements Line {
  readonly open = false;
  number: number | undefined;

  constructor(private readonly text: string) {}

  get length(): number {
    return this.text.length;
  }

  get weight(): number {
    return this.text.length;
  }

  async slice(from: number, to: number): Promise<string> {
    return this.text.slice(from, to);
  }

  async toCodePoints(column: number): Promise<number> {
    return countCodePoints(this.text.slice(0, column));
  }

  async fromCodePoints(column: number): Promise<number> {
    return unitsOf(this.text, column);
  }
}

/** What the daemon answered: a piece of the line, and the cursor of the next one. */
export interface Piece {
  text: string;
  next: string | null;
}

interface Fragment {
  /** Null for the first, which is found by the line's number. */
  cursor: string | null;
  start: number;
  startCodePoints: number;
}

/** Fragments of a long line that are kept; the others are read again by their cursors. */
const KEPT_FRAGMENTS = 3;

/** A line longer than an answer. It is walked by cursors, so its length is known once its end has been seen. */
export class LongLine implements Line {
  readonly weight: number;
  number: number | undefined;
  private readonly fragments: Fragment[] = [{ cursor: null, start: 0, startCodePoints: 0 }];
  private readonly texts = new Map<number, string>();
  private next: string | null;
  private end: number;

  constructor(
    first: Piece,
    private readonly read: (cursor: string | null) => Promise<Piece>,
  ) {
    this.weight = KEPT_FRAGMENTS * first.text.length;
    this.next = first.next;
    this.end = first.text.length;
    this.texts.set(0, first.text);
  }

  get length(): number {
    return this.end;
  }

  get open(): boolean {
    return this.next !== null;
  }

  async slice(from: number, to: number): Promise<string> {
    await this.reach(() => this.end >= to);
    let result = "";
    for (let index = this.indexOf(from); index < this.fragments.length; index += 1) {
      const { start } = this.fragments[index] as Fragment;
      if (start >= to) {
        break;
      }
      result += (await this.textOf(index)).slice(Math.max(0, from - start), to - start);
    }
    return result;
  }

  async toCodePoints(column: number): Promise<number> {
    await this.reach(() => this.end >= column);
    const index = this.indexOf(column);
    const { start, startCodePoints } = this.fragments[index] as Fragment;
    return startCodePoints + countCodePoints((await this.textOf(index)).slice(0, column - start));
  }

  async fromCodePoints(column: number): Promise<number> {
    const last = () => this.fragments[this.fragments.length - 1] as Fragment;
    await this.reach(() => last().startCodePoints > column);
    const index = this.fragments.findLastIndex((fragment) => fragment.startCodePoints <= column);
    const { start, startCodePoints } = this.fragments[index] as Fragment;
    return start + unitsOf(await this.textOf(index), column - startCodePoints);
  }

  private async reach(enough: () => boolean): Promise<void> {
    while (!enough() && this.next !== null) {
      const cursor = this.next;
      const last = this.fragments.length - 1;
      const { startCodePoints } = this.fragments[last] as Fragment;
      const codePoints = startCodePoints + countCodePoints(await this.textOf(last));
      const piece = await this.read(cursor);
      if (this.next !== cursor) {
        continue; // another request walked on meanwhile
      }
      this.fragments.push({ cursor, start: this.end, startCodePoints: codePoints });
      this.keep(last + 1, piece.text);
      this.end += piece.text.length;
      this.next = piece.next;
    }
  }

  private indexOf(column: number): number {
    return this.fragments.findLastIndex((fragment) => fragment.start <= column);
  }

  private async textOf(index: number): Promise<string> {
    const text = this.texts.get(index) ?? (await this.read((this.fragments[index] as Fragment).cursor)).text;
    this.keep(index, text);
    return text;
  }

  private keep(index: number, text: string): void {
    this.texts.delete(index);
    this.texts.set(index, text);
    for (const oldest of this.texts.keys()) {
      if (this.texts.size <= KEPT_FRAGMENTS) {
        return;
      }
      this.texts.delete(oldest);
    }
  }
}

function countCodePoints(text: string): number {
  let count = text.length;
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) {
    count -= 1;
  }
  return count;
}

/** How many UTF-16 units the first code points take. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  for (let seen = 0; seen < codePoints && units < text.length; seen += 1) {
    units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1;
  }
  return units;
}
