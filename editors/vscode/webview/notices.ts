/** What the page says beside the lines: a passing note, a banner, the lines of a file that was replaced, a failure. */

import type { Recovery } from "../src/viewer/messages";
import { element, host } from "./host";

const NOTE_MS = 5000;
const RECOVERY_LABELS: Record<Recovery, string> = {
  retry: "Try Again",
  reopenWith: "Reopen Editor With…",
  showLog: "Show Log",
  chooseInterpreter: "Choose Interpreter…",
};

const note = element("#note");
const banner = element("#banner");
const oldLinesButton = element("#banner .old");
const old = element("#old");
const failure = element("#failure");
const spoken = element("#spoken");
let noteTimer = 0;

/** Says something for a while; an empty text takes back what is said. */
export function showNote(text: string): void {
  note.textContent = text;
  note.hidden = text === "";
  window.clearTimeout(noteTimer);
  noteTimer = window.setTimeout(() => {
    note.hidden = true;
  }, NOTE_MS);
}

/** For screen readers alone. */
export function say(text: string): void {
  spoken.textContent = text;
}

/** `oldLines`: what was on the screen before, a click away. */
export function showBanner(text: string | null, oldLines?: string[]): void {
  element("#banner span").textContent = text;
  banner.hidden = text === null;
  oldLinesButton.hidden = oldLines === undefined;
  if (oldLines === undefined) {
    showOldLines(false);
  } else {
    old.textContent = oldLines.join("\n");
  }
}

export function showFailure(message: string, recoveries: Recovery[]): void {
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

export function hideFailure(): void {
  failure.hidden = true;
}

/** `leave` gives the focus back to the lines. */
export function listenToNotices(leave: () => void): void {
  oldLinesButton.addEventListener("click", () => {
    showOldLines(old.hidden === true);
    if (old.hidden) {
      leave();
    } else {
      old.focus();
    }
  });
  for (const part of [banner, old]) {
    part.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") {
        showBanner(null);
        leave();
      }
    });
  }
}

function showOldLines(shown: boolean): void {
  old.hidden = !shown;
  oldLinesButton.textContent = shown ? "Back to the New Ones" : "Show the Old Lines";
}
