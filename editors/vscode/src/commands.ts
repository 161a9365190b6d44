import * as vscode from "vscode";
import { cacheFigures } from "./cacheFigures";
import type { Daemon } from "./daemon";
import { diagnosticInformation } from "./diagnosticInformation";
import { Commands } from "./protocol";

/** The commands about the daemon itself. */
export function registerCommands(
  daemon: Daemon,
  log: vscode.LogOutputChannel,
  extension: vscode.Extension<unknown>,
  packages: string,
): vscode.Disposable[] {
  const commands: Record<string, () => Promise<void> | void> = {
    "forge.getStarted": async () => {
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#forge.start`);
    },
    "forge.restart": () => daemon.restart(),
    "forge.showLog": () => log.show(),
    "forge.showCacheFigures": () => showCacheFigures(daemon),
    "forge.clearCache": async () => {
      await daemon.command(Commands.cacheClear, {});
      void vscode.window.showInformationMessage("The cache is empty.");
    },
    "forge.copyDiagnosticInformation": async () => {
      await vscode.env.clipboard.writeText(await diagnosticInformation(daemon, extension, packages));
      void vscode.window.showInformationMessage("The diagnostic information is in the clipboard.");
    },
  };
  return Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(name, async () => {
      try {
        await run();
      } catch (error) {
        // A daemon that does not run has already been reported.
        log.error(`${name}:`, error instanceof Error ? error.message : String(error));
      }
    }),
  );
}

async function showCacheFigures(daemon: Daemon): Promise<void> {
  const { folders } = await daemon.command(Commands.cacheStats, {});
  const items = folders.map((folder) => ({
    label: `$(folder) ${folder.workspace_folder}`,
    detail: cacheFigures(folder),
  }));
  await vscode.window.showQuickPick(items, {
    title: "Forge: Cache Figures",
    placeHolder: items.length > 0 ? "Line indexes that are kept, by folder" : "No folder is open",
  });
}
