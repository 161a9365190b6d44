/** A text field with the toggles of a search: what is typed, as a query, and what is wrong with it. */

import "./searchField.css";
import type { Query } from "../src/viewer/messages";

const TOGGLES = { case: "KeyC", word: "KeyW", regex: "KeyR" } as const;

export type Toggle = keyof typeof TOGGLES;

export class SearchField {
  readonly input: HTMLInputElement;
  private readonly toggles: Record<Toggle, HTMLElement>;
  private readonly problem: HTMLElement;

  /** `form` holds the field; `changed` is called for every change by the user. */
  constructor(
    private readonly form: HTMLElement,
    private readonly changed: () => void,
  ) {
    const part = (selector: string) => form.querySelector(selector) as HTMLElement;
    this.input = part(".field input") as HTMLInputElement;
    this.problem = part(".problem");
    this.toggles = { case: part(".case"), word: part(".word"), regex: part(".regex") };
    this.input.addEventListener("input", changed);
    for (const name of Object.keys(TOGGLES) as Toggle[]) {
      this.toggles[name].addEventListener("click", () => this.toggle(name));
    }
    form.addEventListener("keydown", (event) => this.key(event));
  }

  get query(): Query {
    return {
      pattern: this.input.value,
      regex: isOn(this.toggles.regex),
      ignoreCase: !isOn(this.toggles.case),
      wholeWord: isOn(this.toggles.word),
    };
  }

  set query(query: Query) {
    this.input.value = query.pattern;
    setOn(this.toggles.regex, query.regex);
    setOn(this.toggles.case, !query.ignoreCase);
    setOn(this.toggles.word, query.wholeWord === true);
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Why the expression cannot be searched for; empty: it can. */
  set invalid(reason: string) {
    this.problem.textContent = reason;
    this.problem.hidden = reason === "";
    this.input.setAttribute("aria-invalid", String(reason !== ""));
    this.form.classList.toggle("invalid", reason !== "");
  }

  toggle(name: Toggle): void {
    const toggle = this.toggles[name];
    setOn(toggle, !isOn(toggle));
    this.changed();
    this.input.focus();
  }

  private key(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.code === "KeyA") {
      event.stopPropagation(); // VS Code would select all once more, a moment later: also what is typed meanwhile
    }
    for (const [name, code] of Object.entries(TOGGLES)) {
      if (event.altKey && event.code === code) {
        this.toggle(name as Toggle);
        event.preventDefault();
        event.stopPropagation(); // VS Code would open the menu with that letter
      }
    }
  }
}

export function isOn(toggle: HTMLElement): boolean {
  return toggle.getAttribute("aria-pressed") === "true";
}

export function setOn(toggle: HTMLElement, on: boolean): void {
  toggle.setAttribute("aria-pressed", String(on));
}
