import type * as vscode from "vscode";
import type { Daemon } from "../daemon";
import { BackgroundScan } from "./backgroundScan";
import type { ToPage } from "./messages";
import { errorsIn } from "./query";
import type { ShownLines } from "./shownLines";
import type { ViewedFile } from "./viewedFile";

/** A search of more takes too long to be made without being asked for. */
const MAX_BYTES = 4 * 1024 * 1024 * 1024;

/** Where errors are, for the marks on the scrollbar: searched for in the background, again with every filter. */
export class ErrorRows implements vscode.Disposable {
  private scan: BackgroundScan | undefined;

  constructor(
    private readonly daemon: Daemon,
    private readonly file: ViewedFile,
    private readonly shown: ShownLines,
    private readonly post: (message: ToPage) => void,
  ) {}

  /** The lines that are shown are others. */
  restart(byteLength: number): void {
    this.dispose();
    const { filtered, excerpt, showing } = this.shown;
    const isOld = excerpt !== filtered; // the daemon knows nothing of lines from before a rotation
    if (isOld || byteLength > MAX_BYTES) {
      return;
    }
    const visible = filtered?.filter ?? null;
    const report = ({ marks }: { marks: number[] }) => this.post({ type: "errorRows", showing, rows: marks });
    this.scan = new BackgroundScan(this.daemon, this.file, errorsIn(visible), visible, report);
  }

  async grew(rows: number): Promise<void> {
    await this.scan?.grew(rows);
  }

  dispose(): void {
    this.scan?.dispose();
    this.scan = undefined;
  }
}
