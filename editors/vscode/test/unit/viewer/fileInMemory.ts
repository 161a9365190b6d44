import { type Daemon, ForgeError } from "../../../src/daemon";
import type { FindParams, FindResult, ReadFileParams, ReadFileResult } from "../../../src/protocol";
import { stripAnsi } from "../../../src/viewer/ansi";

/** Answers as the daemon does, from a string, with answers small enough to be cut. */
export class FileInMemory {
  readonly asked: ReadFileParams[] = [];
  etag = "first";
  /** Cursors from before a change that is no growth are refused. */
  private born = 0;

  constructor(
    private text: string,
    private readonly answerLength = 1000,
    private readonly countsLines = true,
  ) {}

  change(text: string): void {
    this.text = text;
    this.etag = `after ${this.etag}`;
    this.born += 1;
  }

  grow(text: string): void {
    this.text += text;
    this.etag = `after ${this.etag}`;
  }

  request = (async (method: string, params: ReadFileParams | FindParams) =>
    method === "forge/readFile"
      ? this.readFile(params)
      : this.find(params as FindParams)) as Daemon["request"];

  private async readFile(params: ReadFileParams): Promise<ReadFileResult> {
    this.asked.push(params);
    const [line, offset, last, born] = params.cursor
      ? (JSON.parse(params.cursor) as [number, number, number, number])
      : [params.start_line ?? 1, 0, lastLine(params), this.born];
    if (born !== this.born) {
      const data = { code: "CONTENT_MODIFIED", path: "file", reason: "", retriable: true } as const;
      throw new ForgeError("file: changed", data);
    }
    const text = params.ansi === "strip" ? stripAnsi(this.text) : this.text;
    const whole = text.split(/(?<=\n)/).filter((each) => each !== "");
    const { lines, clipped } = columnsOf(whole, params.columns ?? null);
    const answerLength = Math.min(this.answerLength, params.max_bytes ?? this.answerLength);
    const wanted = lines
      .slice(line - 1, last)
      .join("")
      .slice(offset);
    const page = wanted.split(/(?<=\n)/).slice(0, params.max_lines ?? 200);
    while (page.length > 1 && page.join("").length > answerLength) {
      page.pop();
    }
    const content = page.join("").slice(0, params.columns ? undefined : answerLength);
    const truncated = content.length < wanted.length;
    const inside = truncated && !content.endsWith("\n");
    const after = inside ? [line, offset + content.length] : [line + page.length, 0];
    const next = JSON.stringify([...after, last ?? Number.MAX_SAFE_INTEGER, this.born]);
    return {
      path: "file",
      workspace_folder: "folder",
      content: params.if_none_match === this.etag ? "" : content,
      truncated,
      next_start_line: truncated ? line + page.length : null,
      meta: {
        byte_length: Buffer.byteLength(this.text),
        line_count: this.countsLines ? lines.length : null,
        returned_line_count: line > lines.length ? 0 : page.length,
        mtime_ms: 0,
        start_line: line,
        encoding: "utf-8",
        bom: false,
        ends_with_newline: this.text.endsWith("\n"),
        eol: "lf",
        decode_errors: 0,
        compression: null,
        text_byte_length: null,
      },
      truncated_by: truncated ? "bytes" : null,
      next_cursor: truncated ? next : null,
      etag: this.etag,
      source: "disk",
      document_version: null,
      binary: null,
      not_modified: params.if_none_match === this.etag,
      end_cursor: truncated ? null : next,
      line_numbers: null,
      context_lines: null,
      members: null,
      clipped_lines: params.columns
        ? clipped.filter((each) => each.line >= line && each.line < line + page.length)
        : null,
    };
  }

  /** Literal, and by code points as on the wire. */
  async find(params: FindParams): Promise<FindResult> {
    const lines = (params.ansi === "strip" ? stripAnsi(this.text) : this.text).split("\n");
    const from = { line: params.start_line ?? 1, column: params.start_column ?? 1 };
    const matches = lines.flatMap((text, index) => {
      const start = text.indexOf(params.pattern);
      const column = start < 0 ? 0 : [...text.slice(0, start)].length + 1;
      const end_column = column + [...params.pattern].length - 1;
      return start < 0 ? [] : [{ line: index + 1, start_column: column, end_column, content: text }];
    });
    const before = (match: { line: number; start_column: number }) =>
      match.line < from.line || (match.line === from.line && match.start_column < from.column);
    const match =
      params.direction === "backward" ? matches.findLast(before) : matches.find((match) => !before(match));
    return { path: "file", match: match ?? null, scanned_bytes: 0, etag: this.etag, matched_lines: null };
  }
}

/** Of every line only some characters, and which lines go on after them. */
function columnsOf(lines: string[], columns: ReadFileParams["columns"] | null) {
  if (!columns) {
    return { lines, clipped: [] };
  }
  const start = (columns.start ?? 1) - 1;
  const clipped: { line: number; omitted_bytes: number }[] = [];
  const parts = lines.map((line, index) => {
    const characters = [...line.replace(/\n$/, "")];
    const omitted = characters.slice(start + columns.count).join("");
    if (omitted !== "") {
      clipped.push({ line: index + 1, omitted_bytes: Buffer.byteLength(omitted) });
    }
    const end = line.endsWith("\n") ? "\n" : "";
    return characters.slice(start, start + columns.count).join("") + end;
  });
  return { lines: parts, clipped };
}

function lastLine({ start_line, end_line, limit }: ReadFileParams): number {
  const byLimit = limit == null ? Number.MAX_SAFE_INTEGER : (start_line ?? 1) + limit - 1;
  return Math.min(byLimit, end_line ?? Number.MAX_SAFE_INTEGER);
}

/** Lines that carry their own number. */
export function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
}
