import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";

const OLDEST: readonly [number, number] = [3, 11];
const PROBE_TIMEOUT_MS = 15_000;
const PYTHON_EXTENSION = "ms-python.python";

/** A Python that can run the daemon. */
export interface Interpreter {
  readonly command: string;
  readonly args: readonly string[];
  readonly version: string;
  /** How it was found, for people. */
  readonly origin: string;
}

interface Candidate {
  readonly command: string;
  readonly args: readonly string[];
  readonly origin: string;
}

/** No usable Python. The message says what was looked at. */
export class NoInterpreter extends Error {
  override readonly name = "NoInterpreter";
}

/**
 * The first that is new enough of: the setting `forge.interpreter`; the environment of the Python extension; `python3`, `python`
 * and `py` on PATH. A setting that does not work is an error, not a reason to look further. VS Code hides a workspace's
 * value of the setting until the workspace is trusted, and its environment is left alone until then too.
 */
export async function findInterpreter(): Promise<Interpreter> {
  const setting = vscode.workspace.getConfiguration("forge").get<string>("interpreter")?.trim();
  if (setting) return await fromSetting(setting);
  const refusals: string[] = [];
  for await (const candidate of candidates()) {
    const found = await probe(candidate);
    if (typeof found !== "string") return found;
    refusals.push(found);
  }
  const looked = refusals.length > 0 ? refusals.join("; ") : "none was found on PATH";
  throw new NoInterpreter(`Forge needs Python ${OLDEST.join(".")} or newer: ${looked}.`);
}

async function fromSetting(path: string): Promise<Interpreter> {
  const command = path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
  const found = await probe({ command, args: [], origin: "the setting forge.interpreter" });
  if (typeof found !== "string") return found;
  throw new NoInterpreter(`Forge needs Python ${OLDEST.join(".")} or newer: ${found}.`);
}

async function* candidates(): AsyncGenerator<Candidate> {
  if (vscode.workspace.isTrusted) {
    const command = await environmentOfPythonExtension();
    if (command) yield { command, args: [], origin: "the Python extension" };
  }
  for (const name of ["python3", "python"]) {
    const command = onPath(name);
    if (command) yield { command, args: [], origin: `${name} on PATH` };
  }
  const launcher = process.platform === "win32" ? onPath("py") : undefined;
  if (launcher) yield { command: launcher, args: ["-3"], origin: "py on PATH" };
}

/** What is used of the Python extension's API. */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  };
}

async function environmentOfPythonExtension(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>(PYTHON_EXTENSION);
  try {
    const environments = (await extension?.activate())?.environments;
    const active = environments?.getActiveEnvironmentPath();
    const environment = active && (await environments?.resolveEnvironment(active));
    return environment?.executable.uri?.fsPath;
  } catch {
    return undefined; // Another extension's failure is no reason to fail.
  }
}

/** Looked up here because the operating system might also look into the current directory. */
function onPath(name: string): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, file)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The interpreter, or why it is none. */
async function probe(candidate: Candidate): Promise<Interpreter | string> {
  const ask = [...candidate.args, "-I", "-c", "import sys; print(*sys.version_info[:3], sep='.')"];
  try {
    const answer = await promisify(execFile)(candidate.command, ask, {
      timeout: PROBE_TIMEOUT_MS,
      cwd: homedir(),
      windowsHide: true,
    });
    const version = answer.stdout.trim();
    if (isNewEnough(version)) return { ...candidate, version };
    return `${candidate.command} (${candidate.origin}) is Python ${version}`;
  } catch {
    return `${candidate.command} (${candidate.origin}) does not run`;
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
