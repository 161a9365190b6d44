/** The mouse: wheel, selecting by dragging, by words, and by lines on the numbers. */

import { element } from "./host";
import { wordAt } from "./selection";
import type { View } from "./view";

const FAST_SCROLL = 5;
const AUTOSCROLL_MS = 40;

export function listenToPointer(view: View): void {
  const grid = element("#rows");
  grid.addEventListener("wheel", (event) => wheel(view, grid, event), { passive: false });
  grid.addEventListener("pointerdown", (event) => press(view, grid, event));
  grid.addEventListener("dblclick", (event) => selectWord(view, event));
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

function press(view: View, grid: HTMLElement, event: PointerEvent): void {
  if (event.button !== 0) {
    return;
  }
  event.preventDefault();
  grid.focus();
  const at = view.positionAt(event.clientX, event.clientY);
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
  view.moveTo(at.line);
  follow(view, grid, event);
}

/** Until the button is released the selection follows the pointer, and beyond the edges the file comes along. */
function follow(view: View, grid: HTMLElement, pressed: PointerEvent): void {
  let last = pressed;
  grid.setPointerCapture(pressed.pointerId);
  const extend = () => {
    view.selection.extend(view.positionAt(last.clientX, last.clientY));
    view.draw();
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
  const word = wordAt(row.text, column - row.column);
  const at = (offset: number) => ({ line, column: row.column + offset });
  view.selection.select({ start: at(word.start), end: at(word.end) });
  view.draw();
}
