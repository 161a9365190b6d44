/** Saved filters as a person writes them in the settings: `forge.viewer.filters`. */

import { LEVELS, type LineFilter, NO_CONDITIONS, type Query, type Role, type Term } from "./messages";

const ROLES: readonly Role[] = ["any", "all", "none"];
const MAX_CONTEXT = 20;

/** A term is a text, or an object. */
export interface SavedFilter extends Partial<Omit<LineFilter, "terms">> {
  name: string;
  any?: SavedTerm[];
  all?: SavedTerm[];
  none?: SavedTerm[];
}

export type SavedTerm =
  | string
  | { pattern: string; regex?: boolean; matchCase?: boolean; wholeWord?: boolean };

/** Without what is as it would be anyway. */
export function savedOf(name: string, { terms, ...conditions }: LineFilter): SavedFilter {
  const saved: SavedFilter = { name };
  for (const role of ROLES) {
    const queries = terms.filter((term) => term.role === role).map(({ query }) => savedTerm(query));
    if (queries.length > 0) saved[role] = queries;
  }
  const set = Object.entries(conditions).filter(([, value]) => value);
  return { ...saved, ...Object.fromEntries(set) };
}

export function filterOfSaved(saved: SavedFilter): LineFilter {
  const terms: Term[] = ROLES.flatMap((role) =>
    (saved[role] ?? []).map((term) => ({ query: queryOf(term), role })),
  );
  const { level, since, until, records, folded, context } = saved;
  return {
    ...NO_CONDITIONS,
    terms: terms.filter(({ query: { pattern } }) => typeof pattern === "string" && pattern !== ""),
    level: LEVELS.find((each) => each === level) ?? null,
    since: since ?? null,
    until: until ?? null,
    records: records === true,
    folded: folded === true,
    context: Number.isInteger(context) ? Math.min(MAX_CONTEXT, Math.max(0, context ?? 0)) : 0,
  };
}

function savedTerm({ pattern, regex, ignoreCase, wholeWord }: Query): SavedTerm {
  const set = Object.entries({ regex, matchCase: !ignoreCase, wholeWord }).filter(([, isOn]) => isOn);
  return set.length === 0 ? pattern : { pattern, ...Object.fromEntries(set) };
}

function queryOf(term: SavedTerm): Query {
  const { pattern, regex, matchCase, wholeWord } = typeof term === "string" ? { pattern: term } : term;
  return {
    pattern,
    regex: regex === true,
    ignoreCase: matchCase !== true,
    wholeWord: wholeWord === true,
  };
}
