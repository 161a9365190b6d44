import * as vscode from "vscode";
import { type Daemon, ForgeError } from "../daemon";
import type { FindMatch } from "../protocol";
import type { OpenAt } from "../viewer";
import { expressionProblem } from "../viewer/expressionProblem";
import { formatNumber } from "../viewer/numbers";
import { columnsOf, type Found, preview, type Query, search, skippedText, summaryOf } from "./found";

const PAUSE_MS = 200;

interface Item extends vscode.QuickPickItem {
  /** Where a found line is; undefined for what is only said. */
  place?: { file: vscode.Uri; range: vscode.Range };
}

interface Toggle {
  readonly name: string;
  readonly icon: string;
  isOn: boolean;
}

/** *Forge: Search in Workspace…*. What is switched on stays so while the window is open. */
export function registerSearch(daemon: Daemon, openAt: OpenAt): vscode.Disposable {
  const toggles: Toggle[] = [
    { name: "Match Case", icon: "case-sensitive", isOn: false },
    { name: "Match Whole Word", icon: "whole-word", isOn: false },
    { name: "Use Regular Expression", icon: "regex", isOn: false },
  ];
  return vscode.commands.registerCommand("forge.searchInWorkspace", () => {
    new QuickSearch(daemon, openAt, toggles).show();
  });
}

class QuickSearch {
  private readonly pick = vscode.window.createQuickPick<Item>();
  private running = new vscode.CancellationTokenSource();
  private pause: NodeJS.Timeout | undefined;

  constructor(
    private readonly daemon: Daemon,
    private readonly openAt: OpenAt,
    private readonly toggles: readonly Toggle[],
  ) {
    const { pick } = this;
    pick.placeholder = "Text to search for in all files of the workspace";
    pick.value = selectedText();
    // Not in the API's types, but heeded: without it VS Code sorts the items by their labels and shows no separators.
    Object.assign(pick, { sortByLabel: false });
    pick.onDidChangeValue(() => this.start(PAUSE_MS));
    pick.onDidTriggerButton((button) => this.toggle(pick.buttons.indexOf(button)));
    pick.onDidAccept(() => this.accept());
    pick.onDidHide(() => {
      this.stop();
      pick.dispose();
    });
  }

  show(): void {
    this.showToggles();
    this.pick.show();
    this.start(0);
  }

  private toggle(index: number): void {
    for (const toggle of this.toggles.slice(index, index + 1)) toggle.isOn = !toggle.isOn;
    this.showToggles();
    this.start(0);
  }

  private showToggles(): void {
    this.pick.buttons = this.toggles.map(({ name, icon, isOn }) => ({
      iconPath: new vscode.ThemeIcon(icon),
      tooltip: `${name}: ${isOn ? "on" : "off"}`,
    }));
    this.say();
  }

  private get query(): Query {
    const [matchCase, wholeWord, regex] = this.toggles.map(({ isOn }) => isOn);
    return {
      pattern: this.pick.value,
      regex: regex === true,
      whole_word: wholeWord === true,
      ignore_case: !matchCase,
    };
  }

  private stop(): void {
    clearTimeout(this.pause);
    this.running.cancel();
    this.running.dispose();
    this.pick.busy = false;
  }

  /** What was searched for before is not any more. */
  private start(pause: number): void {
    this.stop();
    this.running = new vscode.CancellationTokenSource();
    if (this.pick.value === "") {
      this.pick.items = [];
      this.say();
      return;
    }
    const { token } = this.running;
    this.pick.busy = true;
    this.pause = setTimeout(() => void this.run(token), pause);
  }

  private async run(token: vscode.CancellationToken): Promise<void> {
    const { pick, query } = this;
    const open = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const folders = open.filter(({ scheme }) => scheme === "file");
    // VS Code marks what is typed where it occurs in a line. What an expression matches it does not know.
    pick.matchOnDescription = !query.regex;
    this.say();
    try {
      let listed = 0;
      for await (const found of search(this.daemon, query, folders, token)) {
        this.list(found, listed);
        listed = found.lines;
      }
      if (folders.length === 0) pick.items = [remark("No folder is open")];
    } catch (error) {
      if (token.isCancellationRequested) return;
      pick.items = [failure(error)];
    }
    pick.busy = false;
  }

  /** `listed`: how many lines of it are in the list already. The reader may be among them. */
  private list(found: Found, listed: number): void {
    const { pick } = this;
    const active = pick.items.indexOf(pick.activeItems[0] as Item);
    const goesOn = listed > 0 && active >= 0;
    pick.keepScrollPosition = goesOn;
    pick.items = [...found.files.flatMap(itemsOf), ...remarksOn(found)];
    if (goesOn) pick.activeItems = pick.items.slice(active, active + 1);
    this.say(found.lines > 0 ? summaryOf(found) : undefined);
  }

  private say(summary?: string): void {
    const on = this.toggles.filter(({ isOn }) => isOn).map(({ name }) => name);
    this.pick.title = ["Search in Workspace", ...on, ...(summary === undefined ? [] : [summary])].join(" · ");
  }

  private async accept(): Promise<void> {
    const place = this.pick.selectedItems[0]?.place;
    if (place === undefined) return;
    this.pick.hide();
    try {
      await this.openAt(place.file, place.range);
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }
}

/** What is selected in the text editor, if it is within a line. */
function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor?.selection.isSingleLine ? editor.document.getText(editor.selection) : "";
}

function itemsOf({ folder, file: { path, matches, more } }: Found["files"][number]): Item[] {
  const file = vscode.Uri.joinPath(folder, path);
  const count =
    more > 0 ? `: ${formatNumber(matches.length)} of ${formatNumber(matches.length + more)} lines` : "";
  return [
    { label: `${vscode.workspace.asRelativePath(file)}${count}`, kind: vscode.QuickPickItemKind.Separator },
    ...matches.map((match) => ({
      label: formatNumber(match.line),
      description: preview(match),
      alwaysShow: true,
      place: { file, range: rangeOf(match) },
    })),
  ];
}

function rangeOf(match: FindMatch): vscode.Range {
  const [start, end] = columnsOf(match);
  return new vscode.Range(match.line - 1, start, match.line - 1, end);
}

function remarksOn({ lines, state, skipped }: Found): Item[] {
  const left = skippedText(skipped);
  return [
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...(state === "done" && lines === 0 ? [remark("No match")] : []),
    ...(state === "full" ? [remark("There may be more: type more to narrow it down")] : []),
    ...(left === "" ? [] : [remark(`Not searched: ${left}`)]),
  ];
}

function remark(label: string): Item {
  return { label: `$(info) ${label}`, alwaysShow: true };
}

function failure(error: unknown): Item {
  const message = expressionProblem(error) ?? (error instanceof Error ? error.message : String(error));
  const hint = error instanceof ForgeError ? (error.data.hint ?? "") : "";
  return { label: `$(error) ${message}`, detail: hint, alwaysShow: true };
}
