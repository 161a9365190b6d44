import { ForgeError } from "../daemon";

const OF_A_PATTERN =
  /^(?:filter\.)?(?:(?:any|all|none)\[\d+\]\.)?pattern: (?:not a regular expression: )?(.*)$/s;

/** Whether the expression is at fault, and what is wrong with it in words. */
export function expressionProblem(error: unknown): string | null {
  if (!(error instanceof ForgeError) || error.code !== "INVALID_ARGUMENT") {
    return null;
  }
  const [, problem] = OF_A_PATTERN.exec(error.data.reason) ?? [];
  return problem === undefined ? null : `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
