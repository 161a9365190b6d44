/** The theme's colours, adjusted where text would be hard to read. Written as custom properties that the style sheets use. */

import { type Color, formatColor, mix, over, parseColor, readable } from "./contrast";

const BLACK: Color = { red: 0, green: 0, blue: 0, alpha: 1 };
/** How much of a level's colour tints its line. */
const TINTS = { error: 0.09, warning: 0.06 };
const NONE: Color = { ...BLACK, alpha: 0 };

/** The colour of VS Code's theme, such as `editor-background`; the first that is set. */
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

/** Custom properties, each with its colour; null takes the property away. */
export function readableColors(): Record<string, string | null> {
  const background = over(themeColor("editor-background") ?? BLACK, BLACK);
  const foreground = themeColor("editor-foreground") ?? readable(BLACK, [background]);
  const on = (...names: string[]) => over(themeColor(...names) ?? NONE, background);
  const error = themeColor("editorError-foreground") ?? foreground;
  const warning = themeColor("editorWarning-foreground") ?? foreground;
  const current = on("editor-lineHighlightBackground");
  const selection = on("editor-selectionBackground");
  const plain = [background, current];
  const tinted = [mix(error, background, TINTS.error), mix(warning, background, TINTS.warning)];
  const lines = [...plain, ...tinted];
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
    ...Object.fromEntries(
      ANSI_COLORS.map((name) => [`--${name}`, text(themeColor(`terminal-${name}`), lines)]),
    ),
  };
}

const ANSI_COLORS = ["", "Bright"].flatMap((bright) =>
  ["Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"].map(
    (name) => `ansi${bright}${name}`,
  ),
);

/** A colour that a line of the file or a rule of the user asks for, as text on a background of that kind. */
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
