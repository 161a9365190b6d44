/** Times as the daemon writes them: ISO 8601, with a zone if the log has one. */

const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/;
const UNITS: [number, string][] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

interface Parts {
  /** As if it were UTC. */
  seconds: number;
  /** As it is written. */
  fraction: string;
  zone: string;
}

/** From one time to another. Both are of the same log: if one has a zone, so has the other. */
export function secondsBetween(from: string, to: string): number | null {
  const [start, end] = [instantOf(from), instantOf(to)];
  return start === null || end === null ? null : end - start;
}

/** The first time after this one that the log could write: `until` is a bound that is not included. */
export function justAfter(time: string): string {
  const parts = partsOf(time);
  if (parts === null) {
    return time;
  }
  const { fraction } = parts;
  const next = String(BigInt(fraction || "0") + 1n).padStart(fraction.length, "0");
  const carries = fraction === "" || next.length > fraction.length;
  return written({
    ...parts,
    seconds: parts.seconds + (carries ? 1 : 0),
    fraction: carries ? "0".repeat(fraction.length) : next,
  });
}

/** The minute that a time is in: its start, and that of the next one. */
export function minuteOf(time: string): { since: string; until: string } {
  const parts = partsOf(time);
  if (parts === null) {
    return { since: time, until: time };
  }
  const start = parts.seconds - (parts.seconds % 60);
  const at = (seconds: number) => written({ ...parts, seconds, fraction: "" });
  return { since: at(start), until: at(start + 60) };
}

/** As in `3 min 20 s`: the two largest units. */
export function formatDuration(seconds: number): string {
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? "−" : "";
  if (size < 1) {
    return `${sign}${Math.round(size * 1000)} ms`;
  }
  if (size < 60) {
    return `${sign}${Number(size.toFixed(size < 10 ? 2 : 1))} s`;
  }
  const index = UNITS.findIndex(([length]) => size >= length);
  const [length, unit] = UNITS[index] as [number, string];
  const [part, name] = UNITS[index + 1] as [number, string];
  const rest = Math.floor((size % length) / part);
  return `${sign}${Math.floor(size / length)} ${unit}${rest === 0 ? "" : ` ${rest} ${name}`}`;
}

/** Without date and zone, for a label: `14:05:31.007`. */
export function clockOf(time: string): string {
  return ISO.test(time) ? time.slice(11).replace(/(?:Z|[+-]\d\d:?\d\d)$/, "") : time;
}

function partsOf(time: string): Parts | null {
  const [whole, clock = "", fraction = "", zone = ""] = ISO.exec(time) ?? [];
  return whole === undefined ? null : { seconds: Date.parse(`${clock}Z`) / 1000, fraction, zone };
}

function instantOf(time: string): number | null {
  const parts = partsOf(time);
  if (parts === null) {
    return null;
  }
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d):?(\d\d)/.exec(parts.zone) ?? [];
  const offset = Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
  return parts.seconds - offset + Number(`0.${parts.fraction || "0"}`);
}

function written({ seconds, fraction, zone }: Parts): string {
  const clock = new Date(1000 * seconds).toISOString().slice(0, 19);
  return `${clock}${fraction === "" ? "" : `.${fraction}`}${zone}`;
}
