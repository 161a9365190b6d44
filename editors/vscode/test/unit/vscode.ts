/** What the viewer's code uses of VS Code's API, as far as the tests outside VS Code need it. */

type Listener<Value> = (value: Value) => unknown;

export class Disposable {
  constructor(private readonly end: () => void = () => {}) {}

  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }

  dispose(): void {
    this.end();
  }
}

const never = () => new Disposable();

export class EventEmitter<Value> {
  private readonly listeners = new Set<Listener<Value>>();

  readonly event = (listener: Listener<Value>): Disposable => {
    this.listeners.add(listener);
    return new Disposable(() => this.listeners.delete(listener));
  };

  fire(value: Value): void {
    for (const listener of this.listeners) listener(value);
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export class CancellationError extends Error {}

export class CancellationTokenSource {
  readonly token = { isCancellationRequested: false };

  cancel(): void {
    this.token.isCancellationRequested = true;
  }

  dispose(): void {}
}

export class Uri {
  readonly scheme = "file";

  private constructor(readonly path: string) {}

  static file(path: string): Uri {
    return new Uri(path);
  }

  static joinPath({ path }: Uri, ...names: string[]): Uri {
    return new Uri([path, ...names].join("/"));
  }

  get fsPath(): string {
    return this.path;
  }

  with({ path = this.path }: { path?: string }): Uri {
    return new Uri(path);
  }

  toString(): string {
    return `file://${this.path}`;
  }
}

export class RelativePattern {}

export class Range {}

export class ThemeIcon {}

export const QuickPickItemKind = { Separator: -1 };

/** The list that the user has before them. */
export class QuickPick {
  value = "";
  title = "";
  busy = false;
  items: readonly { label: string; description?: string }[] = [];
  activeItems: readonly unknown[] = [];
  selectedItems: readonly unknown[] = [];
  buttons: readonly unknown[] = [];
  private readonly changed = new EventEmitter<string>();
  private readonly hidden = new EventEmitter<void>();
  private readonly triggered = new EventEmitter<unknown>();
  readonly onDidChangeValue = this.changed.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidTriggerButton = this.triggered.event;
  readonly onDidAccept = never;

  type(value: string): void {
    this.value = value;
    this.changed.fire(value);
  }

  press(button: number): void {
    this.triggered.fire(this.buttons[button]);
  }

  show(): void {
    window.shown = this;
  }

  hide(): void {
    this.hidden.fire();
  }

  dispose(): void {}
}

export const window = {
  shown: undefined as QuickPick | undefined,
  createQuickPick: () => new QuickPick(),
};

/** Those that were registered. */
export const commands = {
  run: new Map<string, () => unknown>(),
  registerCommand(name: string, run: () => unknown): Disposable {
    this.run.set(name, run);
    return new Disposable(() => this.run.delete(name));
  },
};

export const workspace = {
  workspaceFolders: [{ uri: Uri.file("/w") }],
  asRelativePath: ({ path }: Uri) => path.replace("/w/", ""),
  createFileSystemWatcher: () => ({
    onDidChange: never,
    onDidCreate: never,
    onDidDelete: never,
    dispose: () => {},
  }),
  onDidChangeConfiguration: never,
  getConfiguration: () => ({ get: (_name: string, otherwise: unknown) => otherwise }),
};

export const extensions = { all: [] };

export const languages = { match: () => 0 };
