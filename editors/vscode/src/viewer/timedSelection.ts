import type { LineRecords } from "./lineRecords";
import type { Selected } from "./messages";

/** What is selected in a viewer, and how long it took to be written. */
export class TimedSelection {
  private current: Selected | null = null;
  private seconds: number | null = null;

  constructor(private readonly records: LineRecords) {}

  get selected(): Selected | null {
    return this.current;
  }

  /** From the first selected line to the last one; null where it is not known. */
  get duration(): number | null {
    return this.seconds;
  }

  /** `timed` is called once the duration is known. */
  set(selected: Selected | null, timed: () => void): void {
    if (JSON.stringify(selected) === JSON.stringify(this.current)) {
      return;
    }
    this.current = selected;
    this.seconds = null;
    if (selected !== null && selected.first < selected.last) {
      void this.time(selected, timed);
    }
  }

  private async time(selected: Selected, timed: () => void): Promise<void> {
    const seconds = await this.records.duration(selected).catch(() => null); // the file may be gone
    if (selected === this.current) {
      this.seconds = seconds;
      timed();
    }
  }
}
