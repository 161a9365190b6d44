import * as vscode from "vscode";
import type { Daemon } from "../daemon";
import { askForLabel, askForLevel, askForLine, askForLinesToSelect } from "./asking";
import { goToBookmark } from "./bookmarkList";
import { Fields } from "./fields";
import { CHIP_COMMANDS, type ChipCommand, PAGE_COMMANDS } from "./messages";
import { isForViewer, offerForLargeFiles } from "./offer";
import { ViewerPanel } from "./panel";
import { registerPeek } from "./peek";
import { reopenWithEncoding } from "./reopenWithEncoding";
import { applyFilter, saveFilter } from "./savedFilters";
import { StatusItems } from "./statusItems";
import { ViewedFile } from "./viewedFile";
import { ViewerMemory } from "./viewerMemory";

const VIEWER = "forge.viewer";
const ROTATED_VIEWER = "forge.viewer.rotated";

/** Opens a file with some of its text selected; one that the viewer is offered for, in the viewer at that line. */
export type OpenAt = (file: vscode.Uri, range: vscode.Range) => Promise<void>;

/** Registers the large-file viewer, its commands, and *Peek Lines*. */
export function registerViewer(context: vscode.ExtensionContext, daemon: Daemon): OpenAt {
  const viewers = new Viewers(context, daemon);
  const open = async (uri?: vscode.Uri) => {
    const file = await fileToRead("Open in Forge Viewer", uri);
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
  const openRotated = async (uri?: vscode.Uri) => {
    const file = await fileToRead("Open with Rotated Files", uri);
    if (file !== undefined) {
      await vscode.commands.executeCommand("vscode.openWith", file, ROTATED_VIEWER);
    }
  };
  const command = (name: string, run: (panel: ViewerPanel) => unknown) =>
    vscode.commands.registerCommand(`forge.viewer.${name}`, () => viewers.active && run(viewers.active));
  const chipCommand = (name: ChipCommand) =>
    vscode.commands.registerCommand(`forge.viewer.chip.${name}`, (menu?: { chip?: number | null }) =>
      viewers.active?.runOnChip(name, menu?.chip ?? null),
    );
  context.subscriptions.push(
    viewers,
    ...[VIEWER, ROTATED_VIEWER].map((viewType) =>
      vscode.window.registerCustomEditorProvider(viewType, viewers.provider(viewType === ROTATED_VIEWER), {
        supportsMultipleEditorsPerDocument: true,
      }),
    ),
    vscode.commands.registerCommand("forge.openInViewer", open),
    vscode.commands.registerCommand("forge.openWithRotated", openRotated),
    command("goToLine", askForLine),
    command("goToBookmark", goToBookmark),
    command("selectLines", askForLinesToSelect),
    command("labelSelection", askForLabel),
    command("filterByLevel", askForLevel),
    command("saveFilter", saveFilter),
    command("applyFilter", applyFilter),
    command("reopenWithEncoding", reopenWithEncoding),
    command("showFields", (panel) => viewers.fields.show(panel)),
    command("openLinkedView", (panel) => viewers.openLinked(panel)),
    ...PAGE_COMMANDS.map((name) => command(name, (panel) => panel.run(name))),
    ...CHIP_COMMANDS.map(chipCommand),
    registerPeek(daemon, fileToRead),
    offerForLargeFiles(context, open),
  );
  return (file, range) => viewers.openAt(file, range);
}

/** Every open viewer, and the status bar items of the active one. */
class Viewers implements vscode.Disposable {
  private readonly panels = new Set<ViewerPanel>();
  private readonly memory: ViewerMemory;
  private readonly status = new StatusItems();
  readonly fields: Fields;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly daemon: Daemon,
  ) {
    this.memory = new ViewerMemory(context.workspaceState);
    this.fields = new Fields(daemon);
  }

  get active(): ViewerPanel | undefined {
    return [...this.panels].find(({ panel }) => panel.active);
  }

  /** `isRotated`: files are shown with their rotated ones. */
  provider(isRotated: boolean): vscode.CustomReadonlyEditorProvider<ViewedFile> {
    return {
      openCustomDocument: (uri) => ViewedFile.open(uri, this.daemon, this.memory.encodings, isRotated),
      resolveCustomEditor: (file, panel) => this.show(file, panel),
    };
  }

  private show(file: ViewedFile, webviewPanel: vscode.WebviewPanel): void {
    const { extensionUri } = this.context;
    const panel = new ViewerPanel(webviewPanel, file, this.daemon, this.memory, extensionUri);
    const showStatus = () => this.status.show(this.active?.file.name ?? "", this.active?.known);
    this.panels.add(panel);
    panel.onDidMove(() => {
      showStatus();
      this.fields.moved(panel);
    });
    webviewPanel.onDidDispose(() => {
      this.panels.delete(panel);
      showStatus();
    });
  }

  /** Another viewer of the same file to the side, which goes along with every move in this one. */
  async openLinked(source: ViewerPanel): Promise<void> {
    const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    await vscode.commands.executeCommand("vscode.openWith", source.file.uri, source.panel.viewType, options);
    const beside = [...this.panels].findLast((each) => each !== source && each.file === source.file);
    if (beside !== undefined) {
      source.link(beside);
    }
  }

  /** The viewer may be the user's choice for the file, whatever its size. */
  async openAt(file: vscode.Uri, range: vscode.Range): Promise<void> {
    if (await isForViewer(file)) {
      await vscode.commands.executeCommand("vscode.openWith", file, VIEWER);
    } else {
      await vscode.commands.executeCommand("vscode.open", file, { selection: range });
    }
    const { active } = this;
    if (active?.file.uri.toString() === file.toString()) {
      await active.goTo(range.start.line + 1);
    }
  }

  dispose(): void {
    this.status.dispose();
    this.fields.dispose();
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
