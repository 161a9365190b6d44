/** What is searched for, as the daemon takes it; and several filters as one expression. */

import type { FilterParams } from "../protocol";
import { countCodePoints } from "./codePoints";
import type { LineFilter, Query } from "./messages";
import { formatNumber } from "./numbers";

/** The daemon takes no longer one. */
const LONGEST_PATTERN = 1000;

/** Several filters, each short enough, are too long together. The message is for the reader. */
export class ExpressionTooLong extends Error {}

export type WirePattern = Pick<FilterParams, "pattern" | "regex" | "ignore_case">;

export function wireQuery(query: Query): WirePattern {
  const { pattern, regex, ignoreCase, wholeWord } = query;
  return wholeWord
    ? { pattern: asWord(query), regex: true, ignore_case: ignoreCase }
    : { pattern, regex, ignore_case: ignoreCase };
}

/**
 * The lines that match one of those that filter in, and none of those that filter out; `also` must match as well. Null where
 * every line is let through.
 */
export function filterOf(filters: readonly LineFilter[], also?: Query): FilterParams | null {
  const filter = combined(filters, also);
  const length = countCodePoints(filter?.pattern ?? "");
  if (length > LONGEST_PATTERN) {
    const all = also === undefined ? "The filters together" : "The filters and what is searched for";
    throw new ExpressionTooLong(
      `${all} make an expression of ${formatNumber(length)} characters, and ${formatNumber(LONGEST_PATTERN)} is the most. Switch a filter off, or shorten one.`,
    );
  }
  return filter;
}

function combined(filters: readonly LineFilter[], also: Query | undefined): FilterParams | null {
  const within = filters.filter(({ out }) => !out).map(({ query }) => query);
  const without = filters.filter(({ out }) => out).map(({ query }) => query);
  const [only, another] = also ? [...within, also] : within;
  if (without.length === 0 && another === undefined) {
    return only ? wireQuery(only) : null;
  }
  if (without.length === 1 && without[0] && only === undefined) {
    return { ...wireQuery(without[0]), invert: true };
  }
  const groups = new Groups(sameCase([...filters.map(({ query }) => query), ...(also ? [also] : [])]));
  const flags = { regex: true, ignore_case: groups.ignoreCase };
  if (only === undefined) {
    return { pattern: groups.anyOf(without), ...flags, invert: true };
  }
  if (without.length === 0 && also === undefined) {
    return { pattern: groups.anyOf(within), ...flags };
  }
  const not = without.map((query) => `(?!${groups.somewhere([query])})`).join("");
  const and = also === undefined || within.length === 0 ? "" : `(?=${groups.somewhere(within)})`;
  const main = groups.somewhere(also === undefined ? within : [also]);
  return { pattern: `^${not}${and}${main}`, ...flags };
}

/** Whether all of them pay no regard to case; flags of their own keep them apart. */
function sameCase(queries: readonly Query[]): boolean {
  return queries.every(
    ({ ignoreCase, regex, pattern }) => ignoreCase && !(regex && pattern.startsWith("(?")),
  );
}

/** Puts expressions side by side, each with its own flags, group numbers and group names. */
class Groups {
  private count = 0;
  private expressions = 0;

  /** `ignoreCase`: all of them do. */
  constructor(readonly ignoreCase: boolean) {}

  anyOf(queries: readonly Query[]): string {
    return alternatives(queries.map((query) => this.scoped(query)));
  }

  /** For what follows the start of a line. Python looks for a literal after a greedy `.*` many times faster than after another. */
  somewhere(queries: readonly Query[]): string {
    return alternatives(queries.map((query) => `.*${this.scoped(query)}`));
  }

  private scoped(query: Query): string {
    const written = query.regex ? this.renumbered(query.pattern) : escaped(query.pattern);
    const [, flags = "", body = ""] = /^(?:\(\?([aiLmsux]+)\))?(.*)$/s.exec(written) ?? [];
    const all = flags + (query.ignoreCase && !this.ignoreCase && !flags.includes("i") ? "i" : "");
    // A literal outside of groups is what the daemon looks for first.
    // In a verbose expression a comment runs to the end of its line.
    const isPlain = !query.regex && all === "";
    const group = isPlain ? body : `(?${all}:${body}${flags.includes("x") ? "\n" : ""})`;
    return query.wholeWord ? bounded(group, query) : group;
  }

  private renumbered(pattern: string): string {
    const before = this.count;
    const suffix = `_${this.expressions}`;
    this.expressions += 1;
    return before === 0 && suffix === "_0"
      ? this.counted(pattern)
      : this.counted(pattern).replace(TOKEN, (token) => {
          const reference = /^\\([1-9]\d?)$/.exec(token) ?? /^\(\?\((\d+)\)$/.exec(token);
          if (reference) {
            return token.replace(/\d+/, (number) => String(Number(number) + before));
          }
          return token.replace(/^(\(\?P<|\(\?P=|\(\?\()([A-Za-z_]\w*)/, `$1$2${suffix}`);
        });
  }

  private counted(pattern: string): string {
    for (const [token] of pattern.matchAll(TOKEN)) {
      if (token === "(" || token.startsWith("(?P<")) {
        this.count += 1;
      }
    }
    return pattern;
  }
}

/** What matters for groups in an expression of Python's `re`; escapes and classes are passed over whole. */
const TOKEN =
  /\\[1-9]\d?|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?#[^)]*\)|\(\?P<\w+>|\(\?P=\w+\)|\(\?\(\w+\)|\((?!\?)/gs;

function alternatives(expressions: readonly string[]): string {
  return expressions.length === 1 ? expressions.join() : `(?:${expressions.join("|")})`;
}

/** An expression that matches this text alone. */
export function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|#&~-]/g, "\\$&");
}

function asWord(query: Query): string {
  const [, flags = "", body = ""] = /^(\(\?[aiLmsux]+\))?(.*)$/s.exec(query.pattern) ?? [];
  return query.regex
    ? `${flags}${bounded(`(?:${body}${flags.includes("x") ? "\n" : ""})`, query)}`
    : bounded(escaped(query.pattern), query);
}

/** A literal that starts or ends with something else than a letter has its boundary there anyway. */
function bounded(expression: string, { pattern, regex }: Query): string {
  const isLetter = (character: string | undefined) => regex || /[\p{L}\p{N}_]/u.test(character ?? "");
  const characters = [...pattern];
  return `${isLetter(characters[0]) ? "\\b" : ""}${expression}${isLetter(characters.at(-1)) ? "\\b" : ""}`;
}
