/** One line on the screen: its elements, and the mapping between columns and text nodes. */

import { parseAnsi, type Style } from "../src/viewer/ansi";
import { levelOf, timestampLength } from "../src/viewer/levels";
import type { Row } from "../src/viewer/messages";
import { formatNumber } from "../src/viewer/numbers";
import { readableOn } from "./theme";

/** A row as it came, from a column on. */
export interface PlacedRow extends Row {
  column: number;
}

interface Piece {
  node: Text;
  /** The file's column of the node's first character. */
  column: number;
}

export class RowElement {
  readonly element = document.createElement("div");
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
    const text = document.createElement("span");
    text.className = "text";
    text.setAttribute("role", "gridcell");
    this.content.className = "content";
    text.append(this.content);
    this.element.className = "row";
    this.element.id = `line-${line}`;
    this.element.setAttribute("role", "row");
    this.element.setAttribute("aria-rowindex", String(line));
    this.element.append(this.number, text);
  }

  /** What is shown, as it is in the file. */
  get row(): PlacedRow | undefined {
    return this.shown;
  }

  show(row: PlacedRow): void {
    if (row === this.shown) {
      return;
    }
    this.shown = row;
    if (row.number !== undefined) {
      this.number.textContent = formatNumber(row.number);
    }
    this.pieces.length = 0;
    this.content.replaceChildren();
    delete this.element.dataset.level;
    const spans = parseAnsi(row.text);
    const [only] = spans;
    if (
      spans.length === 1 &&
      only !== undefined &&
      Object.keys(only.style).length === 0 &&
      row.column === 0
    ) {
      this.showPlain(only.text, only.column);
    } else {
      for (const span of spans) {
        this.append(span.text, row.column + span.column, (part) => applyStyle(part, span.style));
      }
    }
    if (row.open || row.column + row.text.length < row.length) {
      this.content.append(Object.assign(document.createElement("span"), { className: "goes-on" }));
    }
  }

  shift(pixels: number): void {
    this.content.style.transform = `translateX(${pixels}px)`;
  }

  mark(state: { current: boolean; selected: boolean; bookmarked: boolean; tint: string }): void {
    this.element.classList.toggle("current", state.current);
    this.element.classList.toggle("selected", state.selected);
    this.element.classList.toggle("bookmarked", state.bookmarked);
    this.element.classList.toggle("tinted", state.tint !== "");
    this.element.style.setProperty("--tint", state.tint);
    if (state.bookmarked) {
      this.element.setAttribute("aria-description", "Bookmark");
    } else {
      this.element.removeAttribute("aria-description");
    }
    this.element.setAttribute("aria-selected", String(state.selected));
  }

  /** The file's column of a place in the text. */
  columnAt(node: Node, offset: number): number {
    const piece = this.pieces.find((candidate) => candidate.node === node);
    return piece === undefined ? (this.shown?.length ?? 0) : piece.column + offset;
  }

  /** The parts of the text between two columns of the file. */
  ranges(start: number, end: number): StaticRange[] {
    const ranges: StaticRange[] = [];
    for (const { node, column } of this.pieces) {
      const startOffset = Math.max(0, start - column);
      const endOffset = Math.min(node.length, end - column);
      if (startOffset < endOffset) {
        ranges.push(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }));
      }
    }
    return ranges;
  }

  /** A line without colours of its own gets those of its level. */
  private showPlain(text: string, column: number): void {
    const time = timestampLength(text);
    const word = levelOf(text);
    const cuts = [0, time, word?.start ?? time, word?.end ?? time, text.length];
    const classes = ["time", "", word ? `level-${word.level}` : "", ""];
    if (word) {
      this.element.dataset.level = word.level;
    }
    classes.forEach((name, index) => {
      const from = Math.max(cuts[index] ?? 0, index > 1 ? time : 0);
      this.append(text.slice(from, cuts[index + 1]), column + from, (part) => {
        part.className = name;
      });
    });
  }

  private append(text: string, column: number, dress: (part: HTMLElement) => void): void {
    if (text === "") {
      return;
    }
    const node = document.createTextNode(visible(text));
    const part = document.createElement("span");
    dress(part);
    part.append(node);
    this.content.append(part);
    this.pieces.push({ node, column });
  }
}

function applyStyle({ style, classList }: HTMLElement, ansi: Style): void {
  const background = ansi.background ?? "";
  const foreground = ansi.foreground ?? "";
  const behind = ansi.inverse ? foreground || "var(--vscode-editor-foreground)" : background;
  const text = ansi.inverse ? background || "var(--vscode-editor-background)" : foreground;
  // The sixteen named colours have readable variants of their own.
  style.color = behind === "" ? readableOn(text.replace("--vscode-terminal-", "--")) : text;
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
