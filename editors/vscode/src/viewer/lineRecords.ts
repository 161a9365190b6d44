import type { Daemon } from "../daemon";
import { Requests } from "../protocol";
import { secondsBetween } from "./isoTimes";
import type { LineRecord, Row, Selected, ToPage } from "./messages";
import { OldLines } from "./oldLines";
import type { ShownLines } from "./shownLines";
import { AS_SHOWN } from "./snapshot";
import type { ViewedFile } from "./viewedFile";

/** What nobody asked for shows no progress. */
const QUIETLY = { onProgress: () => {} };

/** Which records lines belong to, with their times and levels, as the daemon knows them. */
export class LineRecords {
  constructor(
    private readonly daemon: Daemon,
    private readonly file: ViewedFile,
    private readonly shown: ShownLines,
    private readonly post: (message: ToPage) => void,
  ) {}

  /** Those of rows that were sent. The page shows the text meanwhile. */
  async send(showing: number, first: number, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0 || this.shown.excerpt instanceof OldLines) {
      return;
    }
    const numbers = rows.map(({ number }, index) => number ?? first + index);
    const known = await this.of(numbers);
    const records = numbers.map((number) => known.get(number) ?? null);
    this.post({ type: "records", showing, first, records });
  }

  /** How many seconds lie between the first selected line and the last one; null where they have no times. */
  async duration({ first, last }: Selected): Promise<number | null> {
    const [start = 0, end = 0] = await Promise.all([first, last].map((row) => this.shown.numberOf(row)));
    const known = await this.of([start, end]);
    const [from, to] = [known.get(start)?.time, known.get(end)?.time];
    return from && to ? secondsBetween(from, to) : null;
  }

  private async of(lines: number[]): Promise<Map<number, LineRecord>> {
    const params = { ...this.file.toRead, ...AS_SHOWN, lines };
    try {
      const { records } = await this.daemon.request(Requests.records, params, QUIETLY);
      return new Map(
        records.map(({ line, start_line, time, level, content }) => [
          line,
          { first: start_line, time, level, header: line === start_line ? "" : content },
        ]),
      );
    } catch {
      return new Map(); // what is wrong with the file is said where its lines are read
    }
  }
}
