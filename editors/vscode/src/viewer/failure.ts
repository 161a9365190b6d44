import { DaemonUnavailable, ForgeError } from "../daemon";
import { NoInterpreter } from "../daemon/python";
import type { Recovery } from "./messages";

/** One readable line, and what can be done about it. */
export interface Failure {
  message: string;
  recoveries: Recovery[];
}

export function failureOf(error: unknown, name: string): Failure {
  if (error instanceof DaemonUnavailable && error.cause instanceof NoInterpreter) {
    return { message: error.message, recoveries: ["chooseInterpreter", "retry"] };
  }
  if (!(error instanceof ForgeError)) {
    return {
      message: error instanceof Error ? error.message : String(error),
      recoveries: ["retry", "showLog"],
    };
  }
  switch (error.code) {
    case "NOT_FOUND":
      return { message: `${name} is not there any more.`, recoveries: ["retry"] };
    case "BINARY_NOT_SUPPORTED": {
      const { hint } = error.data; // there is one for what is compressed
      const why = hint === undefined ? "a binary file: it has no lines to show" : `compressed: ${hint}`;
      return { message: `${name} is ${why}.`, recoveries: ["reopenWith"] };
    }
    case "POLICY_DENIED":
    case "SANDBOX_VIOLATION":
    case "PERMISSION_DENIED":
    case "NOT_FILE":
      return { message: sentence(error), recoveries: ["retry", "reopenWith"] };
    default:
      return { message: sentence(error), recoveries: ["retry", "showLog"] };
  }
}

export function sentence(error: ForgeError): string {
  const hint = error.data.hint === undefined ? "" : ` (${error.data.hint})`;
  return `${error.message}${hint}.`;
}
