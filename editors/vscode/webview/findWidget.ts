/** Find in the whole file: what is typed, what comes back, and how it is said. */

import "./findWidget.css";
import type { Direction, FromPage, Position, Query, TextRange, ToPage } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { element } from "./host";

export interface Finder {
  search(request: Omit<FromPage & { type: "find" }, "type">): void;
  stop(): void;
  /** Where a search starts that follows no match. */
  origin(): Position;
  show(query: Query, match: TextRange | null): void;
  /** The widget appeared, changed its size or went away; it covers so many pixels at the upper edge. */
  cover(pixels: number): void;
  leave(): void;
}

/** Typing settles before a search of gigabytes starts. */
const SETTLE_MS = 250;

export class FindWidget {
  private readonly form = element<HTMLFormElement>("#find");
  private readonly input = element<HTMLInputElement>("#find input");
  private readonly caseToggle = element("#find .case");
  private readonly regexToggle = element("#find .regex");
  private readonly outcome = element("#find output");
  private readonly stopButton = element("#find .stop");
  private readonly progress = element<HTMLProgressElement>("#find progress");
  private match: TextRange | null = null;
  private direction: Direction = "forward";
  /** The search whose answer is waited for; answers to others come too late. */
  private search = 0;
  private searching = false;
  /** Steps asked for while a search was under way. */
  private steps: Direction[] = [];
  /** Where to search from once typing has settled. */
  private typedFrom: Position | undefined;
  private settling = 0;

  constructor(private readonly finder: Finder) {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.next("forward");
    });
    this.input.addEventListener("input", () => this.typed());
    element("#find .previous").addEventListener("click", () => this.next("backward"));
    element("#find .close").addEventListener("click", () => this.close());
    this.stopButton.addEventListener("click", () => this.finder.stop());
    for (const toggle of [this.caseToggle, this.regexToggle]) {
      toggle.addEventListener("click", () => this.flip(toggle));
    }
    this.form.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.finder.cover(this.form.offsetHeight)).observe(this.form);
  }

  get isOpen(): boolean {
    return !this.form.hidden;
  }

  get query(): Query {
    return {
      pattern: this.input.value,
      regex: isOn(this.regexToggle),
      ignoreCase: !isOn(this.caseToggle),
    };
  }

  restore(query: Query): void {
    this.input.value = query.pattern;
    setOn(this.regexToggle, query.regex);
    setOn(this.caseToggle, !query.ignoreCase);
  }

  open(selected: string): void {
    this.form.hidden = false;
    if (selected !== "") {
      this.input.value = selected;
    }
    this.input.focus();
    this.input.select();
    this.finder.show(this.query, this.match);
  }

  close(): void {
    this.finder.stop();
    this.form.hidden = true;
    this.match = null;
    this.finder.show({ ...this.query, pattern: "" }, null);
    this.finder.leave();
  }

  next(direction: Direction): void {
    if (this.query.pattern === "") {
      this.open("");
      return;
    }
    this.form.hidden = false;
    if (this.searching) {
      this.steps.push(direction);
    } else {
      const onward = this.match ? beside(this.match, direction) : this.finder.origin();
      this.start(direction, this.typedFrom ?? onward);
    }
  }

  receive(message: ToPage & { type: "finding" | "found" | "findFailed" }): void {
    if (message.search !== this.search || !this.searching) {
      return;
    }
    switch (message.type) {
      case "finding":
        this.outcome.textContent = `Searching… ${message.percentage} %`;
        this.progress.hidden = false;
        this.progress.value = message.percentage;
        break;
      case "found":
        this.found(message.match, message.wrapped);
        break;
      case "findFailed":
        this.steps = [];
        this.settle(message.message);
        break;
    }
  }

  private found(match: TextRange | null, wrapped: boolean): void {
    this.match = match;
    this.settle(match === null ? "No results" : outcomeOf(match, wrapped, this.direction));
    this.form.classList.toggle("nothing", match === null);
    this.finder.show(this.query, match);
    const step = match === null ? undefined : this.steps.shift();
    if (step !== undefined) {
      this.next(step);
    }
  }

  /** The file changed: where the match was means nothing any more. */
  forget(): void {
    this.match = null;
  }

  private typed(): void {
    window.clearTimeout(this.settling);
    this.finder.stop();
    this.settle("");
    this.steps = [];
    if (this.query.pattern === "") {
      this.match = null;
      this.typedFrom = undefined;
      this.finder.show(this.query, null);
      return;
    }
    const from = this.match?.start ?? this.finder.origin();
    this.typedFrom = from;
    this.settling = window.setTimeout(() => this.start("forward", from), SETTLE_MS);
  }

  private start(direction: Direction, from: Position): void {
    window.clearTimeout(this.settling);
    this.typedFrom = undefined;
    this.direction = direction;
    this.search += 1;
    this.searching = true;
    this.outcome.textContent = "Searching…";
    this.stopButton.hidden = false;
    this.finder.search({ search: this.search, query: this.query, direction, from });
  }

  private settle(outcome: string): void {
    this.searching = false;
    this.outcome.textContent = outcome;
    this.outcome.title = outcome;
    this.stopButton.hidden = true;
    this.progress.hidden = true;
    this.form.classList.remove("nothing");
  }

  private flip(toggle: HTMLElement): void {
    setOn(toggle, !isOn(toggle));
    this.typed();
    this.input.focus();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Enter" && event.shiftKey) {
      this.next("backward");
    } else if (event.key === "Escape") {
      this.escape();
    } else if (event.altKey && event.code === "KeyC") {
      this.flip(this.caseToggle);
    } else if (event.altKey && event.code === "KeyR") {
      this.flip(this.regexToggle);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The first one stops a search, the next one closes. */
  private escape(): void {
    if (this.searching) {
      this.finder.stop();
    } else {
      this.close();
    }
  }
}

/** Past the match, or before it; past an empty one by a column, else it would be found again. */
function beside({ start, end }: TextRange, direction: Direction): Position {
  return direction === "backward"
    ? start
    : { line: end.line, column: Math.max(end.column, start.column + 1) };
}

function outcomeOf(match: TextRange, wrapped: boolean, direction: Direction): string {
  const around = direction === "forward" ? ", from the start" : ", from the end";
  return `Line ${formatNumber(match.start.line)}${wrapped ? around : ""}`;
}

function isOn(toggle: HTMLElement): boolean {
  return toggle.getAttribute("aria-pressed") === "true";
}

function setOn(toggle: HTMLElement, on: boolean): void {
  toggle.setAttribute("aria-pressed", String(on));
}
