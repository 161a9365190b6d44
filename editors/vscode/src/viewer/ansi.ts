/** Terminal sequences in text: colors, styles and links are understood, everything else of the kind is left out. */

export interface Style {
  /** CSS colors; the sixteen named ones follow the theme. */
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

/** A part of a text that has a style or is a link. */
export interface Span {
  start: number;
  end: number;
  style: Style;
  /** Where it leads. */
  link?: string;
}

/** A text as a terminal shows it. Spans are in its order and do not overlap. */
export interface Shown {
  text: string;
  spans: Span[];
}

const ESC = "\x1b";
// As the daemon has it (`forge_daemon.reading.ansi`), so that both count the same columns.
const SEQUENCE =
  /\x1b(?:\[[0-?]{0,256}[ -/]{0,16}[@-~]|\][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\)|[PX^_][^\x1b\n]{0,4096}\x1b\\|[ -/]{1,16}[0-~]|[0-~]?)/gu;
const UNFINISHED =
  /\x1b(?:\[[0-?]{0,256}[ -/]{0,16}|\][^\x07\x1b\n]{0,4096}\x1b?|[PX^_][^\x1b\n]{0,4096}\x1b?|[ -/]{0,16})$/u;
const SGR = /^\x1b\[([0-9;:]*)m$/;
const HYPERLINK = /^\x1b\]8;[^;]*;([^\x07\x1b]*)/;

export function parseAnsi(raw: string): Shown {
  if (!raw.includes(ESC)) {
    return { text: raw, spans: [] };
  }
  const spans: Span[] = [];
  let text = "";
  let style: Style = {};
  let link = "";
  let read = 0;
  const take = (end: number) => {
    const start = text.length;
    text += raw.slice(read, end);
    if (text.length > start && (link !== "" || Object.keys(style).length > 0)) {
      spans.push({ start, end: text.length, style, ...(link !== "" && { link }) });
    }
  };
  for (const { index, 0: sequence } of raw.matchAll(SEQUENCE)) {
    take(index);
    read = index + sequence.length;
    const parameters = SGR.exec(sequence)?.[1];
    style = parameters === undefined ? style : applySgr(style, parameters);
    link = HYPERLINK.exec(sequence)?.[1] ?? link;
  }
  take(raw.length);
  return { text, spans };
}

export function stripAnsi(raw: string): string {
  return raw.includes(ESC) ? raw.replace(SEQUENCE, "") : raw;
}

/** Of a text whose end was cut off, the part before a sequence that the cut may have hit. */
export function withoutCutSequence(raw: string): string {
  const cut = raw.includes(ESC) ? (UNFINISHED.exec(raw)?.index ?? raw.length) : raw.length;
  return raw.slice(0, cut);
}

export function sliceShown({ text, spans }: Shown, from: number, to: number): Shown {
  const inside = spans
    .map((span) => ({
      ...span,
      start: Math.max(from, span.start) - from,
      end: Math.min(to, span.end) - from,
    }))
    .filter(({ start, end }) => start < end);
  return { text: text.slice(from, to), spans: inside };
}

/** A part of a text, by where it is in what is shown, with the colors it has there. */
export function sliceWithColors(raw: string, from: number, to: number): string {
  let [before, inside, after] = ["", "", ""];
  let shown = 0;
  let read = 0;
  const take = (end: number) => {
    const piece = raw.slice(read, end);
    inside += piece.slice(Math.max(0, from - shown), Math.max(0, to - shown));
    shown += piece.length;
  };
  for (const { index, 0: sequence } of raw.matchAll(SEQUENCE)) {
    take(index);
    read = index + sequence.length;
    if (shown >= to) {
      break;
    }
    const parameters = SGR.exec(sequence)?.[1];
    const resets = parameters !== undefined && /^0*$/.test(parameters);
    after = parameters === undefined ? after : resets ? "" : `${ESC}[0m`;
    if (shown > from || inside !== "") {
      inside += sequence;
    } else if (parameters !== undefined) {
      before = resets ? "" : before + sequence;
    }
  }
  if (shown < to) {
    take(raw.length);
  }
  return before + inside + after;
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

/** Select Graphic Rendition: numbers with `;` between them, colors of many parts also with `:`. */
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
        ? withoutColorSpace(group.slice(1))
        : groups.slice(index + 1).map(([part]) => part ?? 0);
      const [color, used] = extendedColor(parts);
      style[code === 38 ? "foreground" : "background"] = color;
      index += withColons ? 0 : used;
    } else {
      Object.assign(style, SWITCHES[code] ?? namedColor(code));
    }
  }
  return style;
}

function namedColor(code: number): Style {
  const bright = code >= 90 ? 8 : 0;
  const digit = code % 10;
  const tens = Math.floor(code / 10) - (bright ? 6 : 0);
  if (digit > 7) {
    return {};
  }
  if (tens === 3) {
    return { foreground: indexedColor(bright + digit) };
  }
  return tens === 4 ? { background: indexedColor(bright + digit) } : {};
}

/** The color, and how many of the parts it took. */
function extendedColor(parts: number[]): [string | undefined, number] {
  if (parts[0] === 5) {
    return [indexedColor(parts[1] ?? 0), 2];
  }
  if (parts[0] === 2) {
    const [, red, green, blue] = parts;
    return [`rgb(${byte(red)} ${byte(green)} ${byte(blue)})`, 4];
  }
  return [undefined, 1];
}

/** `2::r:g:b` names a space between the kind and the parts, mostly an empty one. */
function withoutColorSpace(parts: number[]): number[] {
  return parts[0] === 2 && parts.length > 4 ? [2, ...parts.slice(2)] : parts;
}

const NAMES = ["Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"];

/** Of the 256: sixteen named colors, a cube of six levels a side, twenty-four greys. */
function indexedColor(index: number): string | undefined {
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
