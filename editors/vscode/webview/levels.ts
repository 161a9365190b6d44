/** How serious a line of a log is, and which word of it says so. */

export type Level = "fatal" | "error" | "warning" | "info" | "debug";

export interface LevelWord {
  level: Level;
  start: number;
  end: number;
}

/** Levels stand near the start of a line; later words are prose. */
const REACH = 160;

const WORDS: Record<string, Level> = {
  emerg: "fatal",
  emergency: "fatal",
  alert: "fatal",
  panic: "fatal",
  fatal: "fatal",
  critical: "fatal",
  crit: "fatal",
  severe: "error",
  error: "error",
  err: "error",
  warning: "warning",
  warn: "warning",
  notice: "info",
  info: "info",
  information: "info",
  debug: "debug",
  verbose: "debug",
  fine: "debug",
  trace: "debug",
};

const ANY = Object.keys(WORDS)
  .sort((one, other) => other.length - one.length)
  .join("|");

/** In capitals, or in lower case where brackets or a key mark it: `ERROR`, `[warn]`, `level=info`, `"level":"debug"`. */
const CAPITALS = new RegExp(`(?<![\\w.-])(?:${ANY.toUpperCase()})(?![\\w.-])`);
const MARKED = new RegExp(
  `(?:[[<(|]\\s*|(?:level|lvl|severity)"?\\s*[:=]\\s*"?)(${ANY})(?=\\s*[\\]>)|"]|[\\s,]|$)`,
  "i",
);

export function levelOf(text: string): LevelWord | null {
  const head = text.slice(0, REACH);
  const capitals = CAPITALS.exec(head);
  const marked = MARKED.exec(head);
  const word = capitals?.[0] ?? marked?.[1];
  if (word === undefined) {
    return null;
  }
  const start = capitals?.index ?? (marked?.index ?? 0) + (marked?.[0].length ?? 0) - word.length;
  return { level: WORDS[word.toLowerCase()] as Level, start, end: start + word.length };
}

const TIMESTAMP =
  /^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]?)?\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?\]?(?=\s|$)|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?=\s)/;

/** How many characters the time at the start of the line takes; 0 where there is none. */
export function timestampLength(text: string): number {
  return TIMESTAMP.exec(text.slice(0, 48))?.[0].length ?? 0;
}
