import * as vscode from "vscode";
import { chooseInterpreter } from "../failure";
import type { Recovery } from "./messages";

const COMMANDS = {
  reopenWith: "workbench.action.reopenWithEditor",
  reopenWithEncoding: "forge.viewer.reopenWithEncoding",
  showLog: "forge.showLog",
} as const;

/** Does what a button of a failure or a banner says. */
export async function recover(recovery: Recovery, retry: () => Promise<void>): Promise<void> {
  if (recovery === "retry") {
    await retry();
  } else if (recovery === "chooseInterpreter") {
    await chooseInterpreter();
  } else if (recovery === "allow") {
    // A setting of the machine: in a remote window it is among those of the remote.
    const settings = vscode.env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
    const options = { query: "@id:forge.policy.allow" };
    await vscode.commands.executeCommand(`workbench.action.${settings}`, options);
  } else {
    await vscode.commands.executeCommand(COMMANDS[recovery]);
  }
}
