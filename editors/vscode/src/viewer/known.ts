import type { Selected, Total } from "./messages";
import type { TextFormat } from "./snapshot";

/** What the status bar shows of a viewer. */
export interface Known {
  total: Total;
  byteLength: number;
  line: number;
  column: number;
  selected: Selected | null;
  /** Seconds from the first selected line to the last one, where they have times. */
  duration: number | null;
  text: TextFormat | undefined;
  following: boolean;
  /** How many lines the filters let through; null where all are shown. */
  shown: Total | null;
  /** The line is one from before the file became another. */
  isOld: boolean;
}
