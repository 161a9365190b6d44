import * as vscode from "vscode";
import type { Daemon } from "../daemon";
import type { ViewerCommand } from "./messages";
import { formatNumber, parseTarget } from "./numbers";
import { offerForLargeFiles } from "./offer";
import { ViewerPanel } from "./panel";
import { registerPeek } from "./peek";
import { reopenWithEncoding } from "./reopenWithEncoding";
import { StatusItems } from "./statusItems";
import { parseTime } from "./times";
import { ViewedFile } from "./viewedFile";
import { ViewerMemory } from "./viewerMemory";

const VIEWER = "forge.viewer";
/** Commands that the page carries out; `forge.viewer.` stands before each. */
const PAGE_COMMANDS: ViewerCommand[] = [
  "find",
  "findNext",
  "findPrevious",
  "findSelection",
  "goToFirst",
  "goToLast",
  "copy",
  "copyWithLineNumbers",
  "copyWithColors",
  "toggleWordWrap",
  "copyPathWithLine",
  "openLink",
  "toggleBookmark",
  "nextBookmark",
  "previousBookmark",
  "nextError",
  "previousError",
  "filter",
  "filterBySelection",
  "filterOutSelection",
  "showWholeFile",
  "follow",
  "stopFollowing",
];

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
    command("reopenWithEncoding", reopenWithEncoding),
    ...PAGE_COMMANDS.map((name) => command(name, (panel) => panel.run(name))),
    registerPeek(daemon, fileToRead),
    offerForLargeFiles(context, open),
  );
}

/** Every open viewer, and the status bar items of the active one. */
class Viewers implements vscode.CustomReadonlyEditorProvider<ViewedFile>, vscode.Disposable {
  private readonly panels = new Set<ViewerPanel>();
  private readonly memory: ViewerMemory;
  private readonly status = new StatusItems();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly daemon: Daemon,
  ) {
    this.memory = new ViewerMemory(context.workspaceState);
  }

  get active(): ViewerPanel | undefined {
    return [...this.panels].find(({ panel }) => panel.active);
  }

  openCustomDocument(uri: vscode.Uri): Promise<ViewedFile> {
    return ViewedFile.open(uri, this.daemon, this.memory.encodings);
  }

  resolveCustomEditor(file: ViewedFile, webviewPanel: vscode.WebviewPanel): void {
    const { extensionUri } = this.context;
    const panel = new ViewerPanel(webviewPanel, file, this.daemon, this.memory, extensionUri);
    const showStatus = () => this.status.show(this.active?.file.name ?? "", this.active?.known);
    this.panels.add(panel);
    panel.onDidMove(showStatus);
    webviewPanel.onDidDispose(() => {
      this.panels.delete(panel);
      showStatus();
    });
  }

  dispose(): void {
    this.status.dispose();
  }
}

async function askForLine(panel: ViewerPanel): Promise<void> {
  const { lines, exact } = panel.known?.total ?? { lines: 0, exact: true };
  const target = (text: string) => parseTarget(text, lines);
  const text = await vscode.window.showInputBox({
    title: `Go to Line of ${panel.file.name}`,
    prompt: `1 to ${exact ? "" : "about "}${formatNumber(lines)}, a share such as 50%, or a time such as 14:05:31 or 2026-11-16 14:05`,
    validateInput: (text) =>
      text === "" || target(text) !== null || parseTime(text) !== null
        ? undefined
        : "Enter a line number, a share such as 50%, or a time: 14:05, 14:05:31, 2026-11-16, 2026-11-16 14:05, Nov 16 14:05.",
  });
  const line = text === undefined ? null : target(text);
  const time = text === undefined || line !== null ? null : parseTime(text);
  if (line !== null) {
    await panel.goTo(line);
  } else if (text !== undefined && time !== null) {
    await panel.goToTime({ text: text.trim(), time });
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
