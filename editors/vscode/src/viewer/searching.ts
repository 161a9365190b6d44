import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import { type FilterParams, Requests } from "../protocol";
import { BackgroundScan } from "./backgroundScan";
import { expressionProblem } from "./expressionProblem";
import { sentence } from "./failure";
import type { Direction, FoundMatch, FromPage, Query, ToPage } from "./messages";
import { nextError } from "./nextError";
import { NotSearched, OldLines } from "./oldLines";
import { narrowed, wireQuery } from "./query";
import type { ShownLines } from "./shownLines";
import { AS_SHOWN, FileChanged } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** The searches of one viewer, one at a time. Lines are rows of the view: those of the file, or of an excerpt. */
export class Searching implements vscode.Disposable {
  private current: vscode.CancellationTokenSource | undefined;
  private scan: BackgroundScan | undefined;
  /** Tells the scan from one for another query, or in another view. */
  private scanned = "";

  constructor(
    private readonly daemon: Daemon,
    private readonly file: ViewedFile,
    private readonly shown: ShownLines,
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
          (this.shown.excerpt ?? snapshot).find(
            (params) => this.daemon.request(Requests.find, params, options),
            query,
            direction,
            from,
          ),
        );
        this.post({ type: "found", search, ...found });
        await this.countMatches(search, query, found.match);
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
    const { excerpt } = this.shown;
    if (excerpt instanceof OldLines) {
      return { line: null, note: "The levels of the old lines are not known any more." };
    }
    let result: { line: number | null; note: string } = { line: null, note: "" };
    await this.exclusively(
      async (token) => {
        const options = { token, onProgress: () => {} };
        result = await this.file.read((snapshot) =>
          nextError(
            (params) => this.daemon.request(Requests.find, params, options),
            this.file.toRead,
            this.shown.filtered?.filter ?? null,
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
    this.scan?.dispose();
    this.scan = undefined;
    this.scanned = "";
  }

  /** Lines were appended: those that match are counted, too. */
  async grew(rows: number): Promise<void> {
    await this.scan?.grew(rows);
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
  private async countMatches(search: number, query: Query, match: FoundMatch | null): Promise<void> {
    const { excerpt } = this.shown;
    if (excerpt instanceof OldLines) {
      const matches = excerpt.matches(query);
      this.post({ type: "matches", ...matches });
      this.post({
        type: "matchNumber",
        search,
        number: matches.marks.indexOf(match?.range.start.line ?? 0) + 1,
      });
      return;
    }
    const shown = this.shown.filtered?.filter ?? null;
    if (shown?.records) {
      await this.countMatchesInRecords(search, query, shown, match);
      return;
    }
    const key = JSON.stringify([query, shown]);
    if (this.scanned !== key) {
      this.forgetMatches();
      const matching = narrowed(shown, query);
      const report = (matches: object) => this.post({ type: "matches", ...matches } as ToPage);
      this.scan = new BackgroundScan(this.daemon, this.file, matching, shown, report);
      this.scanned = key;
    }
    const { scan } = this;
    const matches = await scan?.matches;
    if (scan !== this.scan) {
      return;
    }
    if (matches === undefined) {
      this.forgetMatches();
    } else if (match !== null && scan !== undefined) {
      this.post({ type: "matchNumber", search, number: await scan.countUpTo(match.line) });
    }
  }

  /** Among whole records only a search tells which lines match. They are not marked on the scrollbar. */
  private async countMatchesInRecords(
    search: number,
    query: Query,
    filter: FilterParams,
    match: FoundMatch | null,
  ): Promise<void> {
    this.forgetMatches();
    const params = { ...this.file.toRead, ...AS_SHOWN, filter, count: true, ...wireQuery(query) };
    const options = { token: this.current?.token, onProgress: () => {} };
    const from = async (start_line: number) =>
      (await this.daemon.request(Requests.find, { ...params, start_line }, options)).matched_lines ?? 0;
    const count = await from(1);
    this.post({ type: "matches", count, complete: true, marks: [] });
    if (match !== null) {
      this.post({ type: "matchNumber", search, number: count - (await from(match.line)) + 1 });
    }
  }
}

export function findFailure(error: unknown): string {
  if (error instanceof vscode.CancellationError) {
    return "Stopped";
  }
  if (error instanceof FileChanged) {
    return "The file changed";
  }
  if (error instanceof NotSearched) {
    return error.message;
  }
  return error instanceof ForgeError ? sentence(error) : String(error);
}
