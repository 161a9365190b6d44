import * as vscode from "vscode";
import type { Daemon } from "../daemon";
import { formatBytes, formatNumber, formatPosition, parseTarget } from "./numbers";
import { offerForLargeFiles } from "./offer";
import { ViewerPanel } from "./panel";
import { registerPeek } from "./peek";
import { Places } from "./places";
import { ViewedFile } from "./viewedFile";

const VIEWER = "forge.viewer";

/** Registers the large-file viewer, its commands, and *Peek Lines*. */
export function registerViewer(context: vscode.ExtensionContext, daemon: Daemon): void {
  const viewers = new Viewers(context, daemon);
  const open = async (uri?: vscode.Uri) => {
    const file = await fileToRead("Open in Viewer", uri);
    if (file !== undefined) {
      const { tabGroups } = vscode.window;
      const takesItsPlace = isTextEditorOf(file, tabGroups.activeTabGroup.activeTab);
      await vscode.commands.executeCommand("vscode.openWith", file, VIEWER);
      if (takesItsPlace) {
        // Looked for again: VS Code may have replaced the tab objects meanwhile.
        await tabGroups.close(tabGroups.activeTabGroup.tabs.filter((tab) => isTextEditorOf(file, tab)));
      }
    }
  };
  const command = (name: string, run: (panel: ViewerPanel) => unknown) =>
    vscode.commands.registerCommand(`forge.viewer.${name}`, () => viewers.active && run(viewers.active));
  context.subscriptions.push(
    viewers,
    vscode.window.registerCustomEditorProvider(VIEWER, viewers, { supportsMultipleEditorsPerDocument: true }),
    vscode.commands.registerCommand("forge.openInViewer", open),
    command("goToLine", askForLine),
    command("goToFirst", (panel) => panel.run("goToFirst")),
    command("goToLast", (panel) => panel.run("goToLast")),
    command("find", (panel) => panel.run("find")),
    command("findNext", (panel) => panel.run("findNext")),
    command("findPrevious", (panel) => panel.run("findPrevious")),
    registerPeek(daemon, fileToRead),
    offerForLargeFiles(context, open),
  );
}

/** Every open viewer, and the status bar items of the active one. */
class Viewers implements vscode.CustomReadonlyEditorProvider<ViewedFile>, vscode.Disposable {
  private readonly panels = new Set<ViewerPanel>();
  private readonly places: Places;
  private readonly status = vscode.window.createStatusBarItem(
    "forge.position",
    vscode.StatusBarAlignment.Right,
    100,
  );

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly daemon: Daemon,
  ) {
    this.places = new Places(context.workspaceState);
    this.status.name = "Forge Viewer: Line";
    this.status.command = "forge.viewer.goToLine";
  }

  get active(): ViewerPanel | undefined {
    return [...this.panels].find(({ panel }) => panel.active);
  }

  openCustomDocument(uri: vscode.Uri): Promise<ViewedFile> {
    return ViewedFile.open(uri, this.daemon);
  }

  resolveCustomEditor(file: ViewedFile, webviewPanel: vscode.WebviewPanel): void {
    const { extensionUri } = this.context;
    const panel = new ViewerPanel(webviewPanel, file, this.daemon, this.places, extensionUri);
    this.panels.add(panel);
    panel.onDidMove(() => this.showPosition());
    webviewPanel.onDidDispose(() => {
      this.panels.delete(panel);
      this.showPosition();
    });
  }

  dispose(): void {
    this.status.dispose();
  }

  private showPosition(): void {
    const { active } = this;
    if (active?.known === undefined) {
      this.status.hide();
      return;
    }
    const { total, byteLength, line } = active.known;
    const position = formatPosition(line, total);
    const lines = `${total.exact ? "" : "about "}${formatNumber(total.lines)} lines`;
    this.status.text = position;
    this.status.tooltip = `${active.file.name}: ${lines}, ${formatBytes(byteLength)}\nGo to Line…`;
    this.status.accessibilityInformation = { label: `Line ${position.replace(" / ", " of ")}` };
    this.status.show();
  }
}

async function askForLine(panel: ViewerPanel): Promise<void> {
  const { lines, exact } = panel.known?.total ?? { lines: 0, exact: true };
  const target = (text: string) => parseTarget(text, lines);
  const text = await vscode.window.showInputBox({
    title: `Go to Line of ${panel.file.name}`,
    prompt: `1 to ${exact ? "" : "about "}${formatNumber(lines)}, or a share of the file such as 50%`,
    validateInput: (text) =>
      text === "" || target(text) !== null ? undefined : "Enter a line number, or a share such as 50%.",
  });
  const line = text === undefined ? null : target(text);
  if (line !== null) {
    panel.goTo(line);
  }
}

/** The file given to a command, else the active tab's, else one that the user picks. */
async function fileToRead(action: string, uri?: vscode.Uri): Promise<vscode.Uri | undefined> {
  const known = uri instanceof vscode.Uri ? uri : fileInFront();
  if (known?.scheme === "file") {
    return known;
  }
  const picked = await vscode.window.showOpenDialog({ canSelectMany: false, openLabel: action });
  return picked?.[0];
}

/** Taken from the tab: a file that is too large for VS Code has no text editor. */
function fileInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const showsFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return showsFile ? input.uri : undefined;
}

/** False for an editor with unsaved edits: it is not closed. */
function isTextEditorOf(file: vscode.Uri, tab: vscode.Tab | undefined): boolean {
  const input = tab?.input;
  return input instanceof vscode.TabInputText && input.uri.toString() === file.toString() && !tab?.isDirty;
}
