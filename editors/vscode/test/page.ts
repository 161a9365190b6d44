/** Prints the viewer's page, for a browser without VS Code. The argument is where its script and style come from. */

import type * as vscode from "vscode";
import { Uri } from "vscode";
import { pageOf } from "../src/viewer/page";

const [, , origin = ""] = process.argv;
const webview = {
  cspSource: origin,
  asWebviewUri: ({ path }: vscode.Uri) => `${origin}${path}`,
} as unknown as vscode.Webview;
process.stdout.write(pageOf(webview, Uri.file("")));
