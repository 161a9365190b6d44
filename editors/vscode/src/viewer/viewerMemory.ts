import type * as vscode from "vscode";
import { FileMemory } from "./fileMemory";
import type { NamedFilter, Place, Query } from "./messages";

/** What viewers keep per workspace. */
export class ViewerMemory {
  /** The page's own state does not outlive a window reload in every version of VS Code. */
  readonly places: FileMemory<Place>;
  readonly bookmarks: FileMemory<number[]>;
  /** What the user chose, as the daemon calls it. */
  readonly encodings: FileMemory<string>;
  readonly filters: Kept<NamedFilter[]>;
  /** What was searched for, the last one first. */
  readonly searches: Kept<Query[]>;
  /** What was filtered by. */
  readonly filtered: Kept<Query[]>;

  constructor(memento: vscode.Memento) {
    this.places = new FileMemory(memento, "forge.viewer.places");
    this.bookmarks = new FileMemory(memento, "forge.viewer.bookmarks");
    this.encodings = new FileMemory(memento, "forge.viewer.encodings");
    this.filters = new Kept(memento, "forge.viewer.filters", []);
    this.searches = new Kept(memento, "forge.viewer.searches", []);
    this.filtered = new Kept(memento, "forge.viewer.filtered", []);
  }
}

class Kept<Value> {
  constructor(
    private readonly memento: vscode.Memento,
    private readonly key: string,
    private readonly initial: Value,
  ) {}

  get(): Value {
    return this.memento.get(this.key, this.initial);
  }

  set(value: Value): void {
    void this.memento.update(this.key, value);
  }
}
