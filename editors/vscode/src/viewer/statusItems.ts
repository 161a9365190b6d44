import * as vscode from "vscode";
import { shortName } from "./encodings";
import { formatDuration } from "./isoTimes";
import type { Known } from "./known";
import type { Selected } from "./messages";
import { formatBytes, formatNumber, formatPosition } from "./numbers";

const LINE_ENDS = { lf: "LF", crlf: "CRLF", mixed: "LF and CRLF", none: "" };

/** Position, encoding and end of line of the active viewer, where VS Code shows those of its editors. */
export class StatusItems implements vscode.Disposable {
  private readonly position = item("forge.position", "Forge Viewer: Position", 103);
  private readonly filter = item("forge.filter", "Forge Viewer: Filter", 105);
  private readonly following = item("forge.following", "Forge Viewer: Follow", 104);
  private readonly encoding = item("forge.encoding", "Forge Viewer: Encoding", 102);
  private readonly eol = item("forge.eol", "Forge Viewer: End of Line", 101);

  constructor() {
    this.position.command = "forge.viewer.goToLine";
    this.filter.command = "forge.viewer.filter";
    this.encoding.command = "forge.viewer.reopenWithEncoding";
    this.encoding.tooltip = "Reopen with Encoding…";
    this.following.command = "forge.viewer.stopFollowing";
    this.following.text = "$(arrow-down) Following";
    this.following.tooltip = "New lines are shown as they come. Click or press F to stop.";
  }

  show(name: string, known: Known | undefined): void {
    void vscode.commands.executeCommand("setContext", "forge.viewer.following", known?.following ?? false);
    if (known?.following) this.following.show();
    else this.following.hide();
    this.showFilter(known);
    if (known === undefined) {
      this.position.hide();
      this.encoding.hide();
      this.eol.hide();
      return;
    }
    const { total, byteLength, line, column, selected, duration, text, isOld } = known;
    const position = `${isOld ? `${formatNumber(line)} (old)` : formatPosition(line, total)}, Col ${formatNumber(column + 1)}`;
    const lines = `${total.exact ? "" : "about "}${formatNumber(total.lines)} lines`;
    this.position.text = `${position}${selected ? ` (${selection(selected, duration)})` : ""}`;
    this.position.tooltip = `${name}: ${lines}, ${formatBytes(byteLength)}${text?.compression ? `, compressed (${text.compression})` : ""}\nGo to Line or Time…`;
    this.position.accessibilityInformation = {
      label: `Line ${this.position.text.replace(" / ", " of ").replace("Col", "column")}`,
    };
    this.position.show();
    const withBom = text?.bom && text.encoding === "utf-8" ? " with BOM" : "";
    this.encoding.text = text ? `${shortName(text.encoding)}${withBom}` : "";
    this.eol.text = LINE_ENDS[text?.eol ?? "none"];
    for (const each of [this.encoding, this.eol]) {
      if (each.text === "") each.hide();
      else each.show();
    }
  }

  private showFilter(known: Known | undefined): void {
    void vscode.commands.executeCommand("setContext", "forge.viewer.filtered", known?.shown != null);
    if (known?.shown == null) {
      this.filter.hide();
      return;
    }
    const { lines, exact } = known.shown;
    this.filter.text = `$(filter) ${exact ? "" : "~"}${formatNumber(lines)} line${lines === 1 ? "" : "s"}`;
    this.filter.tooltip = `Shown: ${formatNumber(lines)} of ${formatNumber(known.total.lines)} lines.`;
    this.filter.show();
  }

  dispose(): void {
    vscode.Disposable.from(this.filter, this.following, this.position, this.encoding, this.eol).dispose();
  }
}

function item(id: string, name: string, priority: number): vscode.StatusBarItem {
  const created = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, priority);
  created.name = name;
  return created;
}

function selection({ lines, characters }: Selected, duration: number | null): string {
  if (characters !== null) return `${formatNumber(characters)} selected`;
  const selected = lines === 1 ? "1 line selected" : `${formatNumber(lines)} lines selected`;
  return duration === null ? selected : `${selected}, ${formatDuration(duration)}`;
}
