import type * as vscode from "vscode";
import type { Place } from "./messages";

const KEY = "forge.viewer.places";
const KEPT = 100;

/** Where the reader was in each file. The page's own state does not outlive a window reload in every version of VS Code. */
export class Places {
  constructor(private readonly memento: vscode.Memento) {}

  of(uri: vscode.Uri): Place | undefined {
    return this.all().get(uri.toString());
  }

  remember(uri: vscode.Uri, place: Place): void {
    const places = this.all();
    places.delete(uri.toString());
    places.set(uri.toString(), place);
    void this.memento.update(KEY, [...places].slice(-KEPT));
  }

  private all(): Map<string, Place> {
    return new Map(this.memento.get<[string, Place][]>(KEY, []));
  }
}
