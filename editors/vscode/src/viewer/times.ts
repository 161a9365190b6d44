/** Go to a time: time stamps at the start of lines, and the first line at or after one, found by bisection. */

import { formatNumber } from "./numbers";

const DAY = 86_400_000;
/** Lines read for one probe, and the most that are passed over in search of a time stamp. */
const PROBE_LINES = 200;
const MOST_WITHOUT_TIME = 5 * PROBE_LINES;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** As written, whatever the time zone: a day (null where none is given) and milliseconds into it. */
export interface Moment {
  day: number | null;
  time: number;
  /** The text it was read from. */
  text: string;
}

const CLOCK = "(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?";
const DATE = "(\\d{4})[-/](\\d\\d)[-/](\\d\\d)";
const MONTH_DAY = `([A-Z][a-z]{2}) {1,2}(\\d{1,2})`;
/** Before the stamp: a bracket, a syslog priority, the address of an access log. */
const ACCESS_TIME = new RegExp(`^\\S+ \\S+ \\S+ \\[(\\d\\d)/([A-Z][a-z]{2})/(\\d{4}):${CLOCK}`);
const ISO_TIME = new RegExp(`^(?:<\\d{1,3}>\\d? ?)?\\[?${DATE}[T ]${CLOCK}`);
const SYSLOG_TIME = new RegExp(`^(?:<\\d{1,3}>)?\\[?${MONTH_DAY} ${CLOCK}`);
const KLOG_TIME = new RegExp(`^[IWEF](\\d\\d)(\\d\\d) ${CLOCK}`);
const PLAIN_TIME = new RegExp(`^\\[?${CLOCK}(?=[\\]\\s]|$)`);

/** The time stamp that a line begins with. */
export function momentOf(line: string): Moment | null {
  const iso = ISO_TIME.exec(line);
  if (iso) {
    return moment(iso[0], dayOf(iso[1], iso[2], iso[3]), iso.slice(4));
  }
  const syslog = SYSLOG_TIME.exec(line);
  if (syslog) {
    return moment(syslog[0], dayOf("0", monthOf(syslog[1]), syslog[2]), syslog.slice(3));
  }
  const access = ACCESS_TIME.exec(line);
  if (access) {
    return moment(access[0], dayOf(access[3], monthOf(access[2]), access[1]), access.slice(4));
  }
  const klog = KLOG_TIME.exec(line);
  if (klog) {
    return moment(klog[0], dayOf("0", klog[1], klog[2]), klog.slice(3));
  }
  const plain = PLAIN_TIME.exec(line);
  return plain && moment(plain[0], null, plain.slice(1));
}

/** `14:05`, `14:05:31.250`, `2026-11-16`, `2026-11-16 14:05`, `Nov 16`, `Nov 16 14:05:31`; null for anything else. */
export function parseMoment(text: string): Moment | null {
  const wanted = text.trim();
  const dated = new RegExp(`^${DATE}(?:[T ]+${CLOCK})?$`).exec(wanted);
  if (dated) {
    return moment(wanted, dayOf(dated[1], dated[2], dated[3]), dated.slice(4));
  }
  const named = new RegExp(`^${MONTH_DAY}(?: +${CLOCK})?$`, "i").exec(wanted);
  if (named) {
    return moment(wanted, dayOf("0", monthOf(named[1]), named[2]), named.slice(3));
  }
  const clock = new RegExp(`^${CLOCK.replace("(\\d\\d)", "(\\d{1,2})")}$`).exec(wanted);
  return clock && moment(wanted, null, clock.slice(1));
}

export interface Found {
  line: number | null;
  note: string;
}

/** Lines from `first` on, at most `count`. */
export type ReadLines = (first: number, count: number) => Promise<string[]>;

/** The first line at or after a moment. One without a day means the day of the line the reader is at. */
export async function lineAtTime(
  read: ReadLines,
  total: number,
  wanted: Moment,
  current: number,
): Promise<Found> {
  const probes = new Map<number, number>();
  const stampFrom = async (first: number, end: number): Promise<{ line: number; moment: Moment } | null> => {
    for (let line = first; line < Math.min(end, first + MOST_WITHOUT_TIME); line += PROBE_LINES) {
      const texts = await read(line, Math.min(PROBE_LINES, end - line));
      const index = texts.findIndex((text) => momentOf(text) !== null);
      const found = index < 0 ? null : momentOf(texts[index] as string);
      if (found !== null) {
        return { line: line + index, moment: found };
      }
    }
    return null;
  };
  const start = await stampFrom(1, total + 1);
  if (start === null) {
    return { line: null, note: "The lines of this file do not begin with a time stamp." };
  }
  const here = (await stampFrom(Math.min(current, total), total + 1)) ?? start;
  const target = absolute(wanted, here.moment, start.moment);
  let low = 1;
  let high = total + 1;
  let best: { line: number; moment: Moment } | null = null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const probe = await stampFrom(middle, high);
    if (probe === null) {
      high = middle;
      continue;
    }
    const value = absolute(probe.moment, probe.moment, start.moment);
    probes.set(probe.line, value);
    if (value >= target) {
      high = middle;
      best = probe;
    } else {
      low = probe.line + 1;
    }
  }
  const inOrder = isSorted(probes);
  const order = inOrder
    ? ""
    : " The time stamps of this file are not in order, so others may come before it.";
  if (best === null) {
    return { line: null, note: `No line at or after ${wanted.text}.${inOrder ? "" : order}` };
  }
  return {
    line: best.line,
    note: `Line ${formatNumber(best.line)} is the first at or after ${wanted.text}.${order}`,
  };
}

function isSorted(probes: ReadonlyMap<number, number>): boolean {
  const values = [...probes].sort(([one], [other]) => one - other).map(([, value]) => value);
  return values.every((value, index) => index === 0 || value >= (values[index - 1] as number));
}

/** Milliseconds on one scale. A year that is not given is that of the file's stamps. */
function absolute({ day, time }: Moment, defaultDay: Moment, stamp: Moment): number {
  const known = day ?? defaultDay.day ?? 0;
  const yearless = known < YEAR_ONE && (stamp.day ?? 0) >= YEAR_ONE;
  const dated = known >= YEAR_ONE && (stamp.day ?? 0) < YEAR_ONE;
  const date = new Date(known * DAY);
  const year = new Date((stamp.day ?? 0) * DAY).getUTCFullYear();
  const aligned =
    yearless || dated ? Math.floor(utc(year, date.getUTCMonth(), date.getUTCDate()) / DAY) : known;
  return aligned * DAY + time;
}

/** Days of stamps without a year are counted in the year 0. */
const YEAR_ONE = Math.floor(utc(1, 0, 1) / DAY);

function utc(year: number, month: number, date: number): number {
  const day = new Date(0);
  day.setUTCFullYear(year, month, date);
  return day.getTime();
}

function dayOf(year = "0", month = "1", date = "1"): number {
  return Math.floor(utc(Number(year), Number(month) - 1, Number(date)) / DAY);
}

function monthOf(name = ""): string {
  return String(MONTHS.indexOf(name.toLowerCase()) + 1);
}

function moment(text: string, day: number | null, clock: (string | undefined)[]): Moment | null {
  const [hours = "0", minutes = "0", seconds = "0", fraction = "0"] = clock;
  const inRange = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) <= 60;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return inRange ? { day, time: 1000 * (whole + Number(`0.${fraction}`)), text } : null;
}
