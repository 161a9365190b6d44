/** The filter's bar: what is typed, the filters kept for the workspace as chips, and the way to the whole file and back. */

import "./filterBar.css";
import type { LineFilter, NamedFilter, Query, ToPage, Total } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { element } from "./host";
import { isOn, SearchField, setOn } from "./searchField";
import { SearchHistory } from "./searchHistory";

export interface FilterHost {
  /** Shows only the lines that all these let through; with none of them, the whole file. */
  apply(filters: LineFilter[]): void;
  keep(filters: NamedFilter[]): void;
  /** Asks for the chips: another viewer may have changed them. */
  ask(): void;
  remember(history: Query[]): void;
  leave(): void;
}

/** What is kept over tab switches and reloads. */
export interface FilterState {
  open: boolean;
  whole: boolean;
  draft: LineFilter;
}

/** Typing settles before gigabytes are filtered. */
const SETTLE_MS = 300;

export class FilterBar {
  private readonly form = element<HTMLFormElement>("#filter");
  private readonly field = new SearchField(this.form, () => this.typed());
  private readonly history = new SearchHistory();
  private readonly out = element("#filter .out");
  private readonly name = element<HTMLInputElement>("#filter .name");
  private readonly chips = element("#filter .chips");
  private readonly outcome = element("#filter output");
  private readonly wholeButton = element("#filter .whole");
  private readonly progress = element<HTMLProgressElement>("#filter progress");
  private filters: NamedFilter[] = [];
  /** The chip whose filter is in the field. */
  private editing: NamedFilter | undefined;
  private settling = 0;
  /** What was last asked for, as text. */
  private applied = "[]";
  /** How often the chips were asked for and came, and which answers are older than what was changed here. */
  private chipsAsked = 0;
  private chipsCame = 0;
  private outdatedUpTo = 0;

  constructor(private readonly host: FilterHost) {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep();
    });
    this.out.addEventListener("click", () => this.flipOut());
    this.wholeButton.addEventListener("click", () => this.toggleWhole());
    element("#filter .close").addEventListener("click", () => this.close());
    this.form.addEventListener("keydown", (event) => this.key(event));
  }

  get isOpen(): boolean {
    return !this.form.hidden;
  }

  set searches(history: Query[]) {
    this.history.all = history;
  }

  /** The filters that count: what is typed, and the chips that are on. */
  get active(): LineFilter[] {
    const chips = this.filters.filter((chip) => chip.on && chip !== this.editing);
    const draft = this.draft;
    return [...chips, ...(draft.query.pattern === "" ? [] : [draft])].map(({ query, out }) => ({
      query,
      out,
    }));
  }

  get state(): FilterState {
    return { open: this.isOpen, whole: isOn(this.wholeButton), draft: this.draft };
  }

  restore({ open, whole, draft }: FilterState): void {
    this.draft = draft;
    setOn(this.wholeButton, whole);
    this.form.hidden = !open;
  }

  /** The page shows the whole file, since it was opened just now. */
  opened(): void {
    this.applied = "[]";
    if (this.isOpen) {
      this.ask();
    }
  }

  open(draft?: LineFilter): void {
    this.form.hidden = false;
    setOn(this.wholeButton, false);
    if (draft !== undefined) {
      this.endEditing();
      this.draft = draft;
    }
    this.ask();
    this.field.focus();
  }

  close(): void {
    this.remember();
    this.form.hidden = true;
    this.apply();
    this.host.leave();
  }

  /** From the lines that match to the whole file, and back. Whether there was anything to do. */
  toggleWhole(): boolean {
    if (!this.isOpen || this.active.length === 0) {
      return false;
    }
    setOn(this.wholeButton, !isOn(this.wholeButton));
    this.apply();
    this.host.leave();
    return true;
  }

  receive(message: ToPage & { type: "filters" | "filtering" | "filterFailed" }): void {
    switch (message.type) {
      case "filters":
        this.chipsCame += 1;
        if (this.chipsCame > this.outdatedUpTo) {
          const edited = JSON.stringify(this.editing);
          this.filters = message.filters;
          this.editing = this.filters.find((chip) => JSON.stringify(chip) === edited);
          this.drawChips();
          this.apply();
        }
        break;
      case "filtering":
        this.progress.hidden = false;
        this.progress.value = message.percentage;
        this.outcome.textContent = `Filtering… ${message.percentage} %`;
        break;
      case "filterFailed":
        this.progress.hidden = true;
        this.outcome.textContent = "";
        this.field.invalid = message.message;
        break;
    }
  }

  /** How many lines are shown of how many. */
  tell(shown: Total | null, fileLines: number): void {
    this.progress.hidden = true;
    if (shown === null) {
      this.outcome.textContent =
        this.isOpen && this.active.length > 0 ? `All ${formatNumber(fileLines)} lines` : "";
    } else {
      const about = shown.exact ? "" : "about ";
      const none = shown.lines === 0 && shown.exact;
      const figures = `${about}${formatNumber(shown.lines)} of ${formatNumber(fileLines)} lines`;
      this.outcome.textContent = none ? "No line matches" : figures;
    }
  }

  private get draft(): LineFilter {
    return { query: this.field.query, out: isOn(this.out) };
  }

  private set draft({ query, out }: LineFilter) {
    this.field.query = query;
    setOn(this.out, out);
  }

  private ask(): void {
    this.chipsAsked += 1;
    this.host.ask();
  }

  private apply(): void {
    window.clearTimeout(this.settling);
    const filters = this.isOpen && !isOn(this.wholeButton) ? this.active : [];
    const wanted = JSON.stringify(filters);
    if (wanted !== this.applied) {
      this.applied = wanted;
      this.field.invalid = "";
      this.outcome.textContent = filters.length === 0 ? "" : "Filtering…";
      this.host.apply(filters);
    }
  }

  private typed(): void {
    window.clearTimeout(this.settling);
    setOn(this.wholeButton, false);
    this.settling = window.setTimeout(() => this.apply(), SETTLE_MS);
  }

  /** What is typed becomes a chip, or the chip that is being edited. */
  private keep(): void {
    const draft = this.draft;
    if (draft.query.pattern === "") {
      this.host.leave();
      return;
    }
    this.remember();
    const name = this.name.value.trim() || `${draft.out ? "≠ " : ""}${draft.query.pattern}`;
    const chip = { ...draft, name, on: true };
    const edited = this.filters.indexOf(this.editing as NamedFilter);
    this.filters = edited < 0 ? [...this.filters, chip] : this.filters.with(edited, chip);
    this.endEditing();
    this.changed();
    this.host.leave();
  }

  private edit(chip: NamedFilter): void {
    this.editing = chip;
    this.draft = chip;
    this.name.value = chip.name;
    this.drawChips();
    this.apply();
    this.field.focus();
  }

  private endEditing(): void {
    this.editing = undefined;
    this.draft = { query: { ...this.field.query, pattern: "" }, out: false };
    this.name.value = "";
  }

  private changed(): void {
    this.outdatedUpTo = this.chipsAsked;
    setOn(this.wholeButton, false);
    this.host.keep(this.filters);
    this.drawChips();
    this.apply();
  }

  private flipOut(): void {
    setOn(this.out, !isOn(this.out));
    this.typed();
    this.field.input.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.escape();
    } else if (event.altKey && event.code === "KeyO") {
      this.flipOut();
    } else if (event.key === "ArrowUp" && event.target === this.field.input) {
      this.recall(this.history.earlier(this.field.query));
    } else if (event.key === "ArrowDown" && event.target === this.field.input) {
      this.down();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Back through what was filtered by; after the last of it to the lines. */
  private down(): void {
    const later = this.history.later();
    if (later === undefined) {
      this.remember();
      this.host.leave();
    } else {
      this.recall(later);
    }
  }

  private recall(query: Query | undefined): void {
    if (query !== undefined) {
      this.field.query = query;
      this.typed();
    }
  }

  private remember(): void {
    if (this.history.add(this.field.query)) {
      this.host.remember(this.history.all);
    }
  }

  /** The first one takes back what was typed, the next one closes. */
  private escape(): void {
    if (this.field.input.value !== "") {
      this.remember();
      this.endEditing();
      this.drawChips();
      this.apply();
    } else {
      this.close();
    }
  }

  private drawChips(): void {
    this.chips.replaceChildren(...this.filters.map((chip, index) => this.chipOf(chip, index)));
  }

  private chipOf(chip: NamedFilter, index: number): HTMLElement {
    const { query, out, name, on } = chip;
    const box = document.createElement("span");
    box.className = "chip";
    box.classList.toggle("out", out);
    box.classList.toggle("edited", chip === this.editing);
    const kind = `${out ? "Hides" : "Shows"} lines ${query.regex ? "that match" : "with"} ${query.pattern}`;
    const button = (className: string, text: string, title: string, act: () => void) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className, title });
      made.textContent = text;
      made.addEventListener("click", act);
      box.append(made);
      return made;
    };
    const replace = (...chips: NamedFilter[]) => {
      this.filters = this.filters.toSpliced(index, 1, ...chips);
      this.changed();
      const rest = this.chips.querySelectorAll<HTMLElement>(".switch");
      (rest[Math.min(index, rest.length - 1)] ?? this.field.input).focus();
    };
    const switcher = button("switch", name, kind, () => replace({ ...chip, on: !on }));
    setOn(switcher, on);
    button("edit", "✎", `Edit ${name}`, () => this.edit(chip)).setAttribute(
      "aria-label",
      `Edit filter ${name}`,
    );
    button("remove", "✕", `Remove ${name} (Delete)`, () => replace()).setAttribute(
      "aria-label",
      `Remove filter ${name}`,
    );
    box.addEventListener("keydown", (event) => {
      if (event.key === "Delete") {
        replace();
      }
    });
    return box;
  }
}
