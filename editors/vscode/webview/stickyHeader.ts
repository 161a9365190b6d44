/** The first line of the record at the upper edge, where that line has been scrolled out of sight. */

import type { LineRecord } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { element } from "./host";

export class StickyHeader {
  private readonly box = element("#sticky");
  private readonly number = element("#sticky .number");
  private readonly text = element("#sticky .text");
  private shown: LineRecord | null = null;

  /** `go` goes to a line of the file. */
  constructor(go: (line: number) => void) {
    this.box.addEventListener("click", () => {
      if (this.shown !== null) go(this.shown.first);
    });
  }

  show(record: LineRecord | null): void {
    this.shown = record;
    this.box.hidden = record === null;
    this.number.textContent = record === null ? "" : formatNumber(record.first);
    this.text.textContent = record?.header ?? "";
  }
}
