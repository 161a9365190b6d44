/** Every message between the viewer's page and the extension. */

import type { Span } from "./ansi";

/** Lines are counted from 1. Columns are counted from 0, in characters (code points) as they are shown: without escape sequences. */
export interface Position {
  line: number;
  column: number;
}

/** From `start` up to, but not including, `end`. A range of whole lines ends at column 0 of the line after. */
export interface TextRange {
  start: Position;
  end: Position;
}

/** How many lines there are; an estimate from the size of the first ones until they have been counted. */
export interface Total {
  lines: number;
  exact: boolean;
}

/** Where the reader is: what is kept over tab switches and reloads. */
export interface Place {
  /** The line at the upper edge; its fraction is the part scrolled out. */
  top: number;
  /** The line the keyboard acts on. */
  line: number;
  /** The column last clicked, selected to or found. */
  column: number;
  /** The first column shown. */
  left: number;
  /** Whether lines are broken at the right edge. */
  wraps?: boolean;
}

/** How much is selected; characters are counted within one line. */
export interface Selected {
  lines: number;
  characters: number | null;
}

/** An item of `forge.viewer.highlights`. */
export interface HighlightRule {
  pattern: string;
  color: string;
  wholeLine?: boolean;
  ignoreCase?: boolean;
}

/** What a link leads to: an address, or a place in a file. */
export type LinkTarget = { url: string } | { path: string; line: number; column: number };

/** What is shown of a line: its text from the requested column on, no further than the page can show. */
export interface Row {
  /** The file's number of the line, where only those that match are shown. */
  number?: number;
  text: string;
  /** Colours and links, by their offsets in the text. */
  spans: Span[];
  /** The whole line's length in characters; where `open` is set, it has no more than that. */
  length: number;
  open: boolean;
}

export interface Query {
  pattern: string;
  regex: boolean;
  ignoreCase: boolean;
  wholeWord: boolean;
}

/** Lets only the lines through that match; `out`: only those that do not. */
export interface LineFilter {
  query: Query;
  out: boolean;
}

/** A filter that is kept for the workspace, and shown as a chip. */
export interface NamedFilter extends LineFilter {
  name: string;
  on: boolean;
}

export type Direction = "forward" | "backward";

/** What a person can do about a failure. */
export type Recovery = "retry" | "reopenWith" | "showLog" | "chooseInterpreter";

export type ViewerCommand =
  | "find"
  | "findNext"
  | "findPrevious"
  | "findSelection"
  | "goToFirst"
  | "goToLast"
  | "copy"
  | "copyWithLineNumbers"
  | "copyWithColors"
  | "toggleWordWrap"
  | "copyPathWithLine"
  | "openLink"
  | "toggleBookmark"
  | "nextBookmark"
  | "previousBookmark"
  | "nextError"
  | "previousError"
  | "filter"
  | "filterBySelection"
  | "filterOutSelection"
  | "showWholeFile"
  | "follow"
  | "stopFollowing";

/** How a file that is not only appended to became another. */
export type Change = "rewritten" | "truncated" | "replaced" | "reencoded";

export type FromPage =
  | { type: "ready"; place: Place | null }
  | { type: "rows"; first: number; count: number; column: number; width: number }
  /** `number` is the file's number of the current line. */
  | { type: "moved"; place: Place; number: number; selected: Selected | null; following: boolean }
  /** Shows only the lines that these let through, near a line of the file; with none of them, the whole file. */
  | { type: "filter"; filters: LineFilter[]; line: number }
  /** The chips are others. */
  | { type: "keepFilters"; filters: NamedFilter[] }
  | { type: "askFilters" }
  /** Goes to a line of the file, or the first one after it that is shown. */
  | { type: "reveal"; line: number }
  | { type: "find"; search: number; query: Query; direction: Direction; from: Position }
  | { type: "stopFinding" }
  /** Remembers what was searched for. */
  | { type: "searched"; history: Query[] }
  /** Remembers what was filtered by. */
  | { type: "filtered"; history: Query[] }
  | { type: "forgetMatches" }
  | { type: "findError"; direction: Direction; line: number }
  | { type: "copy"; range: TextRange; numbered: boolean; colors: boolean }
  /** Where does this line end? Answered by `lineEnd`. */
  | { type: "findLineEnd"; line: number }
  | { type: "copyPath"; line: number }
  | { type: "openLink"; target: LinkTarget }
  | { type: "toggleBookmark"; line: number }
  | { type: "recovery"; recovery: Recovery };

export type ToPage =
  | {
      type: "opened";
      name: string;
      total: Total;
      place: Place;
      tabSize: number;
      bookmarks: number[];
      follow: "auto" | "manual";
      history: Query[];
      filterHistory: Query[];
      showing: number;
    }
  | { type: "highlights"; rules: HighlightRule[] }
  /** `showing` tells rows of the whole file from those of each filter. */
  | { type: "rows"; showing: number; first: number; column: number; rows: Row[] }
  | { type: "total"; showing: number; total: Total; fileLines: number }
  /** From now on only some lines are shown, or all of them again. `line` is where to go. */
  | {
      type: "showing";
      showing: number;
      filtered: boolean;
      total: Total;
      fileLines: number;
      line: number;
    }
  /** Escape sequences were found: rows look different from what was sent before. */
  | { type: "recolored"; showing: number }
  /** Those of the file, whichever of its viewers set them. */
  | { type: "bookmarks"; lines: number[] }
  | { type: "bookmarkRows"; showing: number; rows: number[] }
  | { type: "filtering"; percentage: number }
  | { type: "filterFailed"; message: string }
  | { type: "filters"; filters: NamedFilter[] }
  | { type: "lineEnd"; line: number; length: number }
  | { type: "counting"; percentage: number }
  | { type: "changed"; total: Total; change: Change; note: string }
  /** The file is not there any more: rows that were asked for do not come. Or it is there again. */
  | { type: "gone"; gone: boolean }
  /** Null takes it away. */
  | { type: "banner"; text: string | null }
  | { type: "finding"; search: number; percentage: number }
  | { type: "found"; search: number; match: TextRange | null; wrapped: boolean }
  /** `invalid`: the expression is at fault. */
  | { type: "findFailed"; search: number; message: string; invalid: boolean }
  /** How many lines match as far as they were searched, and where to mark them on the scrollbar. */
  | { type: "matches"; count: number; complete: boolean; marks: number[] }
  /** How many lines match up to the line of the match, that one included. */
  | { type: "matchNumber"; search: number; number: number }
  /** The line that was asked for by level or by time, with the file's number of it; null: there is none. */
  | { type: "foundLine"; line: number | null; number: number | null; note: string }
  | { type: "goTo"; line: number }
  | { type: "command"; command: ViewerCommand }
  | { type: "failed"; message: string; recoveries: Recovery[] };
