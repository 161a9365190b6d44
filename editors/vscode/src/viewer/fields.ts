import * as vscode from "vscode";
import type { Daemon } from "../daemon";
import { Requests } from "../protocol";
import { failureOf } from "./failure";
import { fieldsOf } from "./layout";
import { formatNumber } from "./numbers";
import type { ViewerPanel } from "./panel";

const SCHEME = "forge-fields";

/** *Show Fields of Line*: the fields of the current line in a document to the side, which goes along with the viewer. */
export class Fields implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration: vscode.Disposable;
  /** The viewer that the fields are of. */
  private panel: ViewerPanel | undefined;
  private shownLine = 0;

  constructor(private readonly daemon: Daemon) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  async show(panel: ViewerPanel): Promise<void> {
    this.panel = panel;
    const uri = uriOf(panel);
    this.changed.fire(uri); // it may be open, with another line
    const opened = await vscode.workspace.openTextDocument(uri);
    const document = await vscode.languages.setTextDocumentLanguage(opened, "jsonc");
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
    this.moved(panel); // meanwhile, when it was not visible yet
  }

  /** The current line of a viewer may be another. */
  moved(panel: ViewerPanel): void {
    const uri = uriOf(panel).toString();
    const isOpen = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri);
    if (panel === this.panel && isOpen && panel.known?.line !== this.shownLine) {
      this.changed.fire(uriOf(panel));
    }
  }

  async provideTextDocumentContent(): Promise<string> {
    const { panel } = this;
    const line = panel?.known?.line ?? 0;
    this.shownLine = line;
    if (panel === undefined || line < 1) {
      return "// No line is shown.\n";
    }
    const { name } = panel.file;
    try {
      const params = { ...panel.file.toRead, source: "disk", ansi: "strip" } as const;
      const answer = await this.daemon.request(Requests.readFile, { ...params, start_line: line, limit: 1 });
      const fields = fieldsOf(answer.content);
      const where = `// ${name}, line ${formatNumber(line)}`;
      if (fields === null) {
        return `${where} has no JSON and no key=value fields.\n`;
      }
      return `${where}${fields.before === "" ? "" : `\n// ${fields.before}`}\n${fields.json}\n`;
    } catch (error) {
      return `// ${failureOf(error, name).message}\n`;
    }
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

function uriOf({ file }: ViewerPanel): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/Fields of ${file.name}`, query: file.path });
}
