/** The chips of the filter's bar: terms that are kept for the workspace. Which of them are on is this viewer's own. */

import type { ChipCommand, NamedTerm, Role, Term } from "../src/viewer/messages";
import { setOn } from "./searchField";

export const ROLE_WORDS: Record<Role, string> = { any: "or", all: "and", none: "not" };
const ROLES: Role[] = ["any", "all", "none"];
const EFFECTS: Record<Role, string> = {
  any: "Shows lines",
  all: "Shows only lines that are also",
  none: "Hides lines",
};

export function nextRole(role: Role): Role {
  return ROLES[(ROLES.indexOf(role) + 1) % ROLES.length] as Role;
}

export interface ChipsHost {
  /** What is shown may be other lines now. */
  switched(): void;
  keep(chips: NamedTerm[]): void;
  edit(chip: NamedTerm): void;
  /** No chip is left to have the focus. */
  leave(): void;
}

export class Chips {
  private all: NamedTerm[] = [];
  /** The keys of those that are on. */
  private on = new Set<string>();
  private edited: NamedTerm | undefined;

  constructor(
    private readonly box: HTMLElement,
    private readonly host: ChipsHost,
  ) {
    box.addEventListener("wheel", (event) => {
      box.scrollLeft += event.deltaX + event.deltaY;
    });
  }

  /** Those that are on, without the one that is being edited: that is in the field. */
  get terms(): Term[] {
    return this.all
      .filter((chip) => this.on.has(keyOf(chip)) && chip !== this.edited)
      .map(({ query, role }) => ({ query, role }));
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  get keysOn(): string[] {
    return [...this.on];
  }

  set keysOn(keys: string[]) {
    this.on = new Set(keys);
  }

  get editing(): NamedTerm | undefined {
    return this.edited;
  }

  set editing(chip: NamedTerm | undefined) {
    this.edited = chip;
    this.draw();
  }

  /** Those of the workspace are others: another viewer changed them, or this one was just opened. */
  receive(chips: NamedTerm[]): void {
    const edited = this.edited && keyOf(this.edited);
    this.all = chips;
    this.edited = chips.find((chip) => keyOf(chip) === edited);
    this.draw();
  }

  /** A new one, or another in the place of the one that is being edited. It is on. */
  put(chip: NamedTerm): void {
    const at = this.edited === undefined ? this.all.length : this.all.indexOf(this.edited);
    this.edited = undefined;
    this.replace(at, chip, true);
    this.box.children[at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** These are on, and no others. Those that are not there yet are added. */
  only(chips: readonly NamedTerm[]): void {
    const isKnown =
      ({ query, role }: NamedTerm) =>
      (chip: NamedTerm) =>
        JSON.stringify([chip.query, chip.role]) === JSON.stringify([query, role]);
    const wanted = chips.map((chip) => this.all.find(isKnown(chip)) ?? chip);
    this.all = [...this.all, ...wanted.filter((chip) => !this.all.includes(chip))];
    this.on = new Set(wanted.map(keyOf));
    this.changed();
  }

  run(command: ChipCommand, index: number): void {
    const chip = this.all[index];
    if (chip === undefined) {
      return;
    }
    if (command === "edit") {
      this.host.edit(chip);
    } else if (command === "remove") {
      this.remove(index);
    } else {
      this.replace(index, { ...chip, role: command });
      this.focus(index);
    }
  }

  private replace(index: number, chip: NamedTerm, on?: boolean): void {
    const before = this.all[index];
    const wasOn = before !== undefined && this.on.delete(keyOf(before));
    if (on ?? wasOn) {
      this.on.add(keyOf(chip));
    }
    this.all = this.all.toSpliced(index, 1, chip);
    this.changed();
  }

  private remove(index: number): void {
    this.on.delete(keyOf(this.all[index] as NamedTerm));
    this.all = this.all.toSpliced(index, 1);
    this.changed();
    this.focus(index);
  }

  private toggle(chip: NamedTerm, index: number): void {
    const key = keyOf(chip);
    if (!this.on.delete(key)) {
      this.on.add(key);
    }
    this.draw();
    this.focus(index);
    this.host.switched();
  }

  private changed(): void {
    this.host.keep(this.all);
    this.draw();
    this.host.switched();
  }

  private focus(index: number): void {
    const switches = this.box.querySelectorAll<HTMLElement>(".switch");
    const near = switches[Math.min(index, switches.length - 1)];
    if (near === undefined) {
      this.host.leave();
    } else {
      near.focus();
    }
  }

  private draw(): void {
    this.box.hidden = this.all.length === 0;
    this.box.replaceChildren(...this.all.map((chip, index) => this.chipOf(chip, index)));
  }

  private chipOf(chip: NamedTerm, index: number): HTMLElement {
    const { query, role, name } = chip;
    const box = document.createElement("span");
    const add = (className: string, text: string, title: string, label: string, act: () => void) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className, title });
      made.textContent = text;
      made.setAttribute("aria-label", label);
      made.addEventListener("click", act);
      box.append(made);
      return made;
    };
    box.className = `chip ${role}`;
    box.classList.toggle("edited", chip === this.edited);
    box.dataset.vscodeContext = menuContext("chip", index);
    const word = ROLE_WORDS[role];
    const roleButton = add("role", word, "Or, And, Not…", `${word}: change how ${name} filters`, () =>
      openMenu(roleButton),
    );
    const effect = `${EFFECTS[role]} ${query.regex ? "that match" : "with"} ${query.pattern}`;
    const isOn = this.on.has(keyOf(chip));
    setOn(
      add("switch", name, effect, `${word} ${name}`, () => this.toggle(chip, index)),
      isOn,
    );
    add("edit", "✎", `Edit ${name}`, `Edit filter ${name}`, () => this.host.edit(chip));
    add("remove", "✕", `Remove ${name} (Delete)`, `Remove filter ${name}`, () => this.remove(index));
    box.addEventListener("keydown", (event) => {
      if (event.key === "Delete") {
        event.stopPropagation();
        this.remove(index);
      }
    });
    return box;
  }
}

/** For VS Code's context menu, which `package.json` fills. */
export function menuContext(webviewSection: "chip" | "draft", chip: number | null): string {
  return JSON.stringify({ webviewSection, chip, preventDefaultContextMenuItems: true });
}

/** Opens VS Code's context menu of an element below it. */
export function openMenu(element: HTMLElement): void {
  const { left, bottom } = element.getBoundingClientRect();
  element.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, clientX: left, clientY: bottom }));
}

function keyOf({ query, role, name }: NamedTerm): string {
  return JSON.stringify([name, role, query]);
}
