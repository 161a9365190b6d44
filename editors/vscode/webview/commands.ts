/** What each command of the viewer does in the page. */

import { justAfter, minuteOf } from "../src/viewer/isoTimes";
import { NO_CONDITIONS, type Position, type ViewerCommand } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import type { FilterBar } from "./filterBar";
import type { FindWidget } from "./findWidget";
import { host } from "./host";
import { toggled } from "./labels";
import { linksIn } from "./links";
import type { Navigation } from "./navigation";
import { say, showNote } from "./notices";
import { offsetAt } from "./placedRow";
import type { Toggle } from "./searchField";
import { columnsIn, wordAt } from "./selection";
import type { View } from "./view";

/** The parts of the page. */
export interface Parts {
  view: View;
  navigation: Navigation;
  find: FindWidget;
  filter: FilterBar;
}

export function commandsOf(parts: Parts): Record<ViewerCommand, () => void> {
  const { view, navigation, find, filter } = parts;
  const toggle = (name: Toggle) => (filter.hasFocus ? filter : find).field.toggle(name);
  return {
    find: () => find.open(selectedText(view), view.selection.range?.start),
    findNext: () => find.next("forward"),
    findPrevious: () => find.next("backward"),
    findSelection: () => withSelection(view, (text) => find.open(text, view.selection.range?.start)),
    goToFirst: () => navigation.goTo(1),
    goToLast: () => navigation.goToLast(),
    copy: () => copy(view),
    copyWithLineNumbers: () => copy(view, { numbered: true }),
    copyWithColors: () => copy(view, { colors: true }),
    toggleWordWrap: () => {
      view.wrap(!view.wraps);
      navigation.laidOut();
    },
    toggleMatchCase: () => toggle("case"),
    toggleWholeWord: () => toggle("word"),
    toggleRegex: () => toggle("regex"),
    copyPathWithLine: () => host.postMessage({ type: "copyPath", line: navigation.currentNumber }),
    openLink: () => openLink(view, view.current, true),
    toggleBookmark: () => toggleBookmark(view, navigation.currentNumber),
    nextBookmark: () => navigation.goToBookmark("forward"),
    previousBookmark: () => navigation.goToBookmark("backward"),
    nextError: () => navigation.goToError("forward"),
    previousError: () => navigation.goToError("backward"),
    filter: () => filter.open(),
    filterBySelection: () => filterBy(parts, "any"),
    filterOutSelection: () => filterBy(parts, "none"),
    clearLabels: () => host.postMessage({ type: "setLabels", labels: [] }),
    saveLines: () => host.postMessage({ type: "save", range: view.selection.range }),
    nextFilterRole: () => filter.nextRole(),
    fromHere: () => withTime(view, (time) => filter.change({ since: time })),
    untilHere: () => withTime(view, (time) => filter.change({ until: justAfter(time) })),
    thisMinute: () => withTime(view, (time) => filter.change(minuteOf(time))),
    moreContext: () => filter.moreContext(1),
    lessContext: () => filter.moreContext(-1),
    toggleRecords: () => filter.change({ records: !filter.conditions.value.records }),
    toggleFolded: () => filter.change({ folded: !filter.conditions.value.folded }),
    clearConditions: () => filter.change(NO_CONDITIONS),
    showWholeFile: () => filter.close(),
    follow: () => navigation.follower.start(),
    stopFollowing: () => navigation.follower.stop(),
  };
}

/** With the time of the current line, if it has one. */
function withTime(view: View, act: (time: string) => void): void {
  view.withRecord(({ time }) => {
    if (time === null) {
      showNote("This line has no time.");
    } else {
      act(time);
    }
  });
}

/** Labels what is selected, or the word at the cursor; or takes its label away. */
export function label(view: View, color: number): void {
  withSelection(view, (text) => {
    const labels = toggled(view.decorations.labels, text, color);
    host.postMessage({ type: "setLabels", labels });
    say(`${labels.length > view.decorations.labels.length ? "Label" : "Label changed"}: ${text}`);
  });
}

/** Whether a row mentions a link. */
export function hasLink(view: View, line: number): boolean {
  const row = view.textOf(line);
  return row !== undefined && linksIn(row).length > 0;
}

/** Whether a link is there. */
export function isLink(view: View, { line, column }: Position): boolean {
  const row = view.textOf(line);
  const at = row ? offsetAt(row, column) : 0;
  return row !== undefined && linksIn(row).some(({ start, end }) => start <= at && at < end);
}

/** Opens the link at a column; `otherwise`, the first of the line. Whether there is one. */
export function openLink(view: View, { line, column }: Position, otherwise = false): boolean {
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

/** The selection, or the current line. */
export function copy(view: View, { numbered = false, colors = false } = {}): void {
  const { line } = view.current;
  const wholeLine = { start: { line, column: 0 }, end: { line: line + 1, column: 0 } };
  host.postMessage({ type: "copy", range: view.selection.range ?? wholeLine, numbered, colors });
}

function toggleBookmark(view: View, line: number): void {
  host.postMessage({ type: "toggleBookmark", line });
  say(`Bookmark ${view.decorations.bookmarks.has(line) ? "removed" : "set"} in line ${formatNumber(line)}`);
}

function filterBy({ view, filter }: Parts, role: "any" | "none"): void {
  withSelection(view, (pattern) =>
    filter.open({ query: { pattern, regex: false, ignoreCase: false, wholeWord: false }, role }),
  );
}

/** With what is selected, else the word at the cursor, if there is one. */
function withSelection(view: View, act: (text: string) => void): void {
  const text = selectedText(view) || wordAtCursor(view);
  if (text !== "") {
    act(text);
  }
}

/** What is selected within one line. */
function selectedText(view: View): string {
  const range = view.selection.range;
  const row = range?.start.line === range?.end.line ? view.textOf(range?.start.line ?? 0) : undefined;
  const columns = range && columnsIn(range, range.start.line);
  return row && columns ? row.text.slice(offsetAt(row, columns.start), offsetAt(row, columns.end)) : "";
}

function wordAtCursor(view: View): string {
  const row = view.textOf(view.current.line);
  const word = row && wordAt(row.text, offsetAt(row, view.current.column));
  return row && word ? row.text.slice(word.start, word.end).trim() : "";
}
