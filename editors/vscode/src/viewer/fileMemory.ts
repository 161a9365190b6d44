import * as vscode from "vscode";

const MAX_FILES = 100;

/** One value for each file, kept per workspace; the least recently written is forgotten first. */
export class FileMemory<Value> {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** With the file whose value is another. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memento: vscode.Memento,
    private readonly key: string,
  ) {}

  of(uri: vscode.Uri): Value | undefined {
    return this.all().get(uri.toString());
  }

  /** `undefined` is forgotten. */
  remember(uri: vscode.Uri, value: Value | undefined): void {
    const values = this.all();
    values.delete(uri.toString());
    if (value !== undefined) {
      values.set(uri.toString(), value);
    }
    void this.memento.update(this.key, [...values].slice(-MAX_FILES));
    this.changed.fire(uri);
  }

  private all(): Map<string, Value> {
    return new Map(this.memento.get<[string, Value][]>(this.key, []));
  }
}
