/** A file that is only appended to: what has been read of it stays true. Any other change ends the snapshot. */

import { type Daemon, ForgeError } from "../daemon";
import {
  type CountLinesResult,
  type FindParams,
  type FindResult,
  type Member,
  type ReadFileParams,
  type ReadFileResult,
  Requests,
} from "../protocol";
import type { Shown } from "./ansi";
import { countCodePoints } from "./codePoints";
import type { Found, Search } from "./excerpt";
import { type Line, LongLine, type Part, WholeLine } from "./line";
import { LineStore } from "./lineStore";
import type { Direction, FoundMatch, Position, Query, Row, Total } from "./messages";
import { wireQuery } from "./query";

type Reader = Pick<Daemon, "request">;

/** Thrown by every method once the file differs from the one that was opened. */
export class FileChanged extends Error {}

/** Lines asked for at once: a screen or two, and what is scrolled to next. */
const PAGE_LINES = 128;
/** Of the first page, which is there at once whatever the length of its lines. */
const FIRST_BYTES = 256 * 1024;
/** Characters of a line that are read with its page, sequences included; more of it is read where it is shown. */
const HEAD_COLUMNS = 8192;
/** The same of colored lines, once more is shown of them: what colors a part has is said before it. */
const COLORED_COLUMNS = 131_072;
const STORE_BUDGET = 16 * 1024 * 1024;
/** After the last line of any file. */
export const PAST_THE_END = Number.MAX_SAFE_INTEGER;

/** Which file, and how its bytes are to be understood. Sent with every request. */
export type FileToRead = Pick<ReadFileParams, "path" | "encoding" | "rotated">;

/** What a pattern sees of the file: the text on disk as it is shown, without escape sequences. */
export const AS_SHOWN = { source: "disk", ansi: "strip" } as const;

/** How the file's text is stored. */
export interface TextFormat {
  encoding: string;
  eol: ReadFileResult["meta"]["eol"];
  compression: ReadFileResult["meta"]["compression"];
  bom: boolean;
  /** Its first page has bytes that are no text in that encoding. */
  malformed: boolean;
}

/** How many lines there may be, from the first page. */
type Estimate = (first: ReadFileResult) => number;

/** What a compressed text is taken to be longer than its file, until it is known. */
const EXPANSION = 10;
/** No gzip file holds more. */
const MOST_EXPANSION = 1100;

export class Snapshot {
  readonly text: TextFormat;
  readonly file: FileToRead & { source: "disk" };
  private grown = false;
  private length: number;
  private etag: string;
  /** A position in the file. The daemon takes it as long as the file only grew. */
  private readonly proof: string | null;
  private readonly store = new LineStore<Line>(STORE_BUDGET);
  private known: Total;
  /** The files of a rotated set, the oldest first. */
  members: readonly Member[];
  private colored = false;
  /** The last line that was. */
  private searchedForColors = 0;

  private constructor(
    private readonly reader: Reader,
    file: FileToRead,
    first: ReadFileResult,
    estimate: Estimate,
  ) {
    const { encoding, eol, compression, bom, byte_length, decode_errors } = first.meta;
    this.file = { ...file, source: "disk" };
    this.etag = first.etag;
    this.length = byte_length;
    this.proof = first.next_cursor ?? first.end_cursor;
    this.text = { encoding, eol, compression, bom, malformed: decode_errors > 0 };
    this.known = totalOf(first, estimate);
    this.members = first.members ?? [];
    this.keep(1, first);
  }

  static async open(reader: Reader, file: FileToRead, estimate: Estimate = linesBySize): Promise<Snapshot> {
    // Without a limit there is a cursor at the end of the page. By columns, a line would be gone through to its end.
    const { columns: _, ...page } = { ...pageOf({ ...file, source: "disk" }, 1), limit: null };
    const first = await reader.request(Requests.readFile, { ...page, max_bytes: FIRST_BYTES });
    return new Snapshot(reader, file, first, estimate);
  }

  get total(): Total {
    return this.known;
  }

  /** There are escape sequences in what was read of it, or searched for them, so far. */
  get isColored(): boolean {
    return this.colored;
  }

  /** Searches the lines for escape sequences that were not searched before; whether it is news that there are any. */
  async lookForColors(search: (params: FindParams) => Promise<FindResult>): Promise<boolean> {
    const { lines } = this.known;
    if (this.colored || this.searchedForColors === lines) {
      return false;
    }
    const start_line = this.searchedForColors + 1;
    this.searchedForColors = lines;
    const { match } = await search({ ...this.file, pattern: "\x1b", start_line });
    this.colored ||= match !== null;
    return match !== null;
  }

  /** The lines that are here, by their numbers in the file. */
  get held(): [number, Shown][] {
    return this.store.entries.map(([row, line]) => [line.number ?? row, line.held]);
  }

  /** Reads every line again. */
  forgetLines(): void {
    this.store.removeFrom(1);
  }

  get byteLength(): number {
    return this.length;
  }

  /** Whether the file grew since it was last looked at. */
  async refresh(): Promise<boolean> {
    const { etag } = this;
    const answer = await this.reader.request(Requests.readFile, {
      ...pageOf(this.file, 1),
      if_none_match: etag,
    });
    if (!answer.not_modified) {
      await this.accept(answer.etag);
    }
    return this.etag !== etag;
  }

  async counted(result: CountLinesResult): Promise<Total> {
    await this.accept(result.etag);
    if (this.grown) {
      this.store.removeFrom(this.known.lines); // the last line may have been continued
      this.grown = false;
    }
    this.length = result.byte_length;
    this.known = { lines: result.line_count, exact: true };
    return this.known;
  }

  /** The same, with their first lines once the lines were counted. */
  async knownMembers(): Promise<readonly Member[]> {
    const isUnknown = ({ start_line, denied }: Member) => start_line === null && !denied;
    if (this.known.exact && this.members.some(isUnknown)) {
      const answer = await this.reader.request(Requests.readFile, { ...this.file, head: 1, max_bytes: 1 });
      this.members = answer.members ?? [];
    }
    return this.members;
  }

  /** The file grew: the lines must be counted again. Those that are known stay. */
  get isGrown(): boolean {
    return this.grown;
  }

  /** The lines of a text that is damaged, as far as it goes. */
  async countedUpToDamage(): Promise<Total> {
    const answer = await this.reader.request(Requests.readFile, { ...this.file, tail: 1, max_bytes: 1 });
    await this.accept(answer.etag);
    this.known = { lines: answer.meta.start_line + answer.meta.returned_line_count - 1, exact: true };
    return this.known;
  }

  /** What is there of the wanted lines; fewer at the end of the file. */
  async rows(first: number, count: number, column: number, width: number): Promise<Row[]> {
    const lines = await this.linesUpTo(column + width, first, count);
    const missing = lines.flatMap((line, index) => (line.slice(column, column + width) ? [] : [index]));
    const [from = 0, to = -1] = [missing[0], missing.at(-1)];
    const parts = await this.parts(first + from, to - from + 1, column, width);
    for (const [index, part] of parts.entries()) {
      const line = lines[from + index];
      if (line instanceof LongLine) {
        line.learn(column, part);
        if (part.text === "" && line.open) {
          await this.lengthOf(first + from + index); // past the end: an upper bound was far too high
        }
      }
    }
    return lines.map((line, index) => {
      const part = parts[index - from];
      const shown = line.slice(column, column + width) ?? { text: part?.text ?? "", spans: [] };
      const row = {
        ...shown,
        length: line.length,
        open: line.open,
        ...(line.isContext && { context: true }),
      };
      return line.number === undefined ? row : { ...row, number: line.number };
    });
  }

  /** Some lines, with their colors up to a column, if it is not too far away. */
  private async linesUpTo(column: number, first: number, count: number): Promise<Line[]> {
    const lines = await this.lines(first, count);
    for (const [index, line] of this.colored ? lines.entries() : []) {
      if (line instanceof LongLine && !line.isExtended && line.slice(0, column) === null) {
        const [part] = await this.parts(first + index, 1, 0, COLORED_COLUMNS, "keep");
        if (part !== undefined) {
          const isWhole = part.omittedBytes === null;
          const longer = isWhole ? new WholeLine(part.text) : new LongLine(part.text, line.length, true);
          longer.number = line.number;
          longer.isContext = line.isContext;
          lines[index] = longer;
          this.store.set(first + index, longer);
        }
      }
    }
    return lines;
  }

  /** How many characters a line has, however many that are. */
  async lengthOf(number: number): Promise<number> {
    const [line] = await this.lines(number, 1);
    if (!(line instanceof LongLine)) {
      return line?.length ?? 0;
    }
    return await line.findEnd(async (column, count) => {
      const [part] = await this.parts(number, 1, column, count);
      if (part === undefined) {
        throw new FileChanged();
      }
      return part;
    });
  }

  /** The same columns of some lines, as they are shown unless their sequences are kept. */
  private async parts(
    first: number,
    count: number,
    column: number,
    width: number,
    ansi: ReadFileParams["ansi"] = "strip",
  ): Promise<Part[]> {
    const parts: Part[] = [];
    while (parts.length < count) {
      const start = first + parts.length;
      const answer = await this.reader.request(Requests.readFile, {
        ...this.file,
        start_line: start,
        limit: count - parts.length,
        max_lines: count - parts.length,
        columns: { start: column + 1, count: width },
        ansi,
      });
      await this.accept(answer.etag);
      const omitted = new Map(answer.clipped_lines?.map(({ line, omitted_bytes }) => [line, omitted_bytes]));
      const texts = textsOf(answer);
      if (texts.length === 0) {
        break;
      }
      texts.forEach((text, index) => {
        parts.push({ text, omittedBytes: omitted.get(start + index) ?? null });
      });
    }
    return parts;
  }

  /** The beginnings of lines, as far as their time stamps may reach. */
  async texts(first: number, count: number): Promise<string[]> {
    return (await this.rows(first, count, 0, 200)).map(({ text }) => text);
  }

  async find(search: Search, query: Query, direction: Direction, from: Position): Promise<Found> {
    const params = { ...this.file, ...AS_SHOWN, direction, ...wireQuery(query) } as const;
    const onward = await search({ ...params, start_line: from.line, start_column: from.column + 1 });
    const wrapped = onward.match === null;
    const answer = wrapped
      ? await search({ ...params, start_line: direction === "forward" ? 1 : PAST_THE_END })
      : onward;
    await this.accept(answer.etag);
    return { match: answer.match && foundMatch(answer.match), wrapped };
  }

  private async lines(first: number, count: number): Promise<Line[]> {
    const wanted = new Map<number, Line>();
    for (let number = first; number < first + count; number += 1) {
      const held = wanted.get(number) ?? this.store.get(number);
      const line = held ?? (await this.load(number, first + count, wanted));
      if (line === undefined) {
        break;
      }
      wanted.set(number, line);
    }
    return [...wanted.values()];
  }

  /** Reads the page around a line; from the line on where the page holds too much for one answer. */
  private async load(number: number, end: number, wanted: Map<number, Line>): Promise<Line | undefined> {
    const pageStart = wanted.size > 0 ? number : number - ((number - 1) % PAGE_LINES);
    for (const start of new Set([pageStart, number])) {
      const answer = await this.page(start);
      if (answer === null) {
        return undefined;
      }
      const lines = this.keep(start, answer);
      for (let index = Math.max(0, number - start); index < lines.length && start + index < end; index += 1) {
        wanted.set(start + index, lines[index] as Line);
      }
      if (wanted.has(number) || !answer.truncated) {
        break;
      }
    }
    return wanted.get(number);
  }

  /** Null past the damage of a compressed text. */
  private async page(start: number): Promise<ReadFileResult | null> {
    try {
      const answer = await this.reader.request(Requests.readFile, pageOf(this.file, start));
      await this.accept(answer.etag);
      return answer;
    } catch (error) {
      if (this.text.compression && error instanceof ForgeError && error.code === "INTERNAL") {
        return null;
      }
      throw error;
    }
  }

  private keep(start: number, answer: ReadFileResult): Line[] {
    const lines = this.linesOf(answer);
    this.colored ||= answer.content.includes("\x1b");
    const context = new Set(answer.context_lines);
    lines.forEach((line, index) => {
      line.number = answer.line_numbers?.[index];
      line.isContext = context.has(line.number ?? 0);
      this.store.set(start + index, line);
    });
    const isLastPage = lines.length > 0 && lines.length < PAGE_LINES && !answer.truncated;
    if (isLastPage && !this.grown) {
      this.known = { lines: start + lines.length - 1, exact: true };
    }
    return lines;
  }

  private linesOf(answer: ReadFileResult): Line[] {
    const texts = textsOf(answer);
    const isCut = answer.truncated && !answer.content.endsWith("\n");
    if (isCut && texts.length === 1) {
      const expansion = this.text.compression ? MOST_EXPANSION : 1;
      return [new LongLine(answer.content, expansion * answer.meta.byte_length)];
    }
    const omitted = new Map(answer.clipped_lines?.map(({ line, omitted_bytes }) => [line, omitted_bytes]));
    return texts.map((text, index) => {
      const more = omitted.get(answer.meta.start_line + index);
      return more === undefined ? new WholeLine(text) : new LongLine(text, countCodePoints(text) + more);
    });
  }

  /** Continues with a file that only grew, which the daemon shows by accepting an earlier cursor. */
  private async accept(etag: string): Promise<void> {
    if (etag === this.etag) {
      return;
    }
    if (this.proof === null) {
      throw new FileChanged();
    }
    try {
      const params = { ...this.file, cursor: this.proof, max_lines: 1, max_bytes: 1 };
      await this.reader.request(Requests.readFile, params);
    } catch (error) {
      if (error instanceof ForgeError && error.code === "CONTENT_MODIFIED") {
        throw new FileChanged();
      }
      throw error;
    }
    this.etag = etag;
    this.grown = true;
  }
}

function pageOf(file: FileToRead & { source: "disk" }, start: number): ReadFileParams {
  return {
    ...file,
    start_line: start,
    limit: PAGE_LINES,
    max_lines: PAGE_LINES,
    columns: { start: 1, count: HEAD_COLUMNS },
    on_binary: "refuse",
  };
}

/** The lines of an answer. The last one may be empty, and without an end that would show it. */
function textsOf({ content, meta }: ReadFileResult): string[] {
  const texts = content.split("\n");
  return texts.slice(0, meta.returned_line_count);
}

function totalOf(first: ReadFileResult, estimate: Estimate): Total {
  const { line_count } = first.meta;
  return line_count === null ? { lines: estimate(first), exact: false } : { lines: line_count, exact: true };
}

function linesBySize({ content, meta }: ReadFileResult): number {
  const bytesPerLine = Math.max(1, content.length / Math.max(1, meta.returned_line_count));
  const bytes = meta.compression ? EXPANSION * meta.byte_length : meta.byte_length;
  return Math.max(1, Math.round(bytes / bytesPerLine));
}

/** A match in a row; where every line is shown, that is the line's number. */
export function foundMatch(match: NonNullable<FindResult["match"]>, row = match.line): FoundMatch {
  const { line, content, start_column, end_column } = match;
  const range = {
    start: { line: row, column: start_column - 1 },
    end: { line: row, column: end_column },
  };
  return { range, line, content };
}
