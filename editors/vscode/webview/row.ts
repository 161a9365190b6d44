/** One line on the screen: its elements, and which text nodes its columns are in. */

import type { Style } from "../src/viewer/ansi";
import { countCodePoints } from "../src/viewer/codePoints";
import { levelWord, timestampLength } from "../src/viewer/levels";
import { formatNumber } from "../src/viewer/numbers";
import { columnAt, type PlacedRow } from "./placedRow";
import { readableOn } from "./theme";

/** What a row is beside its text. */
export interface Marks {
  current: boolean;
  selected: boolean;
  bookmarked: boolean;
  tint: string;
  /** What is said between the row and the one above it: a silence, or that another file starts. */
  above: string;
  isBoundary: boolean;
}

interface Piece {
  node: Text;
  /** Where it starts in the row's text. */
  start: number;
}

export class RowElement {
  readonly element = document.createElement("div");
  private readonly text = document.createElement("span");
  private readonly content = document.createElement("span");
  private readonly pieces: Piece[] = [];
  private readonly number = document.createElement("span");
  private shown: PlacedRow | undefined;

  /** `number` is the file's number of the line; undefined where it comes with the text. */
  constructor(
    readonly line: number,
    number: number | undefined,
  ) {
    this.number.className = "number";
    this.number.setAttribute("role", "rowheader");
    this.number.textContent = number === undefined ? "" : formatNumber(number);
    this.text.className = "text";
    this.text.setAttribute("role", "gridcell");
    this.content.className = "content";
    this.text.append(this.content);
    this.element.className = "row";
    this.element.id = `line-${line}`;
    this.element.setAttribute("role", "row");
    this.element.setAttribute("aria-rowindex", String(line));
    this.element.append(this.number, this.text);
  }

  /** What is shown. */
  get row(): PlacedRow | undefined {
    return this.shown;
  }

  show(row: PlacedRow): void {
    const before = this.shown;
    this.shown = row;
    if (before !== undefined && looksSame(before, row)) {
      return; // what is replaced forgets that it is being clicked
    }
    if (row.number !== undefined) {
      this.number.textContent = formatNumber(row.number);
    }
    this.pieces.length = 0;
    this.content.replaceChildren();
    if (row.column === 0 && row.spans.every(({ style }) => Object.keys(style).length === 0)) {
      this.showPlain(row.text);
    } else {
      this.showColored(row);
    }
    if (row.column + countCodePoints(row.text) < row.length) {
      this.content.append(Object.assign(document.createElement("span"), { className: "goes-on" }));
    }
  }

  shift(pixels: number): void {
    this.content.style.transform = `translateX(${pixels}px)`;
  }

  mark({ current, selected, bookmarked, tint, above, isBoundary }: Marks): void {
    const { record, context = false } = this.shown ?? {};
    setData(this.element, "level", record?.level ?? "");
    setData(this.element, "above", above);
    this.element.classList.toggle("boundary", isBoundary);
    this.element.classList.toggle("context", context);
    this.element.classList.toggle("current", current);
    this.element.classList.toggle("selected", selected);
    this.element.classList.toggle("bookmarked", bookmarked);
    this.element.classList.toggle("tinted", tint !== "");
    this.element.style.setProperty("--rule-tint", tint);
    if (bookmarked || above !== "") {
      this.element.setAttribute(
        "aria-description",
        [bookmarked ? "Bookmark" : "", above].filter(Boolean).join(", "),
      );
    } else {
      this.element.removeAttribute("aria-description");
    }
    this.element.setAttribute("aria-selected", String(selected));
  }

  /** The column of a place in the text; after the text, that of its end. */
  columnAt(node: Node, offset: number): number {
    const piece = this.pieces.find((candidate) => candidate.node === node);
    const row = this.shown;
    return row === undefined
      ? 0
      : columnAt(row, piece === undefined ? row.text.length : piece.start + offset);
  }

  /** Where an offset of the row's text is, in pixels from the left edge of what is shown. */
  leftOf(offset: number): number {
    const { left } = this.text.getBoundingClientRect();
    const [at] = this.ranges(offset, offset + 1);
    if (at === undefined) {
      return this.content.getBoundingClientRect().right - left;
    }
    const range = document.createRange();
    range.setStart(at.startContainer, at.startOffset);
    range.setEnd(at.endContainer, at.endOffset);
    return range.getBoundingClientRect().left - left;
  }

  /** What is on the screen between two offsets of the row's text. */
  ranges(from: number, to: number): StaticRange[] {
    const ranges: StaticRange[] = [];
    for (const { node, start } of this.pieces) {
      const startOffset = Math.max(0, from - start);
      const endOffset = Math.min(node.length, to - start);
      if (startOffset < endOffset) {
        ranges.push(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }));
      }
    }
    return ranges;
  }

  private showColored({ text, spans }: PlacedRow): void {
    let shown = 0;
    for (const { start, end, style } of spans) {
      this.append(text.slice(shown, start), shown, () => {});
      this.append(text.slice(start, end), start, (part) => applyStyle(part, style));
      shown = end;
    }
    this.append(text.slice(shown), shown, () => {});
  }

  /** A line without colors of its own gets those of its level. */
  private showPlain(text: string): void {
    const time = timestampLength(text);
    const word = levelWord(text);
    const cuts = [0, time, word?.start ?? time, word?.end ?? time, text.length];
    const classes = ["time", "", word ? `level-${word.level}` : "", ""];
    classes.forEach((name, index) => {
      const from = Math.max(cuts[index] ?? 0, index > 1 ? time : 0);
      this.append(text.slice(from, cuts[index + 1]), from, (part) => {
        part.className = name;
      });
    });
  }

  private append(text: string, start: number, dress: (part: HTMLElement) => void): void {
    if (text === "") {
      return;
    }
    const node = document.createTextNode(visible(text));
    const part = document.createElement("span");
    dress(part);
    part.append(node);
    this.content.append(part);
    this.pieces.push({ node, start });
  }
}

/** What record a row belongs to is shown around its text. */
function looksSame(one: PlacedRow, other: PlacedRow): boolean {
  const text = ({ record: _, ...rest }: PlacedRow) => JSON.stringify(rest);
  return one === other || text(one) === text(other);
}

function setData({ dataset }: HTMLElement, name: string, value: string): void {
  if (value === "") {
    delete dataset[name];
  } else if (dataset[name] !== value) {
    dataset[name] = value;
  }
}

function applyStyle({ style, classList }: HTMLElement, ansi: Style): void {
  const background = ansi.background ?? "";
  const foreground = ansi.foreground ?? "";
  const behind = ansi.inverse ? foreground || "var(--vscode-editor-foreground)" : background;
  const text = ansi.inverse ? background || "var(--vscode-editor-background)" : foreground;
  // The sixteen named colors have readable variants of their own.
  style.color =
    behind === ""
      ? readableOn(text.replace("--vscode-terminal-", "--"))
      : readableOn(text || "var(--vscode-editor-foreground)", behind);
  style.backgroundColor = behind;
  for (const name of ["bold", "dim", "italic", "underline", "strike", "hidden"] as const) {
    classList.toggle(name, ansi[name] === true);
  }
}

/** Controls are shown, not obeyed, each as one character: a line must not be able to hide or reorder its text. */
function visible(text: string): string {
  return text.replace(/[\0-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\u2426";
  });
}
