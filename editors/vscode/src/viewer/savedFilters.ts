import * as vscode from "vscode";
import type { ViewerPanel } from "./panel";
import { filterOfSaved, type SavedFilter, type SavedTerm, savedOf } from "./savedFilterFormat";

const SECTION = "forge.viewer";

interface Item extends vscode.QuickPickItem {
  filter: SavedFilter;
}

const REMOVE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("trash"),
  tooltip: "Remove from the Settings",
};

/** *Save Filter…*: into the settings of the workspace, which a team can share. */
export async function saveFilter(panel: ViewerPanel): Promise<void> {
  const { filter } = panel;
  if (filter === null) {
    void vscode.window.showInformationMessage("No filter is on. Ctrl+Alt+F opens the filter bar.");
    return;
  }
  const name = await vscode.window.showInputBox({
    title: "Save Filter",
    prompt: "A name for the filter",
    ignoreFocusOut: true, // the viewer gets the focus back late when the palette closes
  });
  if (name?.trim()) {
    const saved = savedOf(name.trim(), filter);
    await store([...savedFilters().filter((each) => each.name !== saved.name), saved]);
  }
}

/** *Apply Filter…* */
export async function applyFilter(panel: ViewerPanel): Promise<void> {
  const pick = vscode.window.createQuickPick<Item>();
  const fill = () => {
    pick.items = savedFilters().map((filter) => ({
      label: filter.name,
      description: summaryOf(filter),
      buttons: [REMOVE],
      filter,
    }));
    pick.placeholder = pick.items.length > 0 ? "A filter" : "None is saved yet: Forge: Save Filter…";
  };
  pick.title = "Apply Filter";
  pick.onDidTriggerItemButton(async ({ item }) => {
    await store(savedFilters().filter(({ name }) => name !== item.filter.name));
    fill();
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    if (chosen !== undefined) panel.applyFilter(filterOfSaved(chosen.filter));
    pick.hide();
  });
  pick.onDidHide(() => pick.dispose());
  fill();
  pick.show();
}

function savedFilters(): SavedFilter[] {
  const saved = vscode.workspace.getConfiguration(SECTION).get<unknown>("filters", []);
  return Array.isArray(saved) ? saved.filter((each) => typeof each?.name === "string") : [];
}

/** Where they are kept already; else in the workspace, if one is open. */
async function store(filters: SavedFilter[]): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const { workspaceValue, globalValue } = settings.inspect("filters") ?? {};
  const isShared = workspaceValue !== undefined || globalValue === undefined;
  const target =
    isShared && vscode.workspace.workspaceFolders !== undefined
      ? vscode.ConfigurationTarget.Workspace
      : vscode.ConfigurationTarget.Global;
  await settings.update("filters", filters, target);
}

function summaryOf({ any = [], all = [], none = [], level, since, until }: SavedFilter): string {
  const patterns = (terms: SavedTerm[]) =>
    terms.map((term) => (typeof term === "string" ? term : term.pattern));
  return [
    patterns(any).join(" or "),
    ...patterns(all).map((pattern) => `and ${pattern}`),
    ...patterns(none).map((pattern) => `not ${pattern}`),
    level && `${level} and above`,
    since && `from ${since}`,
    until && `until ${until}`,
  ]
    .filter(Boolean)
    .join(", ");
}
