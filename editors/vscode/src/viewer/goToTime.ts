/** Goes to a time in a file whose lines begin with time stamps, by bisection: a few small windows, whatever its size. */

import { formatNumber } from "./numbers";
import { complete, formatTime, keyOf, stampOf, type Time } from "./times";

/** How many lines without a stamp may follow one another, as stack traces do. */
const MOST_WITHOUT = 10_000;
const FIRST_WINDOW = 50;
const LAST_WINDOW = 1000;
/** Lines of several threads may be mixed up by so many seconds; that still counts as in order. */
const TOLERANCE = 5;

/** Lines from `first` on, at most `count`. */
export type ReadLines = (first: number, count: number) => Promise<string[]>;

export interface Found {
  line: number | null;
  note: string;
}

interface Sample {
  line: number;
  stamp: Time;
  key: number;
}

/** The first line at or after a time. A time alone means the day of the line the reader is at. */
export async function lineAtTime(
  read: ReadLines,
  file: { name: string; total: number },
  typed: { text: string; time: Time },
  current: number,
): Promise<Found> {
  const { name, total } = file;
  const search = new Search(read, total);
  const first = await search.from(1);
  if (first === null) {
    return { line: null, note: `The lines of ${name} do not begin with a time.` };
  }
  if (typed.time.month !== undefined && first.stamp.month === undefined) {
    return { line: null, note: `The lines of ${name} have a time and no date.` };
  }
  const last = (await search.lastOf(Math.max(1, total - LAST_WINDOW), 2 * LAST_WINDOW)) ?? first;
  const here = (await search.from(Math.min(current, total))) ?? first;
  const target = keyOf(complete(typed.time, here.stamp), search.wrapsAt);
  const found = await search.bisect(target);
  const disorder = search.disorder();
  const where = found?.line ?? total;
  if (disorder !== null) {
    const [earlier, later] = disorder.map(({ line }) => formatNumber(line));
    return {
      line: where,
      note: `${name} is not in order of time: line ${earlier} is earlier than line ${later}.`,
    };
  }
  if (found === null) {
    const ends = formatTime(last.stamp);
    return { line: where, note: `${name} ends before ${typed.text}: its last line is of ${ends}.` };
  }
  return {
    line: where,
    note: `${typed.text} is at line ${formatNumber(where)} (${formatTime(found.stamp)}).`,
  };
}

class Search {
  /** The key of the first stamp, in a file that passes midnight or New Year without saying so. */
  wrapsAt: number | undefined;
  private readonly samples: Sample[] = [];

  constructor(
    private readonly read: ReadLines,
    private readonly total: number,
  ) {}

  /** The first line with a stamp from this one on. */
  async from(line: number): Promise<Sample | null> {
    let count = FIRST_WINDOW;
    for (let start = line; start <= Math.min(this.total, line + MOST_WITHOUT); start += count) {
      count = start === line ? FIRST_WINDOW : LAST_WINDOW;
      const texts = await this.read(start, count);
      for (const [index, text] of texts.entries()) {
        const stamp = stampOf(text);
        if (stamp !== null) {
          return this.note(start + index, stamp);
        }
      }
    }
    return null;
  }

  /** The last stamp of a window. */
  async lastOf(start: number, count: number): Promise<Sample | null> {
    const texts = await this.read(start, count);
    for (const [index, text] of [...texts.entries()].reverse()) {
      const stamp = stampOf(text);
      const first = this.samples[0];
      if (stamp !== null && first !== undefined) {
        if (keyOf(stamp) < first.key && first.stamp.year === undefined) {
          this.wrapsAt = first.key;
        }
        return this.note(start + index, stamp);
      }
    }
    return null;
  }

  async bisect(target: number): Promise<Sample | null> {
    let [low, high] = [1, this.total]; // every stamp before `low` is too early
    let found: Sample | null = null;
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const sample = await this.from(middle);
      if (sample !== null && sample.key < target) {
        low = sample.line + 1;
      } else {
        found = sample ?? found;
        high = middle - 1;
      }
    }
    return found;
  }

  /** Two samples that contradict the order of time: the one that is earlier, and the one before it in the file. */
  disorder(): [Sample, Sample] | null {
    const samples = [...this.samples].sort((one, other) => one.line - other.line);
    for (const [index, after] of samples.entries()) {
      const before = samples[index - 1];
      if (before !== undefined && after.key < before.key - TOLERANCE) {
        return [after, before];
      }
    }
    return null;
  }

  private note(line: number, stamp: Time): Sample {
    const sample = { line, stamp, key: keyOf(stamp, this.wrapsAt) };
    this.samples.push(sample);
    return sample;
  }
}
