/** Texts that the reader labeled with one of nine colors, wherever they occur. */

import "./labels.css";
import type { Label } from "../src/viewer/messages";

export const LABEL_COLORS = 9;
/** Columns of a row that are looked at. */
const REACH = 2000;

/** With a text labeled; the same color again takes the label away. */
export function toggled(labels: readonly Label[], text: string, color: number): Label[] {
  const others = labels.filter((label) => label.text !== text);
  const isOn = labels.some((label) => label.text === text && label.color === color);
  return isOn ? others : [...others, { text, color }];
}

/** Calls `paint` with the color and the offsets of each occurrence. */
export function labelsIn(
  text: string,
  labels: readonly Label[],
  paint: (color: number, start: number, end: number) => void,
): void {
  const head = text.slice(0, REACH);
  for (const label of labels) {
    for (let at = head.indexOf(label.text); at >= 0; at = head.indexOf(label.text, at + label.text.length)) {
      paint(label.color, at, at + label.text.length);
    }
  }
}
