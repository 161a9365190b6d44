import * as vscode from "vscode";
import { NoInterpreter } from "./daemon/python";

const CHOOSE = "Choose Interpreter…";
const GET_PYTHON = "Get Python";
const RESTART = "Restart";
const SHOW_LOG = "Show Log";
const PYTHON_DOWNLOADS = "https://www.python.org/downloads/";

/** The daemon does not run: one message, with what helps. */
export async function showFailure(error: Error): Promise<void> {
  const helps = error instanceof NoInterpreter ? [CHOOSE, GET_PYTHON] : [RESTART, SHOW_LOG];
  const chosen = await vscode.window.showErrorMessage(error.message, ...helps);
  switch (chosen) {
    case CHOOSE:
      return await chooseInterpreter();
    case GET_PYTHON:
      await vscode.env.openExternal(vscode.Uri.parse(PYTHON_DOWNLOADS));
      return;
    case RESTART:
      await vscode.commands.executeCommand("forge.restart");
      return;
    case SHOW_LOG:
      await vscode.commands.executeCommand("forge.showLog");
      return;
  }
}

/** Asks for a Python. The change of the setting starts the daemon again. */
export async function chooseInterpreter(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    title: "A Python of version 3.11 or newer",
    openLabel: "Use",
  });
  if (!chosen?.[0]) return;
  const settings = vscode.workspace.getConfiguration("forge");
  await settings.update("interpreter", chosen[0].fsPath, vscode.ConfigurationTarget.Global);
}
