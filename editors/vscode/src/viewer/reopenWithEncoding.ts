import * as vscode from "vscode";
import { ENCODINGS, shortName } from "./encodings";
import type { ViewerPanel } from "./panel";

interface Choice extends vscode.QuickPickItem {
  encoding: string | undefined;
}

/** Asks for another encoding, from the list that VS Code offers, and reads the file again. */
export async function reopenWithEncoding({ file, known }: ViewerPanel): Promise<void> {
  const now = known?.text?.encoding ?? "";
  const automatic: Choice = {
    label: "Automatic",
    detail: "By its byte order mark, files.encoding, or its first bytes",
    encoding: undefined,
  };
  const choices = Object.entries(ENCODINGS).map(
    ([name, label]): Choice => ({
      label,
      description: name,
      encoding: name === "koi8t" ? "koi8-t" : name,
      picked: shortName(name) === shortName(now),
    }),
  );
  const placeHolder = `${file.name} is read in ${shortName(now)}`;
  const options = { title: "Reopen with Encoding", placeHolder, matchOnDescription: true };
  const chosen = await vscode.window.showQuickPick([automatic, ...choices], options);
  if (chosen !== undefined) {
    await file.reopenWith(chosen.encoding);
  }
}
