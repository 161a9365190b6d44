import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { type FilterParams, Requests } from "../protocol";
import { expressionProblem } from "./expressionProblem";
import { sentence } from "./failure";
import type { FilteredFile } from "./filteredFile";
import { type Matches, scanMatches } from "./matchScan";
import type { Direction, FromPage, Query, ToPage } from "./messages";
import { nextError, nextErrorShown } from "./nextError";
import { filterOf } from "./query";
import { AS_SHOWN, FileChanged } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** The lines that match what was last searched for, counted in the background. */
interface Scan {
  /** Tells it from the scan for another query, or in another view. */
  key: string;
  matching: FilterParams;
  cancellation: vscode.CancellationTokenSource;
  done: Promise<Matches | undefined>;
}

/** The searches of one viewer, one at a time. Lines are rows of the view: those of the file, or of a filter. */
export class Searching implements vscode.Disposable {
  private current: vscode.CancellationTokenSource | undefined;
  private scan: Scan | undefined;

  constructor(
    private readonly daemon: Daemon,
    private readonly file: ViewedFile,
    private readonly filtered: () => FilteredFile | undefined,
    private readonly post: (message: ToPage) => void,
  ) {}

  /** The page numbers its searches, and knows which answer it still waits for. */
  async find({ search, query, direction, from }: FromPage & { type: "find" }): Promise<void> {
    const onProgress = ({ percentage }: { percentage: number }) =>
      this.post({ type: "finding", search, percentage });
    await this.exclusively(
      async (token) => {
        const options = { token, onProgress };
        const found = await this.file.read((snapshot) =>
          (this.filtered() ?? snapshot).find(
            (params) => this.daemon.request(Requests.find, params, options),
            query,
            direction,
            from,
          ),
        );
        this.post({ type: "found", search, match: found.match, wrapped: found.wrapped });
        const line = "line" in found ? found.line : found.match?.start.line;
        await this.countMatches(search, query, (line as number | null | undefined) ?? null);
      },
      (error) => {
        const problem = expressionProblem(error);
        this.post({
          type: "findFailed",
          search,
          message: problem ?? findFailure(error),
          invalid: problem !== null,
        });
      },
    );
  }

  /** The next or previous line of level error or fatal, around the ends of the file. `line` is one of the file. */
  async findError(direction: Direction, line: number): Promise<{ line: number | null; note: string }> {
    let result: { line: number | null; note: string } = { line: null, note: "" };
    await this.exclusively(
      async (token) => {
        const filtered = this.filtered();
        const options = { token, onProgress: () => {} };
        result = await this.file.read((snapshot) =>
          filtered
            ? nextErrorShown(filtered, direction, line)
            : nextError(
                (params) => this.daemon.request(Requests.find, params, options),
                { ...this.file.toRead, ...AS_SHOWN },
                direction,
                line,
                snapshot.total,
              ),
        );
      },
      (error) => {
        result = { line: null, note: findFailure(error) };
      },
    );
    return result;
  }

  stop(): void {
    this.current?.cancel();
  }

  /** The matches are no longer shown. */
  forgetMatches(): void {
    this.scan?.cancellation.cancel();
    this.scan = undefined;
  }

  /** Lines were appended: those that match are counted, too. */
  async grew(rows: number): Promise<void> {
    const scan = this.scan;
    const before = await scan?.done;
    if (scan === undefined || before === undefined || scan !== this.scan) {
      return;
    }
    const params = { ...this.file.toRead, ...AS_SHOWN, filter: scan.matching };
    const { token } = scan.cancellation;
    const count = (await this.daemon.request(Requests.countLines, params, { token, onProgress: () => {} }))
      .line_count;
    if (scan === this.scan && count > before.count) {
      const matches = { ...before, count, marks: [...before.marks, rows] };
      scan.done = Promise.resolve(matches);
      this.post({ type: "matches", ...matches });
    }
  }

  dispose(): void {
    this.stop();
    this.forgetMatches();
  }

  private async exclusively(
    work: (token: vscode.CancellationToken) => Promise<void>,
    failed: (error: unknown) => void,
  ): Promise<void> {
    this.current?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.current = source;
    try {
      await work(source.token);
    } catch (error) {
      failed(error);
    } finally {
      source.dispose();
    }
  }

  /** Says which of the matching lines one is, as soon as they have been counted. */
  private async countMatches(search: number, query: Query, line: number | null): Promise<void> {
    const filters = this.filtered()?.filters ?? [];
    const key = JSON.stringify([query, filters]);
    if (this.scan?.key !== key) {
      this.forgetMatches();
      this.scan = this.startScan(key, filterOf(filters, query) as FilterParams);
    }
    const scan = this.scan as Scan;
    const matches = await scan.done;
    if (line !== null && matches !== undefined && scan === this.scan) {
      const filter = { ...scan.matching, last_line: line };
      const params = { ...this.file.toRead, ...AS_SHOWN, filter };
      const { line_count } = await this.daemon.request(Requests.countLines, params);
      this.post({ type: "matchNumber", search, number: line_count });
    }
  }

  private startScan(key: string, matching: FilterParams): Scan {
    const cancellation = new vscode.CancellationTokenSource();
    const options = { token: cancellation.token, onProgress: () => {} };
    const run = async () => {
      await this.file.count();
      const { total, byteLength } = await this.file.read(async (snapshot) => snapshot);
      const shown = this.filtered()?.filter ?? null;
      const file = { ...this.file.toRead, lines: total.lines, byteLength, shown };
      const request: Daemon["request"] = (...args) => this.daemon.request(...args);
      const tell = (matches: Matches) => {
        if (!cancellation.token.isCancellationRequested) {
          this.post({ type: "matches", ...matches });
        }
      };
      return await scanMatches(request, file, matching, options, tell);
    };
    // What went wrong is told by the search itself; the count is left out then.
    const done = run().catch(() => {
      if (this.scan?.key === key) {
        this.scan = undefined;
      }
      return undefined;
    });
    return { key, matching, cancellation, done };
  }
}

export function findFailure(error: unknown): string {
  if (error instanceof vscode.CancellationError) {
    return "Stopped";
  }
  if (error instanceof FileChanged) {
    return "The file changed";
  }
  return error instanceof ForgeError ? sentence(error) : String(error);
}
