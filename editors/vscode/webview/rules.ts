/** `forge.viewer.highlights`: the user's own colors for what matches a pattern. */

import type { HighlightRule } from "../src/viewer/messages";
import { readableOn } from "./theme";

/** How much of a rule's color tints a whole line. */
const TINT = 0.25;
/** Columns of a row that are looked at. */
const REACH = 2000;

interface CompiledRule {
  matcher: RegExp;
  color: string;
  wholeLine: boolean;
}

export class Rules {
  private rules: CompiledRule[] = [];
  private source: HighlightRule[] = [];
  private readonly sheet = new CSSStyleSheet();

  constructor() {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
  }

  set(source: HighlightRule[]): void {
    this.source = source;
    this.rules = source.flatMap(compile);
    const styles = this.rules.map(({ color, wholeLine }, index) =>
      wholeLine ? "" : `::highlight(rule-${index}) { color: ${readableOn(color)}; }`,
    );
    this.sheet.replaceSync(styles.join("\n"));
    for (const name of [...CSS.highlights.keys()].filter((each) => each.startsWith("rule-"))) {
      CSS.highlights.delete(name);
    }
  }

  /** The theme is another: colors must be readable on its background. */
  refresh(): void {
    this.set(this.source);
  }

  /** The color a whole line is tinted with. */
  tintOf(text: string): string {
    const rule = this.rules.find(({ matcher, wholeLine }) => wholeLine && text.search(matcher) >= 0);
    return rule ? `color-mix(in srgb, ${rule.color} ${100 * TINT}%, transparent)` : "";
  }

  /** Calls `paint` with each rule's name and the columns it matches. */
  matches(text: string, paint: (name: string, start: number, end: number) => void): void {
    this.rules.forEach(({ matcher, wholeLine }, index) => {
      for (const match of wholeLine ? [] : text.slice(0, REACH).matchAll(matcher)) {
        paint(`rule-${index}`, match.index, match.index + match[0].length);
      }
    });
  }

  get names(): string[] {
    return this.rules.map((_, index) => `rule-${index}`);
  }
}

/** A pattern that does not compile, or a color that is none, is left out: the settings editor shows the value. */
function compile({ pattern, color, wholeLine = false, ignoreCase = false }: HighlightRule): CompiledRule[] {
  try {
    const known = typeof color === "string" && CSS.supports("color", color);
    const matcher = new RegExp(pattern, ignoreCase ? "giu" : "gu");
    return known && pattern !== "" ? [{ matcher, color, wholeLine }] : [];
  } catch {
    return [];
  }
}
