/** The viewer's page: listens to the extension and to the reader, and brings the parts together. */

import "./style.css";
import type { Recovery, ToPage, Total, ViewerCommand } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { FindWidget } from "./findWidget";
import { element, host, onMessage } from "./host";
import { handleKey } from "./keyboard";
import { matcherOf } from "./matching";
import { listenToPointer } from "./pointer";
import { columnsIn } from "./selection";
import { View } from "./view";

const KEEP_PLACE_MS = 100;
const NOTE_MS = 5000;
const RECOVERY_LABELS: Record<Recovery, string> = {
  retry: "Try Again",
  reopenWith: "Reopen Editor With…",
  showLog: "Show Log",
};

const grid = element("#rows");
const note = element("#note");
const failure = element("#failure");
const spoken = element("#spoken");
let noteTimer = 0;
let keepingPlace = false;
/** The last line is known once the lines are counted; until then the wish to go there waits. */
let wantsLast = false;

const view = new View((wanted) => host.postMessage({ type: "rows", ...wanted }), placeChanged);
const find = new FindWidget({
  search: (request) => host.postMessage({ type: "find", ...request }),
  stop: () => host.postMessage({ type: "stopFinding" }),
  origin: () => ({ line: view.current.line, column: 0 }),
  leave: () => grid.focus(),
  show(query, match) {
    view.matcher = matcherOf(query);
    view.match = match;
    if (match !== null) {
      view.selection.clear();
      view.reveal(match.start);
      say(`Found in line ${formatNumber(match.start.line)}: ${textOf(match.start.line)}`);
    }
    view.draw();
    placeChanged();
  },
});

function placeChanged(): void {
  if (keepingPlace) {
    return;
  }
  keepingPlace = true;
  window.setTimeout(() => {
    keepingPlace = false;
    const place = view.current;
    host.setState({ place, query: find.query });
    host.postMessage({ type: "moved", place });
  }, KEEP_PLACE_MS);
}

function receive(message: ToPage): void {
  switch (message.type) {
    case "opened":
      grid.setAttribute("aria-label", message.name);
      failure.hidden = true;
      view.open(message.total, message.place, message.tabSize);
      grid.focus();
      break;
    case "rows":
      failure.hidden = true;
      view.receive(message.first, message.column, message.rows);
      break;
    case "total":
      setTotal(message.total);
      break;
    case "counting":
      if (wantsLast) {
        show(`Counting lines… ${message.percentage} %`);
      }
      break;
    case "changed":
      find.forget();
      view.changed(message.total);
      show(message.note);
      break;
    case "finding":
    case "found":
    case "findFailed":
      find.receive(message);
      break;
    case "goTo":
      goTo(message.line);
      break;
    case "command":
      commands[message.command]();
      break;
    case "failed":
      view.failed();
      fail(message.message, message.recoveries);
      break;
  }
}

function setTotal(total: Total): void {
  view.setTotal(total);
  if (wantsLast && total.exact) {
    note.hidden = true;
    goTo(total.lines);
  }
}

function goTo(line: number): void {
  wantsLast = false;
  view.selection.clear();
  view.moveTo(line);
  grid.focus();
  const { lines, exact } = view.lines;
  say(`Line ${formatNumber(view.current.line)} of ${exact ? "" : "about "}${formatNumber(lines)}`);
}

function goToLast(): void {
  if (view.lines.exact) {
    goTo(view.lines.lines);
  } else {
    wantsLast = true;
    show("Counting lines…");
  }
}

const commands: Record<ViewerCommand, () => void> = {
  find: () => find.open(selectedText()),
  findNext: () => find.next("forward"),
  findPrevious: () => find.next("backward"),
  goToFirst: () => goTo(1),
  goToLast,
};

function dismiss(): void {
  wantsLast = false;
  note.hidden = true;
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
  return row && columns ? row.text.slice(columns.start - row.column, columns.end - row.column) : "";
}

function textOf(line: number): string {
  return view.textOf(line)?.text.slice(0, 200) ?? "";
}

function show(text: string): void {
  note.textContent = text;
  note.hidden = false;
  window.clearTimeout(noteTimer);
  noteTimer = window.setTimeout(() => {
    note.hidden = true;
  }, NOTE_MS);
}

function say(text: string): void {
  spoken.textContent = text;
}

function fail(message: string, recoveries: Recovery[]): void {
  element("#failure p").textContent = message;
  const buttons = recoveries.map((recovery) => {
    const button = document.createElement("button");
    button.textContent = RECOVERY_LABELS[recovery];
    button.addEventListener("click", () => host.postMessage({ type: "recovery", recovery }));
    return button;
  });
  element("#failure .actions").replaceChildren(...buttons);
  failure.hidden = false;
}

function copy(event: ClipboardEvent): void {
  if (document.activeElement instanceof HTMLInputElement) {
    return;
  }
  event.preventDefault();
  const { line } = view.current;
  const wholeLine = { start: { line, column: 0 }, end: { line: line + 1, column: 0 } };
  host.postMessage({ type: "copy", range: view.selection.range ?? wholeLine });
}

grid.addEventListener("keydown", (event) => {
  wantsLast = false;
  if (handleKey(view, { first: () => goTo(1), last: goToLast, dismiss }, event)) {
    event.preventDefault();
  }
});
document.addEventListener("copy", copy);
// Without a selection of the browser's own, a copy from a menu happens only where it is claimed beforehand.
document.addEventListener("beforecopy", (event) => event.preventDefault());
listenToPointer(view);
onMessage(receive);

const kept = host.getState();
if (kept !== undefined) {
  find.restore(kept.query);
}
host.postMessage({ type: "ready", place: kept?.place ?? null });
