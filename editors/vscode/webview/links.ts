/** Addresses and places in files that a line mentions: what Ctrl+click opens. */

import type { LinkTarget, Row } from "../src/viewer/messages";

export interface Link {
  start: number;
  end: number;
  target: LinkTarget;
}

/** Columns of a row that are looked at. */
const REACH = 2000;
const PATTERNS: [RegExp, (match: RegExpExecArray) => LinkTarget][] = [
  [/https?:\/\/[^\s"'<>`\x00-\x1f]*[^\s"'<>`\x00-\x1f.,;:!?)\]}]/g, ([url]) => ({ url })],
  // Python: File "src/app.py", line 12
  [/File "([^"\n]{1,400})", line (\d{1,9})/g, ([, path = "", line]) => fileAt(path, line)],
  // src/app.ts:12:7, (App.java:12), C:\src\app.cs:12, file:///srv/app.js:3. From where the path starts: from each of its
  // characters on, a screen of long words would take a third of a second.
  [
    /(?<![\w.@~+\-\\/])(?:file:\/\/)?((?:[A-Za-z]:)?[\w.@~+\-\\/]{0,400}\.[A-Za-z]\w{0,9}):(\d{1,9})(?::(\d{1,6}))?(?!\w|:\d)/g,
    ([, path = "", line, column]) => fileAt(path, line, column),
  ],
];

/** Those that terminal sequences make (OSC 8), and those that the text itself mentions. By offsets in the text. */
export function linksIn({ text, spans }: Pick<Row, "text" | "spans">): Link[] {
  const links: Link[] = spans.flatMap(({ start, end, link = "" }) => {
    const target = targetOf(link);
    return target ? [{ start, end, target }] : [];
  });
  const head = text.slice(0, REACH);
  for (const [pattern, target] of PATTERNS) {
    for (const match of head.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (!links.some((link) => start < link.end && end > link.start)) {
        links.push({ start, end, target: target(match as RegExpExecArray) });
      }
    }
  }
  return links.sort((one, other) => one.start - other.start);
}

/** A log may say anything: only addresses of the web and of files are opened. */
function targetOf(uri: string): LinkTarget | null {
  if (/^(https?|mailto):/i.test(uri)) {
    return { url: uri };
  }
  const file = /^file:\/\/[^/]*(\/[^#?]*)(?:#L?(\d{1,9}))?/i.exec(uri);
  return file === null ? null : fileAt(pathOf(file[1] ?? ""), file[2]);
}

function pathOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return encoded;
  }
}

function fileAt(path: string, line: string | undefined, column?: string): LinkTarget {
  return { path, line: Number(line ?? 1), column: Number(column ?? 1) };
}
