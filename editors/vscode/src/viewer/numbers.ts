/** Numbers as a person writes and reads them. */

const grouped = new Intl.NumberFormat("en-US");

export function formatNumber(value: number): string {
  return grouped.format(value);
}

/** `1,204,113 / 13,400,000`, with a `~` where the total is an estimate. */
export function formatPosition(line: number, total: { lines: number; exact: boolean }): string {
  return `${formatNumber(line)} / ${total.exact ? "" : "~"}${formatNumber(total.lines)}`;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** With the units of VS Code: a megabyte has 1024 × 1024 bytes. */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** A line number with or without separators (`1,204,113`, `1_204_113`, `1 204 113`); null for anything else. */
export function parseLine(text: string): number | null {
  const digits = text.trim().replace(/(?<=\d)[,._' \u00a0\u202f](?=\d{3}(?!\d))/g, "");
  const line = /^\d+$/.test(digits) ? Number(digits) : 0;
  return line >= 1 && Number.isSafeInteger(line) ? line : null;
}

/** Where to go: a line, or a share of the file such as `50%`. */
export function parseTarget(text: string, lines: number): number | null {
  const share = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text);
  if (share === null) {
    return parseLine(text);
  }
  const percentage = Number(share[1]);
  return percentage <= 100 ? Math.max(1, Math.round((percentage / 100) * lines)) : null;
}

/** `120`, `100-200` or `100+20`: one line stands for the lines around it. */
export function parseLines(text: string, around: number): { start: number; end: number } | null {
  const range = /^(.+?)\s*(-|–|\+|\.\.)\s*(.+)$/.exec(text.trim());
  if (range === null) {
    const line = parseLine(text);
    return line === null ? null : { start: Math.max(1, line - around), end: line + around };
  }
  const start = parseLine(range[1] ?? "");
  const second = parseLine(range[3] ?? "");
  if (start === null || second === null) {
    return null;
  }
  const end = range[2] === "+" ? start + second - 1 : second;
  return end >= start ? { start, end } : null;
}
