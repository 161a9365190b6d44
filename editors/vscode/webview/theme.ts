/** The theme's colors, adjusted where text would be hard to read. Written as custom properties that the style sheets use. */

import { type Color, formatColor, mix, over, parseColor, readable } from "./contrast";

const BLACK: Color = { red: 0, green: 0, blue: 0, alpha: 1 };
/** How much of a level's color tints its line. */
const TINTS = { error: 0.09, warning: 0.06 };
const NONE: Color = { ...BLACK, alpha: 0 };

/** The color of VS Code's theme, such as `editor-background`; the first that is set. */
function themeColor(...names: string[]): Color | null {
  const style = getComputedStyle(document.documentElement);
  for (const name of names) {
    const color = parseColor(style.getPropertyValue(`--vscode-${name}`));
    if (color !== null) {
      return color;
    }
  }
  return null;
}

/** Custom properties, each with its color; null takes the property away. */
export function readableColors(): Record<string, string | null> {
  const background = over(themeColor("editor-background") ?? BLACK, BLACK);
  const foreground = themeColor("editor-foreground") ?? readable(BLACK, [background]);
  const on = (...names: string[]) => over(themeColor(...names) ?? NONE, background);
  const error = themeColor("editorError-foreground") ?? foreground;
  const warning = themeColor("editorWarning-foreground") ?? foreground;
  const currentLine = themeColor("editor-lineHighlightBackground") ?? NONE;
  const selection = on("editor-selectionBackground");
  const onCurrent = (colors: Color[]) => [...colors, ...colors.map((color) => over(currentLine, color))];
  const plain = onCurrent([background]);
  const tinted = [mix(error, background, TINTS.error), mix(warning, background, TINTS.warning)];
  const lines = [...plain, ...onCurrent(tinted)];
  const text = (color: Color | null, backgrounds: Color[]) =>
    formatColor(over(readable(color ?? foreground, backgrounds), background));
  return {
    "--line-foreground": text(foreground, lines),
    "--number-foreground": text(themeColor("editorLineNumber-foreground"), plain),
    "--number-current-foreground": text(themeColor("editorLineNumber-activeForeground"), plain),
    "--time-foreground": text(themeColor("descriptionForeground"), lines),
    "--error-foreground": text(error, lines),
    "--warning-foreground": text(warning, lines),
    "--info-foreground": text(themeColor("editorInfo-foreground"), lines),
    "--match-foreground": text(foreground, [on("editor-findMatchHighlightBackground")]),
    "--current-match-foreground": text(themeColor("editor-findMatchForeground"), [
      on("editor-findMatchBackground", "editor-findMatchHighlightBackground"),
    ]),
    "--selection-foreground": text(themeColor("editor-selectionForeground"), [selection]),
    ...labelColors(background, foreground),
    ...Object.fromEntries(
      ANSI_COLORS.map((name) => [`--${name}`, text(themeColor(`terminal-${name}`), lines)]),
    ),
  };
}

/** How much of its color is behind a labeled text. */
const LABEL_SHARE = 0.45;
const LABELS = [
  ...["charts-yellow", "charts-green", "charts-blue", "charts-red", "charts-purple", "charts-orange"],
  ...["terminal-ansiCyan", "terminal-ansiBrightMagenta", "terminal-ansiWhite"],
];

function labelColors(background: Color, foreground: Color): Record<string, string> {
  return Object.fromEntries(
    LABELS.flatMap((name, index) => {
      const behind = mix(over(themeColor(name) ?? foreground, background), background, LABEL_SHARE);
      return [
        [`--label-${index + 1}`, formatColor(behind)],
        [`--label-${index + 1}-foreground`, formatColor(over(readable(foreground, [behind]), behind))],
      ];
    }),
  );
}

const ANSI_COLORS = ["", "Bright"].flatMap((bright) =>
  ["Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"].map(
    (name) => `ansi${bright}${name}`,
  ),
);

/** A color that a line of the file or a rule of the user asks for, as text on a background of that kind. */
export function readableOn(color: string, background?: string): string {
  const wanted = parseColor(background === undefined ? color : resolved(color));
  const below = background === undefined ? null : parseColor(resolved(background));
  const editor = over(themeColor("editor-background") ?? BLACK, BLACK);
  return wanted === null ? color : formatColor(readable(wanted, [below ? over(below, editor) : editor]));
}

/** What a `var(…)` stands for in this theme. */
function resolved(color: string): string {
  const property = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  return property === undefined ? color : getComputedStyle(document.body).getPropertyValue(property);
}

export function applyTheme(): void {
  for (const [name, value] of Object.entries(readableColors())) {
    document.body.style.setProperty(name, value);
  }
}
