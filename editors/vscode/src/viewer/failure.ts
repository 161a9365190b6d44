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
      const { hint = "it has no lines to show" } = error.data;
      return { message: `${name} is a binary file: ${hint}.`, recoveries: ["reopenWith"] };
    }
    case "POLICY_DENIED":
      return denied(error);
    case "PERMISSION_DENIED":
      return { message: sentence(error), recoveries: ["retry", "reopenWith"] };
    case "SANDBOX_VIOLATION":
    case "NOT_FILE":
      return { message: sentence(error), recoveries: ["reopenWith"] };
    default:
      return { message: sentence(error), recoveries: ["retry", "showLog"] };
  }
}

/** The user's own settings can allow it, unless the workspace's file denies it. */
function denied(error: ForgeError): Failure {
  const { hint, path } = error.data;
  if (!hint?.startsWith("only the user can allow it")) {
    return { message: sentence(error), recoveries: ["reopenWith", "retry"] };
  }
  const pattern = error.message.includes("the file it leads to") ? "the path of that file" : `"/${path}"`;
  const message = `${error.message}. To read it, add ${pattern} to the setting forge.policy.allow.`;
  return { message, recoveries: ["allow", "retry", "reopenWith"] };
}

export function sentence(error: ForgeError): string {
  const hint = error.data.hint === undefined ? "" : ` (${error.data.hint})`;
  return `${error.message}${hint}.`;
}
