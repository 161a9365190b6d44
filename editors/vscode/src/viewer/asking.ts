/** Commands that ask the reader for something first. */

import * as vscode from "vscode";
import { LEVELS } from "./messages";
import { formatNumber, parseLines, parseTarget } from "./numbers";
import type { ViewerPanel } from "./panel";

const LABEL_COLORS = ["Yellow", "Green", "Blue", "Red", "Purple", "Orange", "Cyan", "Magenta", "White"];

export async function askForLine(panel: ViewerPanel): Promise<void> {
  const { lines, exact } = panel.known?.total ?? { lines: 0, exact: true };
  const target = (text: string) => parseTarget(text, lines);
  const text = await vscode.window.showInputBox({
    title: `Go to Line of ${panel.file.name}`,
    prompt: `1 to ${exact ? "" : "about "}${formatNumber(lines)}, a share such as 50%, or a time such as 14:05:31, 2026-11-16 14:05 or -2h`,
    validateInput: (text) =>
      text.trim() === "" || target(text) !== null || /[:T-]/.test(text)
        ? undefined
        : "Enter a line number, a share such as 50%, or a time: 14:05, 14:05:31, 2026-11-16, 2026-11-16 14:05, -2h.",
    ignoreFocusOut: true, // the viewer gets the focus back late when the palette closes
  });
  const line = text === undefined ? null : target(text);
  if (line !== null) {
    await panel.goTo(line);
  } else if (text !== undefined && text.trim() !== "") {
    await panel.goToTime(text.trim());
  }
}

export async function askForLinesToSelect(panel: ViewerPanel): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: `Select Lines of ${panel.file.name}`,
    prompt: "From line to line, such as 1200-1300, or 1200+50 for 50 lines",
    validateInput: (text) =>
      text === "" || parseLines(text, 0) !== null ? undefined : "Enter lines such as 1200-1300 or 1200+50.",
    ignoreFocusOut: true, // as above
  });
  const lines = text === undefined ? null : parseLines(text, 0);
  if (lines !== null) {
    await panel.selectLines(lines.start, lines.end);
  }
}

export async function askForLabel(panel: ViewerPanel): Promise<void> {
  const items = LABEL_COLORS.map((color, index) => ({
    label: color,
    description: `key ${index + 1}`,
    color: index + 1,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Label the Selection, or the Word at the Cursor",
    placeHolder: "A color; the same one again takes the label away",
  });
  if (chosen !== undefined) {
    panel.label(chosen.color);
  }
}

export async function askForLevel(panel: ViewerPanel): Promise<void> {
  const items = [null, ...LEVELS].map((level) => ({
    label: level === null ? "All Levels" : capitalized(level),
    description: level === null || level === "critical" ? "" : "and above",
    level,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: "Filter by Level",
    placeHolder: "Show records of this level and above",
  });
  if (chosen !== undefined) {
    panel.setConditions({ level: chosen.level });
  }
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
