/** Measures inside the extension host. `FORGE_BENCH` names the file to read, the repetitions, and where the figures go. */
import { writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { api, extension } from "../suite/forge";

interface Task {
  file: string;
  start_line: number;
  lines: number;
  repeat: number;
  figures: string;
}

export async function run(): Promise<void> {
  const task: Task = JSON.parse(process.env.FORGE_BENCH ?? "{}");
  const activation = await seconds(() => extension().activate());
  const windows = { path: task.file, start_line: task.start_line, max_lines: task.lines };
  const forge = await api();
  await forge.readFile(windows);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let count = 0; count < task.repeat; count += 1) {
    ours.push(await seconds(() => forge.readFile(windows)));
    theirs.push(await seconds(() => readWholeAndSlice(task)));
  }
  writeFileSync(task.figures, JSON.stringify({ activation, ours, theirs }));
}

/** The only way there is without the daemon. */
async function readWholeAndSlice({ file, start_line, lines }: Task): Promise<string[]> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.file(file));
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .slice(start_line - 1, start_line - 1 + lines);
}

async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
