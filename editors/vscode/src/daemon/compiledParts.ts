import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import type { Interpreter } from "./python";

/** Compiled packages of the daemon: the module that is imported, and what is missed without it. */
const PARTS = [
  { module: "re2", name: "google-re2", without: "no regular expressions" },
  { module: "orjson", name: "orjson", without: "slower answers" },
  { module: "stringzilla", name: "stringzilla", without: "slower scans" },
] as const;

export type CompiledPart = (typeof PARTS)[number];

/** Prints the modules that cannot be imported, from where the daemon would import them. */
const SCRIPT = `
import os, sys
sys.path.insert(0, os.path.join(sys.argv[1], "compiled", sys.implementation.cache_tag or ""))
for name in sys.argv[2:]:
    try:
        __import__(name)
    except Exception:
        print(name)
`;
const TIMEOUT_MS = 15_000;

/** Those that this Python cannot load: it is newer than the package, or the package is for every platform. */
export async function missingParts(
  { command, args }: Interpreter,
  packages: string,
): Promise<readonly CompiledPart[]> {
  const names = PARTS.map(({ module }) => module);
  const options = { timeout: TIMEOUT_MS, cwd: homedir(), windowsHide: true };
  try {
    const script = [...args, "-I", "-S", "-c", SCRIPT, packages, ...names];
    const missing = new Set((await promisify(execFile)(command, script, options)).stdout.split(/\s+/));
    return PARTS.filter(({ module }) => missing.has(module));
  } catch {
    return []; // a Python that does not run is reported by the daemon's own start
  }
}

/** In a few words, for people; empty where nothing is missing. */
export function describeMissing(missing: readonly CompiledPart[]): string {
  return missing.map(({ name, without }) => `${name} cannot be loaded (${without})`).join(", ");
}
