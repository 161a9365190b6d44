import { extname } from "node:path";
import * as vscode from "vscode";
import { matches } from "./languageOf";
import { formatBytes } from "./numbers";

const MEGABYTE = 1024 * 1024;
/** How long VS Code shows a notification before it moves it to the notification centre. */
const TOAST_MS = 15_000;
const ASKED = "forge.viewer.askedForLargeFileConfirmation";

/** Offers the viewer where VS Code refuses a file for its size, and above `forge.viewer.offerAbove`. */
export function offerForLargeFiles(
  context: vscode.ExtensionContext,
  open: (uri: vscode.Uri) => Promise<void>,
): vscode.Disposable {
  const offered = new Set<string>();
  /** Offers that are still open in the notification centre. */
  const pending = new Set<string>();
  const consider = async (tab: vscode.Tab) => {
    const { input } = tab;
    if (!(input instanceof vscode.TabInputText) || input.uri.scheme !== "file") {
      return;
    }
    const name = input.uri.toString();
    const limit = vscode.workspace.getConfiguration("forge").get<number>("viewer.offerAbove") ?? 0;
    const size = await sizeOf(input.uri);
    const refused = size > refusedAbove(input.uri);
    const isLarge = size > limit * MEGABYTE;
    // A file that VS Code refuses shows nothing, so the offer comes back; one that it shows is offered once.
    if (limit === 0 || pending.has(name) || !(refused || (isLarge && !offered.has(name)))) {
      return;
    }
    if (isAlwaysOpened(input.uri)) {
      await open(input.uri);
      return;
    }
    offered.add(name);
    pending.add(name);
    const timeout = setTimeout(() => pending.delete(name), TOAST_MS);
    const yes = await accepted(tab, input.uri, size);
    clearTimeout(timeout);
    pending.delete(name);
    if (yes) {
      await open(input.uri);
      await askToStopLoading(context, input.uri, size, limit);
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

/** Whether the viewer would be offered for the file. */
export async function isForViewer(uri: vscode.Uri): Promise<boolean> {
  const limit = vscode.workspace.getConfiguration("forge").get<number>("viewer.offerAbove") ?? 0;
  return limit !== 0 && (await sizeOf(uri)) > Math.min(limit * MEGABYTE, refusedAbove(uri));
}

/** VS Code's own limit, in bytes. It depends on the kind of window; the setting's default tells. */
function refusedAbove(uri: vscode.Uri): number {
  const settings = vscode.workspace.getConfiguration("workbench", uri);
  const megabytes = settings.get<number>("editorLargeFileConfirmation");
  return megabytes === undefined ? Number.POSITIVE_INFINITY : megabytes * 1024 * 1024;
}

async function sizeOf(uri: vscode.Uri): Promise<number> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return 0;
  }
}

async function accepted(tab: vscode.Tab, uri: vscode.Uri, size: number): Promise<boolean> {
  const open = "Open in Forge Viewer";
  const pattern = `*${extname(uri.path)}`;
  const always = pattern === "*" ? [] : [`Always for ${pattern}`];
  const never = "Never Offer";
  const text = `${tab.label} has ${formatBytes(size)}. The Forge Viewer shows it at once, whatever its size.`;
  const answer = await vscode.window.showInformationMessage(text, open, ...always, never);
  const settings = vscode.workspace.getConfiguration("forge");
  if (answer === never) {
    await settings.update("viewer.offerAbove", 0, vscode.ConfigurationTarget.Global);
  } else if (answer !== undefined && answer !== open) {
    const patterns = [...new Set([...patternsAlwaysOpened(), pattern])];
    await settings.update("viewer.openAlways", patterns, vscode.ConfigurationTarget.Global);
  }
  return answer !== undefined && answer !== never;
}

function patternsAlwaysOpened(): string[] {
  return vscode.workspace.getConfiguration("forge").get<string[]>("viewer.openAlways", []);
}

function isAlwaysOpened(uri: vscode.Uri): boolean {
  return patternsAlwaysOpened().some((pattern) => matches(pattern, uri));
}

/**
 * Below its own limit VS Code keeps loading the file in the background. Only the user's setting changes that limit, so it is
 * written with consent, and asked for once.
 */
async function askToStopLoading(
  context: vscode.ExtensionContext,
  uri: vscode.Uri,
  size: number,
  limit: number,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration("workbench");
  const stopsAbove = refusedAbove(uri);
  if (size > stopsAbove || stopsAbove === Number.POSITIVE_INFINITY || context.globalState.get(ASKED, false)) {
    return;
  }
  const text = `VS Code loads files of up to ${formatBytes(stopsAbove)} before the viewer can open them. Let it ask first above ${limit} MB?`;
  const answer = await vscode.window.showInformationMessage(text, "Ask First", "Leave It");
  if (answer !== undefined) {
    await context.globalState.update(ASKED, true);
  }
  if (answer === "Ask First") {
    await settings.update("editorLargeFileConfirmation", limit, vscode.ConfigurationTarget.Global);
  }
}
