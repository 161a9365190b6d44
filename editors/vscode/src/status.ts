import * as vscode from "vscode";
import { cacheFigures } from "./cacheFigures";
import type { Daemon, DaemonState } from "./daemon";
import { describeMissing } from "./daemon/compiledParts";
import { Commands, type FolderCacheStats } from "./protocol";

const QUIET_MS = 1000;

/** The item in the status bar: the daemon's state, its folders and what their caches hold. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("forge.status", vscode.StatusBarAlignment.Right);
  private readonly subscriptions: vscode.Disposable[];
  private pending: NodeJS.Timeout | undefined;

  constructor(private readonly daemon: Daemon) {
    this.item.name = "Forge";
    this.subscriptions = [
      this.item,
      daemon.onDidChangeState(() => this.show([])),
      daemon.onDidRead(() => this.refreshSoon()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refreshSoon()),
    ];
    this.show([]);
    this.item.show();
  }

  dispose(): void {
    clearTimeout(this.pending);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private show(folders: readonly FolderCacheStats[]): void {
    const { state } = this.daemon;
    const stopped = state.kind === "stopped";
    const isSlow = state.kind === "running" && state.missing.length > 0;
    this.item.text = `${isSlow ? "$(warning)" : ICONS[state.kind]} Forge`;
    this.item.tooltip = tooltip(state, folders);
    this.item.command = stopped ? "forge.restart" : "forge.showCacheFigures";
    this.item.backgroundColor = stopped ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    this.item.accessibilityInformation = { label: `Forge: ${described(state)}` };
    if (state.kind === "running" && folders.length === 0) this.refreshSoon();
  }

  /** Figures are read at most once a second, after reads. */
  private refreshSoon(): void {
    this.pending ??= setTimeout(() => {
      this.pending = undefined;
      void this.refresh();
    }, QUIET_MS);
  }

  private async refresh(): Promise<void> {
    if (this.daemon.state.kind !== "running") return;
    try {
      const { folders } = await this.daemon.command(Commands.cacheStats, {});
      if (folders.length > 0) this.show(folders);
    } catch {
      // It has just ended: `onDidChangeState` shows that.
    }
  }
}

const ICONS: Record<DaemonState["kind"], string> = {
  starting: "$(sync~spin)",
  running: "$(book)",
  stopped: "$(error)",
};

function described(state: DaemonState): string {
  switch (state.kind) {
    case "starting":
      return "starting";
    case "running": {
      const missing = describeMissing(state.missing);
      const python = `running on Python ${state.interpreter.version} (${state.interpreter.origin})`;
      return missing === "" ? python : `${python}. ${missing}`;
    }
    case "stopped":
      return `stopped. ${state.reason}`;
  }
}

function tooltip(state: DaemonState, folders: readonly FolderCacheStats[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString("", true);
  text.isTrusted = { enabledCommands: ["forge.restart", "forge.showLog", "forge.clearCache"] };
  text.appendMarkdown("**Forge**: ").appendText(described(state));
  for (const folder of folders) {
    text.appendMarkdown("\n\n$(folder) ").appendText(`${folder.workspace_folder}: ${cacheFigures(folder)}`);
  }
  text.appendMarkdown("\n\n[Restart](command:forge.restart) · [Show Log](command:forge.showLog)");
  text.appendMarkdown(" · [Clear Cache](command:forge.clearCache)");
  return text;
}
