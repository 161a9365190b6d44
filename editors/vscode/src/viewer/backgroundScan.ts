import * as vscode from "vscode";
import type { Daemon } from "../daemon";
import { type FilterParams, Requests } from "../protocol";
import { type Matches, scanMatches } from "./matchScan";
import { AS_SHOWN } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** Counts the lines that match in the background, and again what is appended, until it is stopped. */
export class BackgroundScan implements vscode.Disposable {
  private readonly cancellation = new vscode.CancellationTokenSource();
  /** Undefined where it failed or was stopped. */
  private done: Promise<Matches | undefined>;

  /** `shown` is what the view shows; null: every line. */
  constructor(
    private readonly daemon: Daemon,
    private readonly file: ViewedFile,
    private readonly matching: FilterParams,
    private readonly shown: FilterParams | null,
    private readonly report: (matches: Matches) => void,
  ) {
    this.done = this.run().catch(() => undefined); // the search itself tells what went wrong
  }

  /** Once every line has been searched. */
  get matches(): Promise<Matches | undefined> {
    return this.done;
  }

  /** How many lines match up to a line of the file, that one included. */
  async countUpTo(line: number): Promise<number> {
    return await this.count({ ...this.matching, last_line: line });
  }

  /** Lines were appended; the view has so many rows now. */
  async grew(rows: number): Promise<void> {
    const before = await this.done;
    if (before === undefined) {
      return;
    }
    const count = await this.count(this.matching);
    if (count > before.count) {
      const matches = { ...before, count, marks: [...before.marks, rows] };
      this.done = Promise.resolve(matches);
      this.tell(matches);
    }
  }

  dispose(): void {
    this.cancellation.cancel();
  }

  private get options() {
    return { token: this.cancellation.token, onProgress: () => {} };
  }

  private async run(): Promise<Matches> {
    await this.file.count();
    const { total, byteLength } = await this.file.read(async (snapshot) => snapshot);
    const scanned = { file: this.file.toRead, lines: total.lines, byteLength, shown: this.shown };
    const request: Daemon["request"] = (...args) => this.daemon.request(...args);
    const report = (matches: Matches) => this.tell(matches);
    return await scanMatches(request, scanned, this.matching, this.options, report);
  }

  private async count(filter: FilterParams): Promise<number> {
    const params = { ...this.file.toRead, ...AS_SHOWN, filter };
    return (await this.daemon.request(Requests.countLines, params, this.options)).line_count;
  }

  private tell(matches: Matches): void {
    if (!this.cancellation.token.isCancellationRequested) {
      this.report(matches);
    }
  }
}
