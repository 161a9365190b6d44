/** Time stamps at the start of lines, and as a person types them. `tests/editors/times.json` has every form. */

/** A date and a time, a date without a year, or a time alone. As written, whatever the time zone. */
export interface Time {
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
  /** Since midnight. */
  seconds: number;
}

const DAY = 86_400;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DATE = String.raw`(?<year>\d{4})[-/](?<month>\d\d)[-/](?<day>\d\d)`;
const NAMED = String.raw`(?<name>[A-Za-z]{3}) +(?<day>\d\d?)`;
const FULL_CLOCK = String.raw`(?<hour>\d\d?):(?<minute>\d\d):(?<second>\d\d(?:[.,]\d+)?)`;
const CLOCK = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d(?:[.,]\d+)?))?`;

/** Brackets, a syslog priority or a JSON key may stand before a stamp. */
const JSON_KEY = /^\s*\{\s*"(?:time|timestamp|ts|@timestamp)"\s*:\s*"?/;
const PREFIX = /^[\s[("']*(?:<\d+>(?:1 )?)?/;
const STAMPS = [
  new RegExp(`^${DATE}[T ]${CLOCK}`),
  new RegExp(String.raw`^(?:[A-Za-z]{3} )?${NAMED} ${CLOCK}(?: (?<year>\d{4})(?!\d))?`),
  new RegExp(`^${FULL_CLOCK}`),
  new RegExp(String.raw`^[DIWEF](?<month>\d\d)(?<day>\d\d) ${FULL_CLOCK}`),
  /^(?<epoch>\d{10}(?:\.\d+)?)(?!\d)/,
  /^(?<milliseconds>\d{13})(?![\d.])/,
];
const ACCESS_LOG = new RegExp(
  String.raw`^[^[]{0,128}\[(?<day>\d\d)/(?<name>[A-Za-z]{3})/(?<year>\d{4}):${FULL_CLOCK}`,
);
const TARGETS = [
  new RegExp(`^${DATE}(?:[T ]${CLOCK})?Z?$`),
  new RegExp(`^${NAMED}(?: ${CLOCK})?$`),
  new RegExp(`^${CLOCK}$`),
];

/** The time stamp that a line begins with. */
export function stampOf(line: string): Time | null {
  const key = JSON_KEY.exec(line);
  const text = line.slice((key ?? PREFIX.exec(line))?.[0].length ?? 0);
  return firstOf(STAMPS, text) ?? firstOf([ACCESS_LOG], line);
}

/** A time as a person types it: `14:05`, `14:05:31`, `2026-11-16`, `2026-11-16 14:05`, `Nov 16 14:05`. */
export function parseTime(typed: string): Time | null {
  return firstOf(TARGETS, typed.trim());
}

/** As in `2026-11-16 14:05:31`. */
export function formatTime({ year, month, day, seconds }: Time): string {
  const two = (value: number | undefined) => String(Math.floor(value ?? 0)).padStart(2, "0");
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(":");
  const fraction = (seconds % 1).toFixed(6).slice(1).replace(/0+$/, "").replace(/\.$/, "");
  const date = month === undefined ? "" : `${two(month)}-${two(day)} `;
  return `${year === undefined ? "" : `${year}-`}${date}${clock}${fraction}`;
}

/**
 * What times of one form are compared by. Those without a year, or without a date, start over: what is earlier than the file's
 * first line, whose key is `first`, belongs to the next year or day.
 */
export function keyOf(time: Time, first?: number): number {
  const { year, month, day, seconds } = time;
  const days = month === undefined ? 0 : Date.UTC(year ?? 2000, month - 1, day) / (1000 * DAY);
  const key = days * DAY + seconds;
  const period = month === undefined ? DAY : year === undefined ? 366 * DAY : 0;
  return first !== undefined && key < first ? key + period : key;
}

/** Parts that were not typed are those of the line the reader is at; parts that the stamps lack do not count. */
export function complete(typed: Time, here: Time): Time {
  return {
    year: here.year && (typed.year ?? here.year),
    month: here.month && (typed.month ?? here.month),
    day: here.day && (typed.day ?? here.day),
    seconds: typed.seconds,
  };
}

function firstOf(forms: RegExp[], text: string): Time | null {
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) {
      return timeOf(parts);
    }
  }
  return null;
}

/** Null where there is no such date or time. */
function timeOf(parts: Record<string, string | undefined>): Time | null {
  if (parts.epoch !== undefined || parts.milliseconds !== undefined) {
    return timeOfEpoch(Number(parts.epoch ?? Number(parts.milliseconds) / 1000));
  }
  const named = parts.name === undefined ? undefined : MONTHS.indexOf(parts.name.toLowerCase()) + 1;
  const year = parts.year === undefined ? undefined : Number(parts.year);
  const month = named ?? (parts.month === undefined ? undefined : Number(parts.month));
  const day = parts.day === undefined ? undefined : Number(parts.day);
  const [hour, minute] = [Number(parts.hour ?? 0), Number(parts.minute ?? 0)];
  const second = Number((parts.second ?? "0").replace(",", "."));
  const isDate = month === undefined || isDay(year ?? 2000, month, day ?? 0);
  const isTime = hour < 24 && minute < 60 && second < 61;
  return isDate && isTime ? { year, month, day, seconds: hour * 3600 + minute * 60 + second } : null;
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function timeOfEpoch(seconds: number): Time {
  const date = new Date(1000 * Math.floor(seconds));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    seconds: Math.round((seconds % DAY) * 1e6) / 1e6,
  };
}
