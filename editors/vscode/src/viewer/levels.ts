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

/** In capitals: `ERROR`, `app.CRITICAL: `. Not as part of a name (`ERROR_CODE`), and not counted (`0 ERROR so far`). */
const CAPITALS = new RegExp(
  `(?:(?<![\\w.-]|\\b(?:0|no|No|NO) )|(?<=\\w\\.)(?=\\w+: ))(?:${ANY.toUpperCase()})(?![\\w.-]| (?:so far|in total|found)\\b)`,
);
/** In any case where brackets, a key or a colon mark it: `[warn]`, `level=info`, `"level":"debug"`, `sshd[7]: error: `. */
const MARKED = new RegExp(
  `(?:[[<(|]\\s*|(?:level|lvl|severity)"?\\s*[:=]\\s*"?)(${ANY})(?=\\s*[\\]>)|"]|[\\s,]|$)|(?:^|: |\\] )(${ANY})(?=: )`,
  "i",
);
/** klog and glog: a letter, month and day. */
const KLOG = /^([IWEF])\d{4} \d\d:\d\d:\d\d/;
const KLOG_LEVELS: Record<string, Level> = { I: "info", W: "warning", E: "error", F: "fatal" };
/** RFC 5424 and 3164: facility × 8 + severity in angle brackets at the start. */
const SYSLOG_PRIORITY = /^<(\d{1,3})>/;
const SYSLOG_LEVELS: Level[] = ["fatal", "fatal", "fatal", "error", "warning", "info", "info", "debug"];
/** Web servers: the status after the quoted request. */
const ACCESS = /"[A-Z]+ [^"]* HTTP\/[\d.]+" ([45]\d\d)(?=\s|$)/;
const ACCESS_REACH = 2000;

export function levelOf(text: string): LevelWord | null {
  const head = text.slice(0, REACH);
  const letter = KLOG.exec(head)?.[1];
  if (letter !== undefined) {
    return { level: KLOG_LEVELS[letter] as Level, start: 0, end: 1 };
  }
  const priority = SYSLOG_PRIORITY.exec(head);
  if (priority !== null && Number(priority[1]) < 192) {
    return { level: SYSLOG_LEVELS[Number(priority[1]) % 8] as Level, start: 0, end: priority[0].length };
  }
  return levelWord(head) ?? levelOfAccess(text.slice(0, ACCESS_REACH));
}

function levelWord(head: string): LevelWord | null {
  const capitals = CAPITALS.exec(head);
  const marked = MARKED.exec(head);
  const word = capitals?.[0] ?? marked?.[1] ?? marked?.[2];
  if (word === undefined) {
    return null;
  }
  const start = capitals?.index ?? (marked?.index ?? 0) + (marked?.[0].length ?? 0) - word.length;
  return { level: WORDS[word.toLowerCase()] as Level, start, end: start + word.length };
}

function levelOfAccess(text: string): LevelWord | null {
  const access = ACCESS.exec(text);
  if (access === null) {
    return null;
  }
  const end = access.index + access[0].length;
  return { level: access[1]?.startsWith("5") ? "error" : "warning", start: end - 3, end };
}

const ERROR_PRIORITIES = Array.from({ length: 192 }, (_, priority) => priority).filter(
  (priority) => priority % 8 <= 3,
);

/**
 * An expression for the daemon that every line of level error or fatal matches, and some others. `levelOf` decides.
 * No look-around, so that the search stays fast.
 */
export const ERROR_CANDIDATES = [
  "FATAL|ERROR|CRITICAL|SEVERE|PANIC|EMERG|ALERT|CRIT|ERR",
  `(?i:(?:[\\[<(|]|level|lvl|severity|: |\\] |^)["\\s:=]*(?:fatal|error|critical|severe|panic|emerg|alert|crit|err))`,
  "^[EF]\\d{4} \\d\\d:",
  `^<(?:${ERROR_PRIORITIES.join("|")})>`,
  `HTTP/[\\d.]+" 5\\d\\d`,
].join("|");

const TIMESTAMP =
  /^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]?)?\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|[+-]\d\d:?\d\d))?\]?(?=\s|$)|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?=\s)/;

/** How many characters the time at the start of the line takes; 0 where there is none. */
export function timestampLength(text: string): number {
  return TIMESTAMP.exec(text.slice(0, 48))?.[0].length ?? 0;
}
