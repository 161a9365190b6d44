const MOST = 4;
const WITHIN_MS = 3 * 60 * 1000;

/** Tells a mishap from a daemon that cannot live. */
export class Crashes {
  private recent: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Notes one more; whether starting again is still worth it. */
  mayRestart(): boolean {
    const now = this.now();
    this.recent = [...this.recent.filter((at) => now - at < WITHIN_MS), now];
    return this.recent.length <= MOST;
  }

  forget(): void {
    this.recent = [];
  }
}
