import * as vscode from "vscode";
import { formatBytes } from "./numbers";

const MEGABYTE = 1_000_000;
const ASKED = "forge.viewer.askedForLargeFileConfirmation";

/** Offers the viewer where VS Code refuses or degrades a file for its size. */
export function offerForLargeFiles(
  context: vscode.ExtensionContext,
  open: (uri: vscode.Uri) => Promise<void>,
): vscode.Disposable {
  const offered = new Set<string>();
  const consider = async (tab: vscode.Tab) => {
    const { input } = tab;
    if (!(input instanceof vscode.TabInputText) || input.uri.scheme !== "file") {
      return;
    }
    const limit = vscode.workspace.getConfiguration("forge").get<number>("viewer.offerAbove") ?? 0;
    const size = await sizeOf(input.uri);
    if (limit === 0 || size <= limit * MEGABYTE || offered.has(input.uri.toString())) {
      return;
    }
    offered.add(input.uri.toString());
    if (await accepted(tab, size)) {
      await open(input.uri);
      await askToStopLoading(context, size, limit);
    }
  };
  for (const tab of vscode.window.tabGroups.all.map((group) => group.activeTab)) {
    if (tab !== undefined) {
      void consider(tab);
    }
  }
  return vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
    for (const tab of [...opened, ...changed].filter((tab) => tab.isActive)) {
      void consider(tab);
    }
  });
}

async function sizeOf(uri: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return 0;
  }
}

async function accepted(tab: vscode.Tab, size: number): Promise<boolean> {
  const text = `${tab.label} has ${formatBytes(size)}. The viewer shows it at once, whatever its size.`;
  const answer = await vscode.window.showInformationMessage(text, "Open in Viewer", "Never Offer");
  if (answer === "Never Offer") {
    const settings = vscode.workspace.getConfiguration("forge");
    await settings.update("viewer.offerAbove", 0, vscode.ConfigurationTarget.Global);
  }
  return answer === "Open in Viewer";
}

/**
 * Below its own limit VS Code keeps loading the file in the background. Only the user's setting changes that limit, so it is
 * written with consent, and asked for once.
 */
async function askToStopLoading(
  context: vscode.ExtensionContext,
  size: number,
  limit: number,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration("workbench");
  const stopsAbove = settings.get<number>("editorLargeFileConfirmation");
  if (stopsAbove === undefined || size > stopsAbove * 1024 * 1024 || context.globalState.get(ASKED, false)) {
    return;
  }
  const text = `VS Code loads files of up to ${formatBytes(stopsAbove * 1024 * 1024)} before the viewer can open them. Let it ask first above ${limit} MB?`;
  const answer = await vscode.window.showInformationMessage(text, "Ask First", "Leave It");
  if (answer !== undefined) {
    await context.globalState.update(ASKED, true);
  }
  if (answer === "Ask First") {
    await settings.update("editorLargeFileConfirmation", limit, vscode.ConfigurationTarget.Global);
  }
}
