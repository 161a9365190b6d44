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

const never = () => new Disposable();

export const workspace = {
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
