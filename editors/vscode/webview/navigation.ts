/** Going to a line: by number, to the ends of the file, from bookmark to bookmark, from error to error. */

import type { Direction, Total } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { Follower } from "./follower";
import { element, host } from "./host";
import { say, showNote } from "./notices";
import type { View } from "./view";

export class Navigation {
  readonly follower: Follower;
  private readonly grid = element("#rows");
  /** The last line is known once the lines are counted; until then the wish to go there waits. */
  private wantsLast = false;
  /** Where to go from error to error: the first one is being searched for. */
  private errorSteps: Direction[] = [];

  constructor(
    private readonly view: View,
    followingChanged: () => void,
  ) {
    const stayAtEnd = () => (view.lines.exact ? view.toEndWithText() : this.goToLast());
    this.follower = new Follower(() => this.goToLast(), stayAtEnd, followingChanged);
  }

  /** The file's number of the current line. */
  get currentNumber(): number {
    return this.view.numberOf(this.view.current.line);
  }

  /** The focus stays where it is: the reader may have turned to something else meanwhile. */
  goTo(row: number): void {
    const { view } = this;
    this.wantsLast = false;
    view.selection.clear();
    view.center(row);
    this.pauseAwayFromEnd();
    const { lines, exact } = view.lines;
    if (document.hasFocus()) {
      say(`Line ${formatNumber(view.current.line)} of ${exact ? "" : "about "}${formatNumber(lines)}`);
    }
  }

  /** A line of the file, or the first one after it that is shown. */
  goToNumber(number: number): void {
    this.grid.focus();
    if (this.view.isFiltered) {
      host.postMessage({ type: "reveal", line: number });
    } else {
      this.goTo(number);
    }
  }

  goToLast(): void {
    if (this.view.lines.exact) {
      this.view.toEnd();
      this.follower.reachedEnd();
    } else {
      this.wantsLast = true;
      showNote("Counting lines…");
    }
  }

  /** The lines have another layout. Who follows goes on seeing the last one. */
  laidOut(): void {
    if (this.follower.isOn) {
      this.goToLast();
    }
  }

  /** Who went to another line is not taken to the last one when the file grows. */
  pauseAwayFromEnd(): void {
    const { current, lines } = this.view;
    if (current.line < lines.lines) {
      this.follower.moved(false, lines.lines);
    }
  }

  /** The reader does something else. */
  stopWaiting(): void {
    this.wantsLast = false;
  }

  counting(percentage: number): void {
    if (this.wantsLast) {
      showNote(`Counting lines… ${percentage} %`);
    }
  }

  counted({ lines, exact }: Total): void {
    this.follower.grew(lines);
    if (this.wantsLast && exact) {
      showNote("");
      this.wantsLast = false;
      this.goToLast();
    }
  }

  /** The next or previous bookmark, around the ends of the file. */
  goToBookmark(direction: Direction): void {
    const lines = [...this.view.decorations.bookmarks].sort((one, other) => one - other);
    const line = this.currentNumber;
    const next =
      direction === "forward"
        ? (lines.find((each) => each > line) ?? lines[0])
        : (lines.findLast((each) => each < line) ?? lines.at(-1));
    if (next === undefined) {
      showNote("No bookmarks. Ctrl+F2 sets one.");
    } else {
      this.goToNumber(next);
    }
  }

  /** Keys that are pressed while an error is searched for are carried out after it. */
  goToError(direction: Direction): void {
    this.grid.focus();
    if (this.errorSteps.push(direction) === 1) {
      this.findError(direction, this.currentNumber);
    }
  }

  /** The line that was asked for by level or by time, with the file's number of it; null: there is none. */
  found(row: number | null, number: number | null, note: string): void {
    showNote(note);
    if (row !== null) {
      this.goTo(row);
    }
    this.errorSteps = number === null ? [] : this.errorSteps.slice(1);
    const [next] = this.errorSteps;
    if (next !== undefined && number !== null) {
      this.findError(next, number);
    }
  }

  private findError(direction: Direction, line: number): void {
    showNote("Searching…");
    host.postMessage({ type: "findError", direction, line });
  }
}
