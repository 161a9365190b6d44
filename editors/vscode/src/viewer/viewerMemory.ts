import * as vscode from "vscode";
import { FileMemory } from "./fileMemory";
import type { Label, NamedTerm, Place, Query } from "./messages";

/** What viewers keep per workspace. */
export class ViewerMemory {
  /** The page's own state does not outlive a window reload in every version of VS Code. */
  readonly places: FileMemory<Place>;
  readonly bookmarks: FileMemory<number[]>;
  readonly labels: FileMemory<Label[]>;
  /** What the user chose, as the daemon calls it. */
  readonly encodings: FileMemory<string>;
  readonly chips: Kept<NamedTerm[]>;
  /** What was searched for, the last one first. */
  readonly searches: Kept<Query[]>;
  /** What was filtered by. */
  readonly filtered: Kept<Query[]>;

  constructor(memento: vscode.Memento) {
    this.places = new FileMemory(memento, "forge.viewer.places");
    this.bookmarks = new FileMemory(memento, "forge.viewer.bookmarks");
    this.labels = new FileMemory(memento, "forge.viewer.labels");
    this.encodings = new FileMemory(memento, "forge.viewer.encodings");
    this.chips = new Kept(memento, "forge.viewer.chips", []);
    this.searches = new Kept(memento, "forge.viewer.searches", []);
    this.filtered = new Kept(memento, "forge.viewer.filtered", []);
  }
}

class Kept<Value> {
  private readonly changed = new vscode.EventEmitter<object | undefined>();
  /** With the one who set it. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memento: vscode.Memento,
    private readonly key: string,
    private readonly initial: Value,
  ) {}

  get(): Value {
    return this.memento.get(this.key, this.initial);
  }

  set(value: Value, by?: object): void {
    void this.memento.update(this.key, value);
    this.changed.fire(by);
  }
}
