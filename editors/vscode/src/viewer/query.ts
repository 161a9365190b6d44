/** What is searched for and filtered by, as the daemon takes it. */

import type { FilterParams, TermParams } from "../protocol";
import type { LineFilter, Query, Role } from "./messages";

export function wireQuery({ pattern, regex, ignoreCase, wholeWord }: Query): TermParams {
  const [starts, ends] = [/^\w/, /\w$/].map((edge) => regex || edge.test(pattern));
  if (wholeWord && !(starts && ends)) {
    // A literal that starts or ends with something else than a letter has its boundary there anyway.
    const bounded = `${starts ? "\\b" : ""}${escaped(pattern)}${ends ? "\\b" : ""}`;
    return { pattern: bounded, regex: true, ignore_case: ignoreCase, whole_word: false };
  }
  return { pattern, regex, ignore_case: ignoreCase, whole_word: wholeWord };
}

/** Null where every line passes. */
export function filterOf(wanted: LineFilter): FilterParams | null {
  const { terms, level, since, until, records, folded, context } = wanted;
  if (terms.length === 0 && level === null && since === null && until === null && !folded) {
    return null;
  }
  const filter: FilterParams = {};
  for (const role of ["any", "all", "none"] as const satisfies readonly Role[]) {
    const queries = terms.filter((term) => term.role === role).map(({ query }) => wireQuery(query));
    if (queries.length > 0) filter[role] = queries;
  }
  if (level !== null) filter.level = level;
  if (since !== null) filter.since = since;
  if (until !== null) filter.until = until;
  if (records || folded) filter.records = true;
  if (folded) filter.headers = true;
  if (context > 0) Object.assign(filter, { before: context, after: context });
  return filter;
}

/** The lines that pass and match as well. Not for whole records: there a term is one of the record. */
export function narrowed(shown: FilterParams | null, also: Query): FilterParams {
  return { ...withoutContext(shown), all: [...(shown?.all ?? []), wireQuery(also)] };
}

/** The errors among what passes: the first line of each, or every one where single lines are looked for. */
export function errorsIn(shown: FilterParams | null): FilterParams {
  const { any, all, none, records } = shown ?? {};
  const isByLines = !records && (any ?? all ?? none) != null;
  const level = shown?.level === "critical" ? "critical" : "error";
  return { ...withoutContext(shown), level, ...(!isByLines && { headers: true }) };
}

function withoutContext(shown: FilterParams | null): FilterParams {
  return shown === null ? {} : { ...shown, before: 0, after: 0 };
}

/** An expression that matches this text alone. */
export function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|#&~-]/g, "\\$&");
}
