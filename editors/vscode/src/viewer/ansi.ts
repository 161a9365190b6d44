/** Terminal sequences in text: colours and styles are understood, everything else of the kind is left out. */

export interface Style {
  /** CSS colours; the sixteen named ones follow the theme. */
  foreground?: string | undefined;
  background?: string | undefined;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
  hidden?: boolean;
}

export interface Span {
  /** Where it starts in the text with its sequences. */
  column: number;
  text: string;
  style: Style;
}

// CSI and OSC sequences, as far as they are there at the end of a text that was cut, and charset switches.
const SEQUENCE =
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~]|$)|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[()][0-9A-B]/g;

export function parseAnsi(text: string): Span[] {
  const spans: Span[] = [];
  let style: Style = {};
  let column = 0;
  for (const sequence of text.matchAll(SEQUENCE)) {
    if (sequence.index > column) {
      spans.push({ column, text: text.slice(column, sequence.index), style });
    }
    if (sequence[2] === "m") {
      style = applySgr(style, sequence[1] ?? "");
    }
    column = sequence.index + sequence[0].length;
  }
  if (column < text.length) {
    spans.push({ column, text: text.slice(column), style });
  }
  return spans;
}

export function stripAnsi(text: string): string {
  return text.replace(SEQUENCE, "");
}

const SWITCHES: Record<number, Style> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  8: { hidden: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  28: { hidden: false },
  29: { strike: false },
  39: { foreground: undefined },
  49: { background: undefined },
};

/** Select Graphic Rendition: numbers with `;` between them, colours of many parts also with `:`. */
function applySgr(before: Style, parameters: string): Style {
  const groups = parameters.split(";").map((group) => group.split(":").map(Number));
  let style = { ...before };
  for (let index = 0; index < groups.length; index += 1) {
    const group = groups[index] ?? [];
    const code = group[0] ?? 0;
    if (code === 0) {
      style = {};
    } else if (code === 38 || code === 48) {
      const withColons = group.length > 1;
      const parts = withColons
        ? withoutColourSpace(group.slice(1))
        : groups.slice(index + 1).map(([part]) => part ?? 0);
      const [colour, used] = extendedColour(parts);
      style[code === 38 ? "foreground" : "background"] = colour;
      index += withColons ? 0 : used;
    } else {
      Object.assign(style, SWITCHES[code] ?? namedColour(code));
    }
  }
  return style;
}

function namedColour(code: number): Style {
  const bright = code >= 90 ? 8 : 0;
  const digit = code % 10;
  const tens = Math.floor(code / 10) - (bright ? 6 : 0);
  if (digit > 7) {
    return {};
  }
  if (tens === 3) {
    return { foreground: indexedColour(bright + digit) };
  }
  return tens === 4 ? { background: indexedColour(bright + digit) } : {};
}

/** The colour, and how many of the parts it took. */
function extendedColour(parts: number[]): [string | undefined, number] {
  if (parts[0] === 5) {
    return [indexedColour(parts[1] ?? 0), 2];
  }
  if (parts[0] === 2) {
    const [, red, green, blue] = parts;
    return [`rgb(${byte(red)} ${byte(green)} ${byte(blue)})`, 4];
  }
  return [undefined, 1];
}

/** `2::r:g:b` names a space between the kind and the parts, mostly an empty one. */
function withoutColourSpace(parts: number[]): number[] {
  return parts[0] === 2 && parts.length > 4 ? [2, ...parts.slice(2)] : parts;
}

const NAMES = ["Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"];

/** Of the 256: sixteen named colours, a cube of six levels a side, twenty-four greys. */
function indexedColour(index: number): string | undefined {
  if (index < 16) {
    return `var(--vscode-terminal-ansi${index < 8 ? "" : "Bright"}${NAMES[index % 8]})`;
  }
  if (index < 232) {
    const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
    const cell = index - 16;
    return `rgb(${level(Math.floor(cell / 36))} ${level(Math.floor(cell / 6) % 6)} ${level(cell % 6)})`;
  }
  const grey = 8 + 10 * (index - 232);
  return index < 256 ? `rgb(${grey} ${grey} ${grey})` : undefined;
}

function byte(value: number | undefined): number {
  return Math.min(255, Math.max(0, value || 0));
}
