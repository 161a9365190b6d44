/** The keys of the rows. Those of commands (find, go to line) are VS Code's keybindings. */

import type { ViewerCommand } from "../src/viewer/messages";
import type { View } from "./view";

const COLUMNS_PER_KEY = 4;

/** What a key does beside scrolling. */
export interface Actions {
  dismiss(): void;
  /** From a line that a filter shows to the whole file, and back. */
  jump(): boolean;
}

/** The single letters are those of less, klogg and lnav. */
const COMMANDS: Record<string, ViewerCommand> = {
  "Control+Home": "goToFirst",
  "Control+End": "goToLast",
  "Control+Enter": "openLink",
  // VS Code forwards no combination with C: it may be the browser's copy.
  "Control+Shift+c": "copyWithColors",
  "/": "find",
  "&": "filter",
  n: "findNext",
  N: "findPrevious",
  g: "goToFirst",
  G: "goToLast",
  m: "toggleBookmark",
  "]": "nextBookmark",
  "[": "previousBookmark",
  s: "fromHere",
  u: "untilHere",
  t: "thisMinute",
  z: "moreContext",
  Z: "lessContext",
  r: "toggleRecords",
  "-": "toggleFolded",
};

/** Keys of the whole page, as `package.json` contributes them to VS Code. */
export function shortcutOf(event: KeyboardEvent): ViewerCommand | undefined {
  const { altKey, ctrlKey, metaKey, shiftKey, code } = event;
  // AltGr is Ctrl+Alt, and may be a character of the layout.
  if (code !== "KeyF" || shiftKey || event.getModifierState("AltGraph")) {
    return undefined;
  }
  const isMac = navigator.platform.startsWith("Mac");
  if (ctrlKey && altKey && !metaKey) {
    return "filter";
  }
  return !altKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) ? "find" : undefined;
}

/** The command of a key. */
export function commandOf(event: KeyboardEvent): ViewerCommand | undefined {
  return event.altKey ? undefined : COMMANDS[chordOf(event)];
}

function chordOf(event: KeyboardEvent): string {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.length > 1 || !control ? event.key : event.key.toLowerCase(); // whatever Caps Lock is
  const shift = control && event.shiftKey && ["c", "Home", "End"].includes(key) ? "Shift+" : "";
  return `${control ? "Control+" : ""}${shift}${key}`;
}

/** The color of a label that a key gives: 1 to 9. */
export function labelOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): number | undefined {
  return /^[1-9]$/.test(key) && !ctrlKey && !metaKey && !altKey ? Number(key) : undefined;
}

/** Whether a key moves within the line alone. */
export function isSideways({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ["ArrowLeft", "ArrowRight", "Home", "End"].includes(key) && !ctrlKey && !metaKey;
}

/** Whether the key meant something. Those with Alt are VS Code's own. */
export function handleKey(view: View, actions: Actions, event: KeyboardEvent): boolean {
  if (event.altKey) {
    return false;
  }
  const { line } = view.current;
  const move = (target: number) => {
    const reached = Math.max(1, Math.min(target, view.lines.lines));
    if (event.shiftKey) {
      view.selection.extendLines(line, reached);
    } else {
      view.selection.clear();
    }
    view.moveUpOrDownTo(reached);
  };
  const page = (direction: number) => {
    const rows = Math.max(1, view.fullRows - 1);
    view.scrollBy(direction * rows);
    // Where lines are wrapped, one may be higher than the page: the current line is then one of those on the screen.
    move(view.wraps ? view.current.line : line + direction * rows);
  };
  switch (chordOf(event)) {
    case "ArrowUp":
      move(line - 1);
      return true;
    case "ArrowDown":
      move(line + 1);
      return true;
    case "ArrowLeft":
      view.scrollAcross(-COLUMNS_PER_KEY);
      return true;
    case "ArrowRight":
      view.scrollAcross(COLUMNS_PER_KEY);
      return true;
    case "PageUp":
      page(-1);
      return true;
    case "PageDown":
    case " ":
      page(1);
      return true;
    case "Home":
      view.toLineStart();
      return true;
    case "End":
      view.toLineEnd();
      return true;
    case "Control+Shift+Home":
      move(1);
      return true;
    case "Control+Shift+End":
      move(view.lines.lines);
      return true;
    case "Control+ArrowUp":
      view.scrollBy(-1);
      return true;
    case "Control+ArrowDown":
      view.scrollBy(1);
      return true;
    case "Control+a":
      view.selection.startLines(1);
      view.selection.extendLines(1, view.lines.lines);
      view.draw();
      return true;
    case "Enter":
      return actions.jump();
    case "Escape":
      actions.dismiss();
      return true;
    default:
      return false;
  }
}
