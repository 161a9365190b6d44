/** The viewer's page: listens to the extension and to the reader, and brings the parts together. */

import "./style.css";
import "./records.css";
import { matcherOf } from "../src/viewer/matching";
import type { Focus, Selected, TextRange, ToPage, Total } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { commandsOf, copy, hasLink, isLink, label, openLink } from "./commands";
import { FilterBar } from "./filterBar";
import { FindWidget } from "./findWidget";
import { element, host, onMessage } from "./host";
import { commandOf, handleKey, isSideways, labelOf, shortcutOf } from "./keyboard";
import { Navigation } from "./navigation";
import {
  hideFailure,
  listenToNotices,
  say,
  showBanner,
  showBannerWith,
  showFailure,
  showNote,
} from "./notices";
import { listenToPointer } from "./pointer";
import { StickyHeader } from "./stickyHeader";
import { View } from "./view";

const KEEP_PLACE_MS = 100;
/** Characters of a line that are read out. */
const SPOKEN = 300;
const grid = element("#rows");
const empty = element("#empty");
let keepingPlace = false;
/** Until then the page is at no place of the file, and must not tell of one: the one that was kept would be lost. */
let isOpened = false;
/** Which view the extension shows rows of; those of another come too late. */
let showing = 0;
/** How the file last became another one, until the reader has put that away. */
let replaced: string | null = null;
let followsAfterOld = false;
const kept = host.getState();
let continuesFollowing = kept?.following === true;

const view: View = new View(
  (request, wanted) => host.postMessage({ type: "rows", request, ...wanted }),
  placeChanged,
  () => follower.moved(view.isAtEnd, view.lines.lines),
  (line) => host.postMessage({ type: "findLineEnd", line }),
  (record) => header.show(record),
);
const navigation = new Navigation(view, placeChanged);
const { follower } = navigation;
const header = new StickyHeader((line) => navigation.goToNumber(line));
const find = new FindWidget({
  search: (request) => host.postMessage({ type: "find", ...request }),
  stop: () => host.postMessage({ type: "stopFinding" }),
  origin: () => ({ line: view.current.line, column: 0 }),
  mark(rows) {
    view.decorations.matchingRows = rows;
    view.draw();
  },
  remember: (history) => host.postMessage({ type: "searched", history }),
  forgetMatches: () => host.postMessage({ type: "forgetMatches" }),
  cover: (pixels) => view.coverTop(pixels),
  leave: () => grid.focus(),
  show(query, match) {
    view.decorations.matcher = matcherOf(query);
    view.decorations.match = match?.range ?? null;
    if (match !== null) {
      view.selection.clear();
      view.reveal(match.range);
      navigation.pauseAwayFromEnd();
      say(`Found in line ${formatNumber(match.line)}: ${match.content.slice(0, SPOKEN)}`);
    }
    view.draw();
    placeChanged();
  },
});

const filter: FilterBar = new FilterBar({
  apply: (filter) => host.postMessage({ type: "filter", filter, line: navigation.currentNumber }),
  keep: (chips) => host.postMessage({ type: "keepChips", chips }),
  remember: (history) => host.postMessage({ type: "filtered", history }),
  leave: () => grid.focus(),
});
const commands = commandsOf({ view, navigation, find, filter });

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
      view.decorations.bookmarks = new Set(message.bookmarks);
      view.decorations.labels = message.labels;
      view.decorations.gapSeconds = message.gapSeconds;
      follower.auto = message.follow === "auto";
      find.searches = message.history;
      filter.searches = message.filterHistory;
      showing = message.showing;
      view.open(message.total, message.place, message.tabSize);
      filter.opened(message.chips);
      if (continuesFollowing) {
        continuesFollowing = false;
        follower.start();
      }
      if (document.hasFocus() && !isTyping()) {
        grid.focus();
      }
      break;
    case "highlights":
      view.decorations.rules.set(message.rules);
      view.draw();
      break;
    case "gone":
      showGone(message.gone);
      break;
    case "banner":
      showBannerWith(message.text, message.recovery);
      break;
    case "rows":
      if (message.rows !== null) {
        hideFailure();
      }
      if (message.showing === showing) {
        view.receive(message.request, message.rows);
      }
      break;
    case "records":
      if (message.showing === showing) {
        view.receiveRecords(message.first, message.records);
      }
      break;
    case "members":
      view.decorations.members = message.members;
      view.draw();
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
      view.show(message);
      find.forget();
      filter.tell(message.kind === "filtered" ? message.total : null, message.fileLines);
      if (replaced !== null) {
        offerOldLines(message.kind === "old");
      }
      if (followsAfterOld && message.kind !== "old") {
        followsAfterOld = false;
        follower.start();
      }
      placeChanged();
      break;
    case "recolored":
      if (message.showing === showing) {
        view.refresh();
      }
      break;
    case "bookmarks":
      view.decorations.bookmarks = new Set(message.lines);
      view.draw();
      break;
    case "bookmarkRows":
      if (message.showing === showing) {
        view.decorations.bookmarkRows = message.rows;
        view.draw();
      }
      break;
    case "labels":
      view.decorations.labels = message.labels;
      view.draw();
      break;
    case "label":
      label(view, message.color);
      break;
    case "errorRows":
      if (message.showing === showing) {
        view.decorations.errorRows = message.rows;
        view.draw();
      }
      break;
    case "select":
      select(message.first, message.last);
      break;
    case "chips":
      filter.receive(message.chips);
      break;
    case "conditions":
      filter.change(message.conditions);
      break;
    case "applyFilter":
      filter.replace(message.filter);
      break;
    case "chip":
      filter.runOnChip(message.command, message.chip);
      break;
    case "filtering":
      filter.progressed(message.percentage);
      break;
    case "filterFailed":
      filter.failed(message.message);
      break;
    case "counting":
      navigation.counting(message.percentage);
      break;
    case "changed":
      showing = message.showing;
      changed(message);
      find.forget();
      break;
    case "finding":
    case "found":
    case "findFailed":
    case "matches":
    case "matchNumber":
      find.receive(message);
      break;
    case "foundLine":
      navigation.found(message.line, message.number, message.note);
      break;
    case "goTo":
      navigation.goTo(message.line);
      break;
    case "focus":
      grid.focus();
      break;
    case "command":
      commands[message.command]();
      break;
    case "failed":
      showFailure(message.message, message.recoveries);
      break;
  }
}

function isTyping(): boolean {
  return document.activeElement instanceof HTMLInputElement;
}

/** Truncation and rotation are told in one quiet line, with a way to what was read before. */
function changed({ total, change, note }: ToPage & { type: "changed" }): void {
  view.changed(total);
  if (change !== "truncated" && change !== "replaced") {
    showBanner(null);
    showNote(note);
  } else {
    replaced = note;
    offerOldLines(false);
    follower.restarted();
  }
  follower.grew(total.lines);
}

/** What became of the file, and a way to the lines that were read before. */
function offerOldLines(shown: boolean): void {
  const label = shown ? "Back to the New Lines" : "Show the Old Lines";
  const act = () => {
    if (!shown) {
      followsAfterOld = follower.isOn;
      follower.stop();
    }
    host.postMessage({ type: "showOld", shown: !shown });
    grid.focus();
  };
  showBanner(shown ? "These lines were read before." : replaced, { label, act });
}

function showGone(gone: boolean): void {
  const name = grid.getAttribute("aria-label");
  showBanner(gone ? `${name} was deleted or moved. What has been read of it stays here.` : null);
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
  navigation.counted(total);
}

/** Whole rows, with the first of them in sight. */
function select(first: number, last: number): void {
  navigation.goTo(first);
  view.selection.startLines(first);
  view.selection.extendLines(first, last);
  view.draw();
  placeChanged();
}

function dismiss(): void {
  navigation.stopWaiting();
  host.postMessage({ type: "stopFinding" });
  showNote("");
  dismissBanner();
  if (view.selection.range !== null) {
    view.selection.clear();
    view.draw();
  } else if (!element("#find").hidden) {
    find.close();
  }
}

function dismissBanner(): void {
  replaced = null;
  showBanner(null);
  host.postMessage({ type: "showOld", shown: false });
  grid.focus();
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
    first: start.line,
    last: end.column > 0 ? end.line : Math.max(start.line, end.line - 1),
  };
}

const actions = { dismiss, jump: () => filter.toggleWhole() };
grid.addEventListener("keydown", (event) => {
  const command = commandOf(event);
  const color = labelOf(event);
  const { line } = view.current;
  navigation.stopWaiting();
  if (color !== undefined) {
    label(view, color);
  } else if (command !== undefined) {
    commands[command]();
  } else if (event.key === "l" && !event.ctrlKey && !event.metaKey && !event.altKey) {
    host.postMessage({ type: "pickLevel" });
  } else if (event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.altKey) {
    follower.toggle();
  } else if (handleKey(view, actions, event)) {
    if (!isSideways(event)) {
      follower.moved(view.isAtEnd && view.current.line >= line, view.lines.lines);
    }
    placeChanged(); // the selection may be another
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});
// By way of VS Code it would take a moment, and what is typed meanwhile would be lost.
document.addEventListener("keydown", (event) => {
  const command = shortcutOf(event);
  if (command !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    commands[command]();
  }
});
document.addEventListener("focusin", ({ target }) => {
  const form = target instanceof Element ? target.closest("form")?.id : undefined;
  host.postMessage({ type: "focused", focus: (form as Focus | undefined) ?? "lines" });
});
document.addEventListener("copy", (event) => {
  if (!isTyping()) {
    event.preventDefault();
    copy(view);
  }
});
// Coming back from the palette, say, keys are meant for the lines.
window.addEventListener("focus", () => {
  if (document.activeElement === document.body) {
    grid.focus();
  }
});
new ResizeObserver(() => navigation.laidOut()).observe(grid);
// Without a selection of the browser's own, a copy from a menu happens only where it is claimed beforehand.
document.addEventListener("beforecopy", (event) => event.preventDefault());
listenToNotices(dismissBanner);
listenToPointer(
  view,
  { isLink: (at) => isLink(view, at), openLink: (at) => openLink(view, at) },
  actions.jump,
);
// The menu is for the current line.
const stage = element("#stage");
stage.addEventListener("contextmenu", () => {
  const lineHasLink = hasLink(view, view.current.line);
  stage.dataset.vscodeContext = JSON.stringify({
    webviewSection: "lines",
    lineHasLink,
    lineHasTime: Boolean(view.textOf(view.current.line)?.record?.time),
    preventDefaultContextMenuItems: true,
  });
});
grid.addEventListener("pointerdown", () => navigation.pauseAwayFromEnd());
onMessage(receive);

if (kept !== undefined) {
  find.restore(kept.query);
  filter.restore(kept.filter);
}
host.postMessage({ type: "ready", place: kept?.place ?? null });
