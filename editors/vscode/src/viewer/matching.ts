/** Marks the matches on the screen. What counts as a match is the daemon's to say; this is its echo. */

import type { Query } from "./messages";

/** Columns of a row that are looked at: a pattern must not be able to stall the page. */
const REACH = 2000;

export function matcherOf({ pattern, regex, ignoreCase, wholeWord }: Query): RegExp | null {
  if (pattern === "" || (regex && !isCheap(pattern))) {
    return null;
  }
  const source = regex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const isLetter = (character: string | undefined) => regex || /[\p{L}\p{N}_]/u.test(character ?? "");
  const before = wholeWord && isLetter([...pattern][0]) ? "(?<![\\p{L}\\p{N}_])" : "";
  const after = wholeWord && isLetter([...pattern].at(-1)) ? "(?![\\p{L}\\p{N}_])" : "";
  try {
    return new RegExp(`${before}(?:${source})${after}`, ignoreCase ? "giu" : "gu");
  } catch {
    return null; // Python's syntax, not this one's: only the match that the daemon found is marked
  }
}

export function matchesIn(text: string, matcher: RegExp | null): { start: number; end: number }[] {
  if (matcher === null) {
    return [];
  }
  return Array.from(text.slice(0, REACH).matchAll(matcher), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** One unbounded repetition, of something simple, cannot take long on a bounded text; nested or several could. */
function isCheap(pattern: string): boolean {
  const withoutEscapes = pattern.replace(/\\[^1-9k]/g, "_").replace(/\[[^\]]*\]/g, "_");
  const repetitions = withoutEscapes.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  return repetitions.length <= 1 && !/\)[*+?{]|\\|\(\?[=!<]/.test(withoutEscapes);
}
