/** The filter's bar: what is typed, the chips, and the way to the whole file and back. */

import "./filterBar.css";
import {
  type ChipCommand,
  type Conditions,
  type LineFilter,
  type NamedTerm,
  NO_CONDITIONS,
  type Query,
  type Role,
  type Term,
  type Total,
} from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { filterOf } from "../src/viewer/query";
import { Chips, menuContext, nextRole, openMenu, ROLE_WORDS } from "./chips";
import { ConditionControls } from "./conditions";
import { element } from "./host";
import { isOn, SearchField, setOn } from "./searchField";
import { SearchHistory } from "./searchHistory";

export interface FilterHost {
  /** Shows only the lines that pass. */
  apply(filter: LineFilter): void;
  keep(chips: NamedTerm[]): void;
  remember(history: Query[]): void;
  leave(): void;
}

/** What is kept over tab switches and reloads. */
export interface FilterState {
  open: boolean;
  whole: boolean;
  draft: Term;
  /** The keys of the chips that are on. */
  on: string[];
  /** Missing in what an earlier version kept. */
  conditions?: Conditions;
}

/** Typing settles before gigabytes are filtered. */
const SETTLE_MS = 300;
const PLACEHOLDERS: Record<Role, string> = {
  any: "Show lines with…",
  all: "…and with…",
  none: "Hide lines with…",
};

/** What is sent where every line is shown. */
const EVERY_LINE = "null";
const NOTHING = "";

export class FilterBar {
  private readonly form = element<HTMLFormElement>("#filter");
  readonly field = new SearchField(this.form, () => this.typed());
  private readonly history = new SearchHistory();
  private readonly roleButton = element<HTMLButtonElement>("#filter .field .role");
  private readonly name = element<HTMLInputElement>("#filter .name");
  private readonly outcome = element("#filter output");
  private readonly wholeButton = element("#filter .whole");
  private readonly progress = element<HTMLProgressElement>("#filter progress");
  private readonly chips: Chips;
  readonly conditions = new ConditionControls(
    () => this.switched(),
    () => this.host.leave(),
  );
  private role: Role = "any";
  private settling = 0;
  /** What was last asked for, as text. */
  private applied = EVERY_LINE;

  constructor(private readonly host: FilterHost) {
    this.chips = new Chips(element("#filter .chips"), {
      switched: () => this.switched(),
      keep: (chips) => this.host.keep(chips),
      edit: (chip) => this.edit(chip),
      leave: () => this.field.input.focus(),
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.keep();
    });
    this.roleButton.dataset.vscodeContext = menuContext("draft", null);
    this.roleButton.addEventListener("click", () => openMenu(this.roleButton));
    this.wholeButton.addEventListener("click", () => this.toggleWhole());
    element("#filter .close").addEventListener("click", () => this.close());
    this.form.addEventListener("keydown", (event) => this.key(event));
    this.showRole();
  }

  get isOpen(): boolean {
    return !this.form.hidden;
  }

  get hasFocus(): boolean {
    return this.form.contains(document.activeElement);
  }

  set searches(history: Query[]) {
    this.history.all = history;
  }

  get state(): FilterState {
    return {
      open: this.isOpen,
      whole: isOn(this.wholeButton),
      draft: this.draft,
      on: this.chips.keysOn,
      conditions: this.conditions.value,
    };
  }

  restore({ open, whole, draft, on, conditions }: FilterState): void {
    this.conditions.value = { ...NO_CONDITIONS, ...conditions };
    this.draft = draft;
    this.chips.keysOn = on;
    setOn(this.wholeButton, whole);
    this.form.hidden = !open;
  }

  /** The page shows the whole file, since it was opened just now. */
  opened(chips: NamedTerm[]): void {
    this.applied = EVERY_LINE;
    this.receive(chips);
  }

  /** The chips of the workspace are others. */
  receive(chips: NamedTerm[]): void {
    this.chips.receive(chips);
    this.apply();
  }

  open(draft?: Term): void {
    this.form.hidden = false;
    setOn(this.wholeButton, false);
    if (draft !== undefined) {
      this.endEditing();
      this.draft = draft;
    }
    this.apply();
    this.field.focus();
  }

  /** Shows the bar, and changes what it asks beside its terms. The focus stays. */
  change(conditions: Partial<Conditions>): void {
    this.form.hidden = false;
    this.conditions.change(conditions);
  }

  /** More lines around each match, or fewer. */
  moreContext(lines: number): void {
    this.form.hidden = false;
    this.conditions.moreContext(lines);
  }

  /** A saved filter takes the place of the present one; its terms become chips. */
  replace({ terms, ...conditions }: LineFilter): void {
    this.form.hidden = false;
    this.endEditing();
    this.conditions.value = conditions;
    this.chips.only(terms.map((term) => ({ ...term, name: term.query.pattern })));
    this.host.leave();
  }

  close(): void {
    this.remember();
    this.form.hidden = true;
    this.apply();
    this.host.leave();
  }

  /** From the lines that match to the whole file, and back. Whether there was anything to do. */
  toggleWhole(): boolean {
    if (!this.isOpen || !this.isRestricting) {
      return false;
    }
    setOn(this.wholeButton, !isOn(this.wholeButton));
    this.apply();
    this.host.leave();
    return true;
  }

  /** What was chosen in a menu: of a chip, or of what is being typed. */
  runOnChip(command: ChipCommand, chip: number | null): void {
    if (chip !== null) {
      this.chips.run(command, chip);
    } else if (command !== "edit" && command !== "remove") {
      this.setRole(command);
    }
  }

  /** Or, and, not, and or again. */
  nextRole(): void {
    this.setRole(nextRole(this.role));
  }

  progressed(percentage: number): void {
    this.progress.hidden = false;
    this.progress.value = percentage;
    this.outcome.textContent = `Filtering… ${percentage} %`;
  }

  failed(message: string): void {
    this.applied = NOTHING; // the same may be asked for once more
    this.progress.hidden = true;
    this.outcome.textContent = "";
    this.field.invalid = message;
  }

  /** How many lines are shown of how many. */
  tell(shown: Total | null, fileLines: number): void {
    this.progress.hidden = true;
    if (shown === null) {
      const all = this.isOpen && this.isRestricting;
      this.outcome.textContent = all ? `All ${formatNumber(fileLines)} lines` : "";
    } else if (shown.lines === 0 && shown.exact) {
      this.outcome.textContent = "No line matches";
    } else {
      const count = `${shown.exact ? "" : "about "}${formatNumber(shown.lines)}`;
      const of = Object.assign(document.createElement("span"), { className: "of" });
      of.textContent = ` of ${formatNumber(fileLines)} lines`;
      this.outcome.replaceChildren(count, of);
    }
    this.outcome.title = this.outcome.textContent ?? "";
  }

  /** What counts: what is typed, and the chips that are on. */
  private get terms(): Term[] {
    const { draft } = this;
    return [...this.chips.terms, ...(draft.query.pattern === "" ? [] : [draft])];
  }

  private get wanted(): LineFilter {
    return { terms: this.terms, ...this.conditions.value };
  }

  private get isRestricting(): boolean {
    return filterOf(this.wanted) !== null;
  }

  private switched(): void {
    setOn(this.wholeButton, false);
    this.apply();
  }

  private get draft(): Term {
    return { query: this.field.query, role: this.role };
  }

  private set draft({ query, role }: Term) {
    this.field.query = query;
    this.role = role;
    this.showRole();
  }

  private setRole(role: Role): void {
    this.role = role;
    this.showRole();
    this.typed();
    this.field.input.focus();
  }

  private showRole(): void {
    const word = ROLE_WORDS[this.role];
    this.roleButton.textContent = word;
    this.roleButton.setAttribute("aria-label", `${word}: change how this filters`);
    this.field.input.placeholder = PLACEHOLDERS[this.role];
  }

  private apply(): void {
    window.clearTimeout(this.settling);
    const isOff = !this.isOpen || isOn(this.wholeButton);
    const filter = isOff ? { terms: [], ...NO_CONDITIONS } : this.wanted;
    const sent = JSON.stringify(filterOf(filter));
    if (sent !== this.applied) {
      this.applied = sent;
      this.field.invalid = "";
      this.outcome.textContent = sent === EVERY_LINE ? "" : "Filtering…";
      this.host.apply(filter);
    }
  }

  private typed(): void {
    window.clearTimeout(this.settling);
    setOn(this.wholeButton, false);
    this.settling = window.setTimeout(() => this.apply(), SETTLE_MS);
  }

  /** What is typed becomes a chip, or the chip that is being edited. The field is ready for the next one. */
  private keep(): void {
    const draft = this.draft;
    if (draft.query.pattern === "") {
      this.host.leave();
      return;
    }
    this.remember();
    const name = this.name.value.trim() || draft.query.pattern;
    const chip = { ...draft, name };
    this.endEditing(chip);
    this.field.input.focus();
  }

  private edit(chip: NamedTerm): void {
    this.chips.editing = chip;
    this.draft = chip;
    this.name.value = chip.name === chip.query.pattern ? "" : chip.name;
    this.name.hidden = false;
    this.apply();
    this.field.focus();
  }

  /** `chip` is what becomes of it. */
  private endEditing(chip?: NamedTerm): void {
    this.draft = { query: { ...this.field.query, pattern: "" }, role: "any" };
    this.name.value = "";
    this.name.hidden = true;
    if (chip === undefined) {
      this.chips.editing = undefined;
    } else {
      this.chips.put(chip);
    }
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.escape();
    } else if (event.altKey && event.code === "KeyO") {
      this.nextRole();
    } else if (event.key === "ArrowUp" && event.target === this.field.input) {
      this.recall(this.history.earlier(this.field.query));
    } else if (event.key === "ArrowDown" && event.target === this.field.input) {
      this.down();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
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
      this.apply();
    } else {
      this.close();
    }
  }
}
