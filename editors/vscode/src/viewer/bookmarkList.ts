import * as vscode from "vscode";
import { formatNumber } from "./numbers";
import type { ViewerPanel } from "./panel";

interface Item extends vscode.QuickPickItem {
  line: number;
}

const REMOVE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("trash"),
  tooltip: "Remove Bookmark",
};

/** *Go to Bookmark…*: every bookmark of the file with its text. The viewer goes along with the choice. */
export async function goToBookmark(panel: ViewerPanel): Promise<void> {
  const before = panel.known?.line ?? 1;
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = `Bookmarks of ${panel.file.name}`;
  pick.placeholder = "No bookmarks. Ctrl+F2 sets one.";
  pick.matchOnDescription = true;
  let chosen: number | undefined;
  /** The first of them is made active by VS Code, not by the reader. */
  let isFilled = false;
  const fill = async () => {
    isFilled = false;
    pick.items = await itemsOf(panel);
    if (pick.items.length > 0) pick.placeholder = "Line, or text of a line";
  };
  pick.onDidChangeActive(([item]) => {
    if (item !== undefined && isFilled) void panel.goAlong(item.line);
    isFilled ||= item !== undefined;
  });
  pick.onDidTriggerItemButton(({ item }) => {
    panel.marks.toggleBookmark(item.line);
    void fill();
  });
  pick.onDidAccept(() => {
    chosen = pick.selectedItems[0]?.line;
    pick.hide();
  });
  const hidden = new Promise<void>((done) => {
    pick.onDidHide(done);
  });
  pick.show();
  await fill();
  await hidden;
  pick.dispose();
  if (chosen === undefined) {
    await panel.goAlong(before); // the reader may have turned to something else
  } else {
    await panel.goTo(chosen);
  }
}

async function itemsOf({ file, marks }: ViewerPanel): Promise<Item[]> {
  const lines = [...marks.bookmarks].sort((one, other) => one - other);
  return await Promise.all(
    lines.map(async (line) => {
      const [text = ""] = await file.read((snapshot) => snapshot.texts(line, 1));
      return { line, label: formatNumber(line), description: text.trim(), buttons: [REMOVE] };
    }),
  );
}
