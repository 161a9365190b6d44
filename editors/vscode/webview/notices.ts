/** What the page says beside the lines: a passing note, a banner, a failure. */

import type { Recovery } from "../src/viewer/messages";
import { element, host } from "./host";

const NOTE_MS = 5000;
const RECOVERY_LABELS: Record<Recovery, string> = {
  retry: "Try Again",
  reopenWith: "Reopen Editor With…",
  reopenWithEncoding: "Reopen with Encoding…",
  allow: "Open Setting",
  showLog: "Show Log",
  chooseInterpreter: "Choose Interpreter…",
};

const note = element("#note");
const banner = element("#banner");
const bannerButton = element<HTMLButtonElement>("#banner button");
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

/** Null takes it away. */
export function showBanner(text: string | null, button?: { label: string; act: () => void }): void {
  element("#banner span").textContent = text;
  banner.hidden = text === null;
  bannerButton.hidden = button === undefined;
  bannerButton.textContent = button?.label ?? "";
  bannerButton.onclick = () => button?.act();
}

/** With a button for what helps. */
export function showBannerWith(text: string | null, recovery?: Recovery): void {
  const act = () => recovery && host.postMessage({ type: "recovery", recovery });
  showBanner(text, recovery && { label: RECOVERY_LABELS[recovery], act });
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

/** `dismissed` is called where the reader puts the banner away. */
export function listenToNotices(dismissed: () => void): void {
  banner.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      dismissed();
    }
  });
}
