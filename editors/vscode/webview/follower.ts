/** Staying at the end of a growing file: on at the end, paused by scrolling up, with a way back. */

import { formatNumber } from "../src/viewer/numbers";
import { element } from "./host";

export class Follower {
  /** Whether reaching the end of the file turns it on. */
  auto = true;
  private on = false;
  /** How many lines there were when it was paused; undefined where it is not paused. */
  private pausedAt: number | undefined;
  private wasAtEnd = false;
  private readonly button = element<HTMLButtonElement>("#new-lines");

  /** `goToEnd` scrolls to the last line, `stayAtEnd` once the text of new ones is there; `changed` tells the extension. */
  constructor(
    private readonly goToEnd: () => void,
    private readonly stayAtEnd: () => void,
    private readonly changed: () => void,
  ) {
    this.button.addEventListener("click", () => {
      element("#rows").focus(); // the button goes away
      this.start();
    });
  }

  get isOn(): boolean {
    return this.on;
  }

  toggle(): void {
    if (this.on) {
      this.stop();
    } else {
      this.start();
    }
  }

  start(): void {
    this.set(true, undefined);
    this.goToEnd();
  }

  stop(): void {
    this.set(false, undefined);
  }

  /** The reader moved, to the end or away from it. Who stopped it and stays at the end does not turn it on by that. */
  moved(isAtEnd: boolean, lines: number): void {
    const arrived = isAtEnd && !this.wasAtEnd;
    this.wasAtEnd = isAtEnd;
    if (arrived) {
      this.reachedEnd();
    } else if (!isAtEnd && this.on) {
      this.set(false, lines);
    }
  }

  reachedEnd(): void {
    this.wasAtEnd = true;
    if (this.auto || this.pausedAt !== undefined) {
      this.set(true, undefined);
    }
  }

  /** The file is another, and all of its lines are new. */
  restarted(): void {
    this.pausedAt &&= 0;
  }

  grew(lines: number): void {
    const added = this.pausedAt === undefined ? 0 : lines - this.pausedAt;
    this.button.hidden = added <= 0;
    this.button.textContent = `↓ ${formatNumber(added)} new line${added === 1 ? "" : "s"}`;
    if (this.on) {
      this.stayAtEnd();
    } else {
      this.wasAtEnd = false;
    }
  }

  private set(on: boolean, pausedAt: number | undefined): void {
    const differs = this.on !== on;
    this.on = on;
    this.pausedAt = pausedAt;
    this.button.hidden = true;
    if (differs) {
      this.changed();
    }
  }
}
