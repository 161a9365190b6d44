/** The mouse: wheel, selecting by dragging, by words, and by lines on the numbers. */

import type { Position } from "../src/viewer/messages";
import { element } from "./host";
import { columnAt, offsetAt } from "./placedRow";
import { columnsIn, wordAt } from "./selection";
import type { View } from "./view";

const FAST_SCROLL = 5;
const AUTOSCROLL_MS = 40;

export interface Links {
  isLink(at: Position): boolean;
  /** Whether there was one. */
  openLink(at: Position): boolean;
}

const OPENS_LINK = `${navigator.platform.startsWith("Mac") ? "Cmd" : "Ctrl"}+click opens the link`;

/** `jump` goes from a line that a filter shows to the whole file. */
export function listenToPointer(view: View, { isLink, openLink }: Links, jump: () => boolean): void {
  const grid = element("#rows");
  const opens = (event: MouseEvent | KeyboardEvent) => event.ctrlKey || event.metaKey;
  grid.addEventListener("wheel", (event) => wheel(view, grid, event), { passive: false });
  grid.addEventListener("pointerdown", (event) => {
    const at = view.positionAt(event.clientX, event.clientY);
    if (event.button === 0 && opens(event) && openLink(at)) {
      event.preventDefault();
    } else {
      press(view, grid, event, at);
    }
  });
  grid.addEventListener("pointermove", ({ clientX, clientY, buttons }) => {
    grid.title = buttons === 0 && isLink(view.positionAt(clientX, clientY)) ? OPENS_LINK : "";
  });
  grid.addEventListener("dblclick", (event) => {
    if (!(view.isFiltered && jump())) {
      selectWord(view, event);
    }
  });
  grid.addEventListener("click", (event) => {
    if (event.detail === 3) {
      view.selection.startLines(lineAt(view, event));
      view.draw();
      view.announceMove();
    }
  });
  for (const kind of ["keydown", "keyup"] as const) {
    window.addEventListener(kind, (event) => grid.classList.toggle("opens-links", opens(event)));
  }
}

/** The line at the pointer; below the last one, that one. */
function lineAt(view: View, { clientX, clientY }: MouseEvent): number {
  return Math.max(1, Math.min(view.positionAt(clientX, clientY).line, view.lines.lines));
}

function wheel(view: View, grid: HTMLElement, event: WheelEvent): void {
  if (event.ctrlKey) {
    return; // zooming
  }
  event.preventDefault();
  const rowHeight = Number.parseFloat(getComputedStyle(grid).getPropertyValue("--row-height"));
  const perUnit = [1 / rowHeight, 1, view.fullRows][event.deltaMode] ?? 1;
  const speed = event.altKey ? FAST_SCROLL : 1;
  const [across, down] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
  if (down !== 0) {
    view.scrollBy(down * perUnit * speed);
  }
  if (across !== 0) {
    view.scrollAcross(across * perUnit * speed * 2);
  }
}

function press(view: View, grid: HTMLElement, event: PointerEvent, at: Position): void {
  if (
    event.button === 2 &&
    (view.selection.range === null || columnsIn(view.selection.range, at.line) === null)
  ) {
    // The context menu acts on the line under the pointer, or on the selection it is in.
    view.selection.clear();
    view.point(at);
  }
  if (event.button !== 0) {
    return;
  }
  event.preventDefault();
  grid.focus();
  const byLines = event.target instanceof Element && event.target.closest(".number") !== null;
  const { line: before } = view.current;
  if (byLines && event.shiftKey) {
    view.selection.extendLines(before, at.line);
  } else if (byLines) {
    view.selection.startLines(at.line);
  } else if (event.shiftKey) {
    view.selection.extendFrom({ line: before, column: 0 }, at);
  } else {
    view.selection.start(at);
  }
  view.point(byLines ? { line: at.line, column: 0 } : at);
  follow(view, grid, event, byLines);
}

/** Until the button is released the selection follows the pointer, and beyond the edges the file comes along. */
function follow(view: View, grid: HTMLElement, pressed: PointerEvent, byLines: boolean): void {
  let last = pressed;
  grid.setPointerCapture(pressed.pointerId);
  const extend = () => {
    const at = byLines
      ? { line: lineAt(view, last), column: 0 }
      : view.positionAt(last.clientX, last.clientY);
    view.selection.extend(at);
    view.dragTo(at);
  };
  const move = (event: PointerEvent) => {
    last = event;
    extend();
  };
  const autoscroll = window.setInterval(() => {
    const { top, bottom } = grid.getBoundingClientRect();
    const beyond = Math.min(0, last.clientY - top) + Math.max(0, last.clientY - bottom);
    if (beyond !== 0) {
      view.scrollBy(Math.sign(beyond) * Math.ceil(Math.abs(beyond) / 20));
      extend();
    }
  }, AUTOSCROLL_MS);
  grid.addEventListener("pointermove", move);
  grid.addEventListener(
    "lostpointercapture",
    () => {
      grid.removeEventListener("pointermove", move);
      window.clearInterval(autoscroll);
    },
    { once: true },
  );
}

function selectWord(view: View, event: MouseEvent): void {
  const { line, column } = view.positionAt(event.clientX, event.clientY);
  const row = view.textOf(line);
  if (row === undefined || (event.target instanceof Element && event.target.closest(".number") !== null)) {
    return;
  }
  const word = wordAt(row.text, offsetAt(row, column));
  const at = (offset: number) => ({ line, column: columnAt(row, offset) });
  view.selection.select({ start: at(word.start), end: at(word.end) });
  view.draw();
  view.announceMove();
}
