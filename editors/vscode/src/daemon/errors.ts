import type { ErrorCode, ErrorData } from "../protocol";

/** The daemon refused. `message` names path and reason; callers switch on `code`. */
export class ForgeError extends Error {
  override readonly name = "ForgeError";

  constructor(
    message: string,
    readonly data: ErrorData,
  ) {
    super(message);
  }

  get code(): ErrorCode {
    return this.data.code;
  }
}

/** The daemon is not running and will not come back by itself. */
export class DaemonUnavailable extends Error {
  override readonly name = "DaemonUnavailable";
}

/** What the daemon said, where `error` is an error answer of its own; else `error` as it is. */
export function asForgeError(error: unknown): unknown {
  if (error instanceof Error && "data" in error && isErrorData(error.data)) {
    return new ForgeError(error.message, error.data);
  }
  return error;
}

function isErrorData(data: unknown): data is ErrorData {
  return typeof data === "object" && data !== null && "code" in data && typeof data.code === "string";
}
