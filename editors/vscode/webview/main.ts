/** The viewer's page: listens to the extension and to the reader, and brings the parts together. */

import "./style.css";
import type {
  Direction,
  Position,
  Selected,
  TextRange,
  ToPage,
  Total,
  ViewerCommand,
} from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { FilterBar } from "./filterBar";
import { FindWidget } from "./findWidget";
import { Follower } from "./follower";
import { element, host, onMessage } from "./host";
import { commandOf, handleKey } from "./keyboard";
import { linksIn } from "./links";
import { matcherOf } from "./matching";
import { hideFailure, listenToNotices, say, showBanner, showFailure, showNote } from "./notices";
import { offsetAt } from "./placedRow";
import { listenToPointer } from "./pointer";
import { columnsIn, wordAt } from "./selection";
import { View } from "./view";

const KEEP_PLACE_MS = 100;
const grid = element("#rows");
const empty = element("#empty");
let keepingPlace = false;
/** Until then the page is at no place of the file, and must not tell of one: the one that was kept would be lost. */
let isOpened = false;
/** Which view the extension shows rows of; those of another come too late. */
let showing = 0;
/** The last line is known once the lines are counted; until then the wish to go there waits. */
let wantsLast = false;
/** Where to go from error to error: the first one is being searched for. */
let errorSteps: Direction[] = [];
const kept = host.getState();
let continuesFollowing = kept?.following === true;

const view: View = new View(
  (wanted) => host.postMessage({ type: "rows", ...wanted }),
  placeChanged,
  () => follower.moved(view.isAtEnd, view.lines.lines),
  (line) => host.postMessage({ type: "findLineEnd", line }),
);
const follower = new Follower(
  goToLast,
  () => (view.lines.exact ? view.toEndWithText() : goToLast()),
  placeChanged,
);
const find = new FindWidget({
  search: (request) => host.postMessage({ type: "find", ...request }),
  stop: () => host.postMessage({ type: "stopFinding" }),
  origin: () => ({ line: view.current.line, column: 0 }),
  numberOf: (row) => view.numberOf(row),
  mark(rows) {
    view.matchingRows = rows;
    view.draw();
  },
  remember: (history) => host.postMessage({ type: "searched", history }),
  forgetMatches: () => host.postMessage({ type: "forgetMatches" }),
  cover: (pixels) => view.coverTop(pixels),
  leave: () => grid.focus(),
  show(query, match) {
    view.matcher = matcherOf(query);
    view.match = match;
    if (match !== null) {
      view.selection.clear();
      view.reveal(match);
      pauseAwayFromEnd();
      say(`Found in line ${formatNumber(view.numberOf(match.start.line))}: ${textOf(match.start.line)}`);
    }
    view.draw();
    placeChanged();
  },
});

const filter: FilterBar = new FilterBar({
  apply: (filters) => host.postMessage({ type: "filter", filters, line: view.numberOf(view.current.line) }),
  keep: (filters) => host.postMessage({ type: "keepFilters", filters }),
  ask: () => host.postMessage({ type: "askFilters" }),
  remember: (history) => host.postMessage({ type: "filtered", history }),
  leave: () => grid.focus(),
});

function placeChanged(): void {
  if (keepingPlace || !isOpened) {
    return;
  }
  keepingPlace = true;
  window.setTimeout(() => {
    keepingPlace = false;
    if (!view.isNumbered) {
      return; // told when the row has arrived
    }
    const place = view.current;
    const number = view.numberOf(place.line);
    const { isOn: following } = follower;
    host.setState({ place: view.placeInFile, query: find.query, filter: filter.state, following });
    host.postMessage({ type: "moved", place, number, selected: selected(), following });
  }, KEEP_PLACE_MS);
}

function receive(message: ToPage): void {
  switch (message.type) {
    case "opened":
      isOpened = true;
      grid.setAttribute("aria-label", message.name);
      hideFailure();
      empty.textContent = `${message.name} is empty.`;
      view.bookmarks = new Set(message.bookmarks);
      follower.auto = message.follow === "auto";
      find.searches = message.history;
      filter.searches = message.filterHistory;
      showing = message.showing;
      view.open(message.total, message.place, message.tabSize);
      filter.opened();
      if (continuesFollowing) {
        continuesFollowing = false;
        follower.start();
      }
      if (!find.isOpen) {
        grid.focus();
      }
      break;
    case "highlights":
      view.rules.set(message.rules);
      view.draw();
      break;
    case "gone":
      showGone(message.gone);
      break;
    case "banner":
      showBanner(message.text);
      break;
    case "rows":
      hideFailure();
      if (message.showing === showing) {
        view.receive(message.first, message.column, message.rows);
      }
      break;
    case "lineEnd":
      view.foundLineEnd(message.line, message.length);
      break;
    case "total":
      if (message.showing === showing) {
        setTotal(message.total, message.fileLines);
      }
      break;
    case "showing":
      showing = message.showing;
      find.forget();
      view.show(message);
      filter.tell(message.filtered ? message.total : null, message.fileLines);
      placeChanged();
      break;
    case "recolored":
      if (message.showing === showing) {
        view.refresh();
      }
      break;
    case "bookmarks":
      view.bookmarks = new Set(message.lines);
      view.draw();
      break;
    case "bookmarkRows":
      if (message.showing === showing) {
        view.bookmarkRows = message.rows;
        view.draw();
      }
      break;
    case "filters":
    case "filtering":
    case "filterFailed":
      filter.receive(message);
      break;
    case "counting":
      if (wantsLast) {
        showNote(`Counting lines… ${message.percentage} %`);
      }
      break;
    case "changed":
      find.forget();
      changed(message);
      break;
    case "finding":
    case "found":
    case "findFailed":
    case "matches":
    case "matchNumber":
      find.receive(message);
      break;
    case "foundLine":
      showNote(message.note);
      if (message.line !== null) {
        goTo(message.line);
      }
      findNextError(message.number);
      break;
    case "goTo":
      goTo(message.line);
      break;
    case "command":
      commands[message.command]();
      break;
    case "failed":
      view.failed();
      showFailure(message.message, message.recoveries);
      break;
  }
}

/** Truncation and rotation are told in one quiet line, with what was on the screen. */
function changed({ total, change, note }: ToPage & { type: "changed" }): void {
  const lines = view.changed(total);
  if (change === "rewritten" || change === "reencoded") {
    showBanner(null);
    showNote(note);
  } else {
    showBanner(note, lines);
    follower.restarted();
  }
  follower.grew(total.lines);
}

function showGone(gone: boolean): void {
  const name = grid.getAttribute("aria-label");
  showBanner(gone ? `${name} was deleted or moved. What has been read of it stays here.` : null);
  view.failed();
  if (!gone) {
    hideFailure();
    view.refresh();
  } else if (!view.hasText) {
    showFailure(`${name} is not there any more, and this part of it has not been read.`, ["retry"]);
  }
}

function setTotal(total: Total, fileLines: number): void {
  view.setTotal(total, fileLines);
  filter.tell(view.isFiltered ? total : null, fileLines);
  follower.grew(total.lines);
  if (wantsLast && total.exact) {
    showNote("");
    wantsLast = false;
    goToLast();
  }
}

function goTo(line: number): void {
  wantsLast = false;
  view.selection.clear();
  view.centre(line);
  pauseAwayFromEnd();
  grid.focus();
  const { lines, exact } = view.lines;
  say(`Line ${formatNumber(view.current.line)} of ${exact ? "" : "about "}${formatNumber(lines)}`);
}

/** Who went to another line is not taken to the last one when the file grows. */
function pauseAwayFromEnd(): void {
  if (view.current.line < view.lines.lines) {
    follower.moved(false, view.lines.lines);
  }
}

/** A line of the file, or the first one after it that is shown. */
function goToNumber(number: number): void {
  if (view.isFiltered) {
    host.postMessage({ type: "reveal", line: number });
  } else {
    goTo(number);
  }
}

function goToLast(): void {
  if (view.lines.exact) {
    view.toEnd();
    follower.reachedEnd();
  } else {
    wantsLast = true;
    showNote("Counting lines…");
  }
}

const commands: Record<ViewerCommand, () => void> = {
  find: () => find.open(selectedText(), view.selection.range?.start),
  findNext: () => find.next("forward"),
  findPrevious: () => find.next("backward"),
  findSelection,
  goToFirst: () => goTo(1),
  goToLast,
  copy: () => copy(),
  copyWithLineNumbers: () => copy({ numbered: true }),
  copyWithColors: () => copy({ colors: true }),
  toggleWordWrap: () => view.wrap(!view.wraps),
  copyPathWithLine: () => host.postMessage({ type: "copyPath", line: currentNumber() }),
  openLink: () => openLink({ line: view.current.line, column: view.current.column }, true),
  toggleBookmark,
  nextBookmark: () => goToBookmark("forward"),
  previousBookmark: () => goToBookmark("backward"),
  nextError: () => goToError("forward"),
  previousError: () => goToError("backward"),
  filter: () => filter.open(),
  filterBySelection: () => filterBySelection(false),
  filterOutSelection: () => filterBySelection(true),
  showWholeFile: () => filter.close(),
  follow: () => follower.start(),
  stopFollowing: () => follower.stop(),
};

function findSelection(): void {
  const text = selectedText() || wordAtCursor();
  if (text !== "") {
    find.open(text, view.selection.range?.start);
  }
}

function filterBySelection(out: boolean): void {
  const pattern = selectedText() || wordAtCursor();
  if (pattern !== "") {
    filter.open({ query: { pattern, regex: false, ignoreCase: false, wholeWord: false }, out });
  }
}

/** The file's number of the current line. */
function currentNumber(): number {
  return view.numberOf(view.current.line);
}

function wordAtCursor(): string {
  const row = view.textOf(view.current.line);
  const word = row && wordAt(row.text, offsetAt(row, view.current.column));
  return row && word ? row.text.slice(word.start, word.end).trim() : "";
}

function toggleBookmark(): void {
  const line = currentNumber();
  host.postMessage({ type: "toggleBookmark", line });
  say(`Bookmark ${view.bookmarks.has(line) ? "removed" : "set"} in line ${formatNumber(line)}`);
}

/** The next or previous bookmark, around the ends of the file. */
function goToBookmark(direction: Direction): void {
  const lines = [...view.bookmarks].sort((one, other) => one - other);
  const line = currentNumber();
  const next =
    direction === "forward"
      ? (lines.find((each) => each > line) ?? lines[0])
      : (lines.findLast((each) => each < line) ?? lines.at(-1));
  if (next === undefined) {
    showNote("No bookmarks. Ctrl+F2 sets one.");
  } else {
    goToNumber(next);
  }
}

/** Keys that are pressed while an error is searched for are carried out after it. */
function goToError(direction: Direction): void {
  if (errorSteps.push(direction) === 1) {
    findError(direction, currentNumber());
  }
}

function findError(direction: Direction, line: number): void {
  showNote("Searching…");
  host.postMessage({ type: "findError", direction, line });
}

/** `line` is the one that was found; null: there is none. */
function findNextError(line: number | null): void {
  errorSteps = line === null ? [] : errorSteps.slice(1);
  const [next] = errorSteps;
  if (next !== undefined && line !== null) {
    findError(next, line);
  }
}

/** The link at a column; `otherwise`, the first of the line. Whether there is one. */
function openLink({ line, column }: Position, otherwise = false): boolean {
  const row = view.textOf(line);
  const links = row ? linksIn(row) : [];
  const at = row ? offsetAt(row, column) : 0;
  const link = links.find(({ start, end }) => start <= at && at <= end) ?? (otherwise ? links[0] : undefined);
  if (link !== undefined) {
    host.postMessage({ type: "openLink", target: link.target });
  } else if (otherwise) {
    showNote("No link in this line.");
  }
  return link !== undefined;
}

function dismiss(): void {
  wantsLast = false;
  host.postMessage({ type: "stopFinding" });
  showNote("");
  showBanner(null);
  if (view.selection.range !== null) {
    view.selection.clear();
    view.draw();
  } else if (!element("#find").hidden) {
    find.close();
  }
}

/** What is selected within one line, to be looked for. */
function selectedText(): string {
  const range = view.selection.range;
  const row = range?.start.line === range?.end.line ? view.textOf(range?.start.line ?? 0) : undefined;
  const columns = range && columnsIn(range, range.start.line);
  return row && columns ? row.text.slice(offsetAt(row, columns.start), offsetAt(row, columns.end)) : "";
}

function textOf(line: number): string {
  return view.textOf(line)?.text.slice(0, 200) ?? "";
}

/** The selection, or the current line. */
function copy({ numbered = false, colors = false } = {}): void {
  const { line } = view.current;
  const wholeLine = { start: { line, column: 0 }, end: { line: line + 1, column: 0 } };
  host.postMessage({ type: "copy", range: view.selection.range ?? wholeLine, numbered, colors });
}

/** For the status bar. */
function selected(): Selected | null {
  const range: TextRange | null = view.selection.range;
  if (range === null) {
    return null;
  }
  const { start, end } = range;
  const oneLine = start.line === end.line;
  return {
    lines: end.line - start.line + (end.column > 0 ? 1 : 0),
    characters: oneLine ? end.column - start.column : null,
  };
}

const actions = { dismiss, jump: () => filter.toggleWhole() };
grid.addEventListener("keydown", (event) => {
  const command = commandOf(event);
  const { line } = view.current;
  wantsLast = false;
  if (event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.altKey) {
    follower.toggle();
  } else if (command !== undefined) {
    event.preventDefault();
    commands[command]();
  } else if (handleKey(view, actions, event)) {
    event.preventDefault();
    follower.moved(view.isAtEnd && view.current.line >= line, view.lines.lines);
    placeChanged(); // the selection may be another
  }
});
document.addEventListener("copy", (event) => {
  if (!(document.activeElement instanceof HTMLInputElement)) {
    event.preventDefault();
    copy();
  }
});
// Coming back from the palette, say, keys are meant for the lines.
window.addEventListener("focus", () => {
  if (document.activeElement === document.body) {
    grid.focus();
  }
});
new ResizeObserver(() => {
  if (follower.isOn) {
    goToLast();
  }
}).observe(grid);
// Without a selection of the browser's own, a copy from a menu happens only where it is claimed beforehand.
document.addEventListener("beforecopy", (event) => event.preventDefault());
listenToNotices(() => grid.focus());
listenToPointer(view, (at) => openLink(at), actions.jump);
grid.addEventListener("pointerdown", pauseAwayFromEnd);
onMessage(receive);

if (kept !== undefined) {
  find.restore(kept.query);
  filter.restore(kept.filter);
}
host.postMessage({ type: "ready", place: kept?.place ?? null });
