import { ForgeError } from "../daemon";
import { ExpressionTooLong } from "./query";

/** Whether the expression is at fault, and what is wrong with it in words. */
export function expressionProblem(error: unknown): string | null {
  if (error instanceof ExpressionTooLong) {
    return error.message;
  }
  if (!(error instanceof ForgeError) || error.code !== "INVALID_ARGUMENT") {
    return null;
  }
  const { reason } = error.data;
  const [, problem] = /^(?:filter\.)?pattern: (?:not a regular expression: )?(.*)$/s.exec(reason) ?? [];
  return problem === undefined ? null : sentenceOf(problem);
}

/** Python's words for it, and ours. `#` is the column, counted from 1. */
const PROBLEMS: [RegExp, string][] = [
  [/^missing \), unterminated subpattern/, "The ( in column # is never closed"],
  [/^unbalanced parenthesis/, "The ) in column # closes nothing"],
  [/^unterminated character set/, "The [ in column # is never closed"],
  [/^nothing to repeat/, "There is nothing to repeat before column #"],
  [/^multiple repeat/, "Two repetitions follow one another in column #"],
  [/^min repeat greater than max repeat/, "The smaller number comes first in the braces in column #"],
  [/^bad escape \(end of pattern\)/, "The \\ at the end escapes nothing; \\\\ finds a backslash"],
  [/^bad escape (\S+)/, "$1 in column # means nothing"],
  [/^bad character range (\S+)/, "The range $1 in column # is the wrong way around"],
  [/^look-behind requires fixed-width pattern/, "A look-behind must have a fixed length"],
  [/^invalid group reference (\d+)/, "There is no group $1 to refer to in column #"],
  [/^unknown group name (\S+)/, "There is no group named $1"],
  [/^global flags not at the start of the expression/, "Flags such as (?i) belong at the start"],
];

function sentenceOf(problem: string): string {
  const position = / at position (\d+)/.exec(problem);
  const column = position === null ? "" : String(Number(position[1]) + 1);
  for (const [known, words] of PROBLEMS) {
    const match = known.exec(problem);
    if (match !== null) {
      const told = words.replace("$1", match[1] ?? "");
      return `${column === "" ? told.replace(" in column #", "") : told.replace("#", column)}.`;
    }
  }
  const told = position === null ? problem : problem.replace(position[0], ` (column ${column})`);
  return `${told.charAt(0).toUpperCase()}${told.slice(1)}.`;
}
