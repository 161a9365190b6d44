/** Which word of a line says how serious it is, and how long its time is: for their colors alone. The daemon knows the level. */

import type { Level } from "./messages";

export interface LevelWord {
  level: Level;
  start: number;
  end: number;
}

/** Levels stand near the start of a line; later words are prose. */
const REACH = 160;

const WORDS: Record<string, Level> = {
  emerg: "critical",
  emergency: "critical",
  alert: "critical",
  panic: "critical",
  fatal: "critical",
  critical: "critical",
  crit: "critical",
  severe: "error",
  error: "error",
  err: "error",
  warning: "warning",
  warn: "warning",
  notice: "notice",
  info: "info",
  information: "info",
  debug: "debug",
  fine: "debug",
  verbose: "trace",
  trace: "trace",
};

const ANY = Object.keys(WORDS)
  .sort((one, other) => other.length - one.length)
  .join("|");

/** In capitals: `ERROR`, `app.CRITICAL: `. Not as part of a name: `ERROR_CODE`. */
const CAPITALS = new RegExp(`(?:(?<![\\w.-])|(?<=\\w\\.)(?=\\w+: ))(?:${ANY.toUpperCase()})(?![\\w.-])`);
/** In any case where brackets, a key or a colon mark it: `[warn]`, `level=info`, `"level":"debug"`, `sshd[7]: error: `. */
const MARKED = new RegExp(
  `(?:[[<(|]\\s*|(?:level|lvl|severity)"?\\s*[:=]\\s*"?)(${ANY})(?=\\s*[\\]>)|"]|[\\s,]|$)|(?:^|: |\\] )(${ANY})(?=: )`,
  "i",
);

export function levelWord(text: string): LevelWord | null {
  const head = text.slice(0, REACH);
  const capitals = CAPITALS.exec(head);
  const marked = MARKED.exec(head);
  const word = capitals?.[0] ?? marked?.[1] ?? marked?.[2];
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
