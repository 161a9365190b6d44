/** Colors that can be read on the backgrounds of the theme: a contrast of at least 4.5, as WCAG asks of text. */

export const READABLE = 4.5;
const STEPS = 20;

/** Red, green and blue from 0 to 255; alpha from 0 to 1. */
export interface Color {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

const BLACK: Color = { red: 0, green: 0, blue: 0, alpha: 1 };
const WHITE: Color = { red: 255, green: 255, blue: 255, alpha: 1 };

/** `#rgb`, `#rrggbb`, `#rrggbbaa`, `rgb(…)` or `rgba(…)`; null for anything else. */
export function parseColor(text: string): Color | null {
  const hex = /^#([\da-f]{3,8})$/i.exec(text.trim())?.[1];
  if (hex !== undefined) {
    const digits = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) =>
      Number.parseInt(pair, 16),
    );
    return { red, green, blue, alpha: alpha / 255 };
  }
  const parts = /^rgba?\(([^)]*)\)$/i
    .exec(text.trim())?.[1]
    ?.split(/[\s,/]+/)
    .map(Number);
  if (parts === undefined || parts.length < 3 || parts.some(Number.isNaN)) {
    return null;
  }
  const [red = 0, green = 0, blue = 0, alpha = 1] = parts;
  return { red, green, blue, alpha };
}

export function formatColor({ red, green, blue }: Color): string {
  return `rgb(${Math.round(red)} ${Math.round(green)} ${Math.round(blue)})`;
}

/** `share` of `top`, the rest of `bottom`. */
export function mix(top: Color, bottom: Color, share: number): Color {
  const part = (one: number, other: number) => one * share + other * (1 - share);
  return {
    red: part(top.red, bottom.red),
    green: part(top.green, bottom.green),
    blue: part(top.blue, bottom.blue),
    alpha: 1,
  };
}

/** What is seen where a color with an alpha lies over an opaque one. */
export function over(top: Color, bottom: Color): Color {
  return mix(top, bottom, top.alpha);
}

/** From 1 (the same) to 21 (black on white), for opaque colors. */
export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The color nearest to `color` that can be read on every one of the backgrounds, as far as there is one. */
export function readable(color: Color, backgrounds: readonly Color[]): Color {
  const worst = (candidate: Color) =>
    Math.min(...backgrounds.map((background) => contrast(over(candidate, background), background)));
  const target = worst(WHITE) > worst(BLACK) ? WHITE : BLACK;
  for (let step = 0; step <= STEPS; step += 1) {
    const candidate = step === 0 ? color : mix(target, { ...color, alpha: 1 }, step / STEPS);
    if (worst(candidate) >= READABLE) {
      return candidate;
    }
  }
  return target;
}

function luminance({ red, green, blue }: Color): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
