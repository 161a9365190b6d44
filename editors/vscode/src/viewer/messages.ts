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
  /** The first row and the last one. */
  first: number;
  last: number;
}

/** An item of `forge.viewer.highlights`. */
export interface HighlightRule {
  pattern: string;
  color: string;
  wholeLine?: boolean;
  ignoreCase?: boolean;
}

/** A text that has a color of its own wherever it occurs, 1 to 9. */
export interface Label {
  text: string;
  color: number;
}

/** What a link leads to: an address, or a place in a file. */
export type LinkTarget = { url: string } | { path: string; line: number; column: number };

/** From the least serious to the most. */
export const LEVELS = ["trace", "debug", "info", "notice", "warning", "error", "critical"] as const;

export type Level = (typeof LEVELS)[number];

/** What the daemon knows of the record that a line belongs to. */
export interface LineRecord {
  /** The file's number of the line that starts it. */
  first: number;
  /** As ISO 8601. */
  time: string | null;
  level: Level | null;
  /** The text of that line; empty where it is the line itself. */
  header: string;
}

/** A file of a rotated set, and where it starts in the text of the set. */
export interface Member {
  name: string;
  start: number;
}

/** What is shown of a line: its text from the requested column on, no further than the page can show. */
export interface Row {
  /** The file's number of the line, where only those that match are shown. */
  number?: number;
  text: string;
  /** Colors and links, by their offsets in the text. */
  spans: Span[];
  /** The whole line's length in characters; where `open` is set, it has no more than that. */
  length: number;
  open: boolean;
  /** It does not match, and is shown because it is near a line that does. */
  context?: boolean;
  /** Known a moment after the text. */
  record?: LineRecord;
}

export interface Query {
  pattern: string;
  regex: boolean;
  ignoreCase: boolean;
  wholeWord: boolean;
}

/** A line is shown if one of the terms with `any` matches it (where there are any), every `all`, and no `none`. */
export type Role = "any" | "all" | "none";

/** One part of a filter. */
export interface Term {
  query: Query;
  role: Role;
}

/** A term that is kept for the workspace, and shown as a chip. Which ones are on is each viewer's own. */
export interface NamedTerm extends Term {
  name: string;
}

/** What a filter asks of lines beside its terms. */
export interface Conditions {
  /** Records of this level and above. */
  level: Level | null;
  /** Times as the daemon takes them: ISO 8601, `14:05`, `-2h`. */
  since: string | null;
  until: string | null;
  /** A record is shown whole if one of its lines matches. */
  records: boolean;
  /** Of each record that is shown, only the first line. */
  folded: boolean;
  /** How many lines are shown before and after each that matches. */
  context: number;
}

export const NO_CONDITIONS: Conditions = {
  level: null,
  since: null,
  until: null,
  records: false,
  folded: false,
  context: 0,
};

/** Which lines are shown. */
export interface LineFilter extends Conditions {
  terms: readonly Term[];
}

export const EVERY_LINE: LineFilter = { ...NO_CONDITIONS, terms: [] };

/** A match, by rows of the view. */
export interface FoundMatch {
  range: TextRange;
  /** The file's number of the line. */
  line: number;
  /** The text of the line, or its beginning. */
  content: string;
}

export type Direction = "forward" | "backward";

/** What a person can do about a failure. */
export type Recovery =
  | "retry"
  | "reopenWith"
  | "reopenWithEncoding"
  | "allow"
  | "showLog"
  | "chooseInterpreter";

/** Commands that the page carries out; `forge.viewer.` stands before each. */
export const PAGE_COMMANDS = [
  "find",
  "findNext",
  "findPrevious",
  "findSelection",
  "goToFirst",
  "goToLast",
  "copy",
  "copyWithLineNumbers",
  "copyWithColors",
  "toggleWordWrap",
  "toggleMatchCase",
  "toggleWholeWord",
  "toggleRegex",
  "copyPathWithLine",
  "openLink",
  "toggleBookmark",
  "nextBookmark",
  "previousBookmark",
  "nextError",
  "previousError",
  "filter",
  "filterBySelection",
  "filterOutSelection",
  "clearLabels",
  "saveLines",
  "nextFilterRole",
  "fromHere",
  "untilHere",
  "thisMinute",
  "moreContext",
  "lessContext",
  "toggleRecords",
  "toggleFolded",
  "clearConditions",
  "showWholeFile",
  "follow",
  "stopFollowing",
] as const;

export type ViewerCommand = (typeof PAGE_COMMANDS)[number];

/** Commands of a chip's menu; `forge.viewer.chip.` stands before each. */
export const CHIP_COMMANDS = ["any", "all", "none", "edit", "remove"] as const;

export type ChipCommand = (typeof CHIP_COMMANDS)[number];

/** Where the keys go. */
export type Focus = "lines" | "find" | "filter";

/** Which lines are shown: all, those that a filter lets through, or those from before the file became another. */
export type Showing = "whole" | "filtered" | "old";

/** How a file that is not only appended to became another. */
export type Change = "rewritten" | "truncated" | "replaced" | "reencoded" | "rotated";

export type FromPage =
  | { type: "ready"; place: Place | null }
  /** Answered by `rows` with the same number. */
  | { type: "rows"; request: number; first: number; count: number; column: number; width: number }
  /** `number` is the file's number of the current line. */
  | { type: "moved"; place: Place; number: number; selected: Selected | null; following: boolean }
  | { type: "focused"; focus: Focus }
  /** Shows only the lines that pass, near a line of the file. */
  | { type: "filter"; filter: LineFilter; line: number }
  | { type: "pickLevel" }
  /** Shows the lines from before the file was truncated or replaced, or those of the file as it is. */
  | { type: "showOld"; shown: boolean }
  /** The chips are others. */
  | { type: "keepChips"; chips: NamedTerm[] }
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
  | { type: "setLabels"; labels: Label[] }
  /** Writes lines to a file that the user chooses; null: every line that is shown. */
  | { type: "save"; range: TextRange | null }
  | { type: "recovery"; recovery: Recovery };

export type ToPage =
  | {
      type: "opened";
      name: string;
      total: Total;
      place: Place;
      tabSize: number;
      bookmarks: number[];
      labels: Label[];
      follow: "auto" | "manual";
      history: Query[];
      filterHistory: Query[];
      chips: NamedTerm[];
      showing: number;
      /** A silence of so many seconds is marked; 0: none is. */
      gapSeconds: number;
    }
  | { type: "highlights"; rules: HighlightRule[] }
  /**
   * `showing` tells lines of the whole file from those of each filter, of the file as it was before, and of what a page asked
   * for before it was hidden. Null: they could not be read.
   */
  | { type: "rows"; request: number; showing: number; rows: Row[] | null }
  /** The records of rows that were sent before, from a row on. */
  | { type: "records"; showing: number; first: number; records: (LineRecord | null)[] }
  /** The files of a rotated set, as far as it is known where they start. */
  | { type: "members"; members: Member[] }
  | { type: "total"; showing: number; total: Total; fileLines: number }
  /** From now on only some lines are shown, or all of them again. `line` is where to go. */
  | {
      type: "showing";
      showing: number;
      kind: Showing;
      total: Total;
      fileLines: number;
      line: number;
    }
  /** Escape sequences were found: rows look different from what was sent before. */
  | { type: "recolored"; showing: number }
  /** Those of the file, whichever of its viewers set them. */
  | { type: "bookmarks"; lines: number[] }
  | { type: "bookmarkRows"; showing: number; rows: number[] }
  | { type: "labels"; labels: Label[] }
  /** Labels the selection, or takes its label away. */
  | { type: "label"; color: number }
  /** Rows of level error, to be marked on the scrollbar. */
  | { type: "errorRows"; showing: number; rows: number[] }
  /** Selects whole rows. */
  | { type: "select"; first: number; last: number }
  | { type: "filtering"; percentage: number }
  | { type: "filterFailed"; message: string }
  | { type: "chips"; chips: NamedTerm[] }
  /** Changes some of the conditions. */
  | { type: "conditions"; conditions: Partial<Conditions> }
  /** A saved filter takes the place of the present one. */
  | { type: "applyFilter"; filter: LineFilter }
  | { type: "lineEnd"; line: number; length: number }
  | { type: "counting"; percentage: number }
  | { type: "changed"; showing: number; total: Total; change: Change; note: string }
  /** The file is not there any more: rows that were asked for do not come. Or it is there again. */
  | { type: "gone"; gone: boolean }
  /** Null takes it away. */
  | { type: "banner"; text: string | null; recovery?: Recovery }
  | { type: "finding"; search: number; percentage: number }
  | { type: "found"; search: number; match: FoundMatch | null; wrapped: boolean }
  /** `invalid`: the expression is at fault. */
  | { type: "findFailed"; search: number; message: string; invalid: boolean }
  /** How many lines match as far as they were searched, and where to mark them on the scrollbar. */
  | { type: "matches"; count: number; complete: boolean; marks: number[] }
  /** How many lines match up to the line of the match, that one included. */
  | { type: "matchNumber"; search: number; number: number }
  /** The line that was asked for by level or by time, with the file's number of it; null: there is none. */
  | { type: "foundLine"; line: number | null; number: number | null; note: string }
  | { type: "goTo"; line: number }
  /** The keys are meant for the lines. */
  | { type: "focus" }
  | { type: "command"; command: ViewerCommand }
  /** What was chosen in the menu of a chip; null: in that of what is being typed. */
  | { type: "chip"; command: ChipCommand; chip: number | null }
  | { type: "failed"; message: string; recoveries: Recovery[] };
