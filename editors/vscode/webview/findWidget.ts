/** Find in the whole file: what is typed, what comes back, and how it is said. */

import "./findWidget.css";
import type {
  Direction,
  FoundMatch,
  FromPage,
  Position,
  Query,
  TextRange,
  ToPage,
} from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { escaped } from "../src/viewer/query";
import { element } from "./host";
import { SearchField } from "./searchField";
import { SearchHistory } from "./searchHistory";

export interface Finder {
  search(request: Omit<FromPage & { type: "find" }, "type">): void;
  stop(): void;
  /** Where a search starts that follows no match. */
  origin(): Position;
  show(query: Query, match: FoundMatch | null): void;
  /** Marks where matches are on the scrollbar. */
  mark(rows: number[]): void;
  remember(history: Query[]): void;
  /** The matches need not be counted any more. */
  forgetMatches(): void;
  /** The widget appeared, changed its size or went away; it covers so many pixels at the upper edge. */
  cover(pixels: number): void;
  leave(): void;
}

/** Typing settles before a search of gigabytes starts. */
const SETTLE_MS = 250;

export class FindWidget {
  private readonly form = element<HTMLFormElement>("#find");
  readonly field = new SearchField(this.form, () => this.typed());
  private readonly history = new SearchHistory();
  private readonly outcome = element("#find output");
  private readonly stopButton = element("#find .stop");
  private readonly progress = element<HTMLProgressElement>("#find progress");
  private match: FoundMatch | null = null;
  private direction: Direction = "forward";
  private wrapped = false;
  /** The last search ended without a match. */
  private foundNothing = false;
  /** How many lines match, and which of them the match is in; null until that is known. */
  private count: number | null = null;
  private number: number | null = null;
  /** The search whose answer is waited for; answers to others come too late. */
  private search = Date.now(); // those of the page before this one, which was hidden, may still be answered
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
    element("#find .previous").addEventListener("click", () => this.next("backward"));
    element("#find .close").addEventListener("click", () => this.close());
    this.stopButton.addEventListener("click", () => this.finder.stop());
    this.form.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.finder.cover(this.form.offsetHeight)).observe(this.form);
  }

  get isOpen(): boolean {
    return !this.form.hidden;
  }

  get query(): Query {
    return this.field.query;
  }

  restore(query: Query): void {
    this.field.query = query;
  }

  set searches(history: Query[]) {
    this.history.all = history;
  }

  /** What is selected is looked for at once, from where it is. */
  open(selected: string, from = this.finder.origin()): void {
    this.form.hidden = false;
    this.field.focus();
    if (selected === "") {
      this.finder.show(this.query, this.match);
      return;
    }
    this.field.input.value = this.query.regex ? escaped(selected) : selected;
    this.field.input.select();
    this.typed();
    this.start("forward", from);
  }

  close(): void {
    window.clearTimeout(this.settling);
    this.finder.stop();
    this.settle("");
    this.typedFrom = undefined;
    this.form.hidden = true;
    this.match = null;
    this.remember();
    this.forgetMatches();
    this.finder.show({ ...this.query, pattern: "" }, null);
    this.finder.leave();
  }

  next(direction: Direction): void {
    if (this.query.pattern === "") {
      this.open("");
      return;
    }
    this.form.hidden = false;
    this.remember();
    if (this.searching) {
      this.steps.push(direction);
    } else {
      const onward = this.match ? beside(this.match.range, direction) : this.finder.origin();
      this.start(direction, this.typedFrom ?? onward);
    }
  }

  receive(message: ToPage & { type: "finding" | "found" | "findFailed" | "matches" | "matchNumber" }): void {
    if (message.type === "matches") {
      this.matchesCounted(message);
      return;
    }
    if (message.type === "matchNumber") {
      if (message.search === this.search) {
        this.number = message.number;
        this.tell();
      }
      return;
    }
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
        this.settle(message.invalid ? "" : message.message);
        this.field.invalid = message.invalid ? message.message : "";
        break;
    }
  }

  private found(match: FoundMatch | null, wrapped: boolean): void {
    this.match = match;
    this.wrapped = wrapped;
    this.foundNothing = match === null;
    this.settle("");
    this.tell();
    this.form.classList.toggle("nothing", match === null);
    this.finder.show(this.query, match);
    const step = match === null ? undefined : this.steps.shift();
    if (step !== undefined) {
      this.next(step);
    }
  }

  /** The file or the filter is another: where the match was means nothing any more. What is being searched for is searched anew. */
  forget(): void {
    const isWanted = this.searching || this.typedFrom !== undefined;
    this.match = null;
    this.foundNothing = false;
    this.forgetMatches();
    this.settle("");
    if (isWanted) {
      this.start(this.direction, this.finder.origin());
    }
  }

  private matchesCounted({ count, complete, marks }: ToPage & { type: "matches" }): void {
    if (this.isOpen) {
      this.count = complete ? count : null;
      this.finder.mark(marks);
      this.tell();
    }
  }

  private forgetMatches(): void {
    this.count = null;
    this.number = null;
    this.finder.mark([]);
    this.finder.forgetMatches();
  }

  private remember(): void {
    if (this.history.add(this.query)) {
      this.finder.remember(this.history.all);
    }
  }

  /** Which match is shown: of how many, or, until that is known, in which line. */
  private tell(): void {
    if (this.searching) {
      return;
    }
    const { match, number, count } = this;
    const around = this.direction === "forward" ? ", from the start" : ", from the end";
    const where = !number || count === null ? null : ofAll(number, count);
    if (match !== null) {
      const line = `Line ${formatNumber(match.line)}`;
      this.say(`${where ?? line}${this.wrapped ? around : ""}`, where === null ? line : `${line}, ${where}`);
    } else if (this.foundNothing) {
      this.say("No results");
    }
  }

  private say(outcome: string, title = outcome): void {
    this.outcome.textContent = outcome;
    this.outcome.title = title;
  }

  private typed(): void {
    this.foundNothing = false;
    window.clearTimeout(this.settling);
    this.finder.stop();
    this.settle("");
    this.field.invalid = "";
    this.forgetMatches();
    this.steps = [];
    if (this.query.pattern === "") {
      this.match = null;
      this.typedFrom = undefined;
      this.finder.show(this.query, null);
      return;
    }
    const from = this.match?.range.start ?? this.finder.origin();
    this.typedFrom = from;
    this.settling = window.setTimeout(() => this.start("forward", from), SETTLE_MS);
  }

  private start(direction: Direction, from: Position): void {
    window.clearTimeout(this.settling);
    this.typedFrom = undefined;
    this.direction = direction;
    this.search += 1;
    this.searching = true;
    this.number = null;
    this.outcome.textContent = "Searching…";
    this.stopButton.hidden = false;
    this.finder.search({ search: this.search, query: this.query, direction, from });
  }

  private settle(outcome: string): void {
    this.searching = false;
    this.say(outcome);
    this.stopButton.hidden = true;
    this.progress.hidden = true;
    this.form.classList.remove("nothing");
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Enter" && event.shiftKey) {
      this.next("backward");
    } else if (event.key === "Escape") {
      this.escape();
    } else if (event.target === this.field.input && event.key === "ArrowUp") {
      this.recall(this.history.earlier(this.query));
    } else if (event.target === this.field.input && event.key === "ArrowDown") {
      this.recall(this.history.later());
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private recall(query: Query | undefined): void {
    if (query !== undefined) {
      this.field.query = query;
      this.typed();
    }
  }

  /** The first one stops a search, the next one closes. */
  private escape(): void {
    if (this.searching) {
      this.finder.stop();
      this.steps = [];
      this.settle("Stopped");
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

function ofAll(number: number, count: number): string {
  return `${formatNumber(number)} of ${formatNumber(count)}${count === 1 ? " line" : " lines"}`;
}
