import * as vscode from "vscode";
import type { Daemon } from "../daemon";
import { Requests } from "../protocol";
import { encodingOf } from "./encodingSettings";
import { failureOf } from "./failure";
import { formatNumber, parseLines } from "./numbers";

const PEEK_SCHEME = "forge";
const LINES_AROUND = 50;
const MOST_LINES = 10_000;

interface Window {
  file: vscode.Uri;
  start: number;
  end: number;
}

/** `Forge: Peek Lines…`: some lines of a file as a read-only document with its language, each with its number in the file. */
export function registerPeek(
  daemon: Daemon,
  fileToRead: (action: string, uri?: vscode.Uri) => Promise<vscode.Uri | undefined>,
): vscode.Disposable {
  const numbers = vscode.window.createTextEditorDecorationType({});
  const folders = new Map<string, Promise<vscode.Disposable>>();

  /** A directory that was opened for a file is closed again with the last window of it. */
  const leave = (file: vscode.Uri) => {
    const path = file.toString();
    if (!isPeekedAt(path)) {
      void folders.get(path)?.then((opened) => opened.dispose());
      folders.delete(path);
    }
  };

  const provideTextDocumentContent = async (uri: vscode.Uri) => {
    const { file, start, end } = windowOf(uri);
    const answer = await daemon.request(Requests.readFile, {
      path: file.toString(),
      encoding: encodingOf(file) ?? "auto",
      ansi: "strip",
      start_line: start,
      end_line: end,
      max_lines: MOST_LINES,
      on_binary: "refuse",
    });
    if (answer.truncated) {
      void offerTheRest(file, start, answer.meta.returned_line_count);
    }
    return answer.content.replace(/\n$/, "");
  };

  const peek = async (uri?: vscode.Uri, range?: string) => {
    const file = await fileToRead("Peek", uri);
    const text = file && (range ?? (await askForLines(file)));
    const lines = text === undefined ? null : parseLines(text, LINES_AROUND);
    if (file === undefined || lines === null) {
      return;
    }
    try {
      folders.set(file.toString(), folders.get(file.toString()) ?? daemon.openDirectoryOf(file));
      await folders.get(file.toString());
      const document = await vscode.workspace.openTextDocument(uriOf({ file, ...lines }));
      const editor = await vscode.window.showTextDocument(document, { preview: true });
      showNumbers(editor, numbers);
    } catch (error) {
      leave(file);
      void vscode.window.showErrorMessage(failureOf(error, vscode.workspace.asRelativePath(file)).message);
    }
  };

  return vscode.Disposable.from(
    numbers,
    vscode.workspace.registerTextDocumentContentProvider(PEEK_SCHEME, { provideTextDocumentContent }),
    vscode.commands.registerCommand("forge.peekLines", peek),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors.filter(({ document }) => document.uri.scheme === PEEK_SCHEME)) {
        showNumbers(editor, numbers);
      }
    }),
    // Documents are closed minutes after their tabs.
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.flatMap(peekedAt).forEach(leave)),
  );
}

function isPeekedAt(path: string): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(peekedAt).some((file) => file.toString() === path);
}

/** The file that a tab shows lines of, if it does. */
function peekedAt({ input }: vscode.Tab): vscode.Uri[] {
  const isPeek = input instanceof vscode.TabInputText && input.uri.scheme === PEEK_SCHEME;
  return isPeek ? [windowOf(input.uri).file] : [];
}

async function offerTheRest(file: vscode.Uri, start: number, count: number): Promise<void> {
  const shown = `Lines ${formatNumber(start)} to ${formatNumber(start + count - 1)} are shown: more would be too large.`;
  const open = "Open in Forge Viewer";
  if ((await vscode.window.showInformationMessage(shown, open)) === open) {
    await vscode.commands.executeCommand("forge.openInViewer", file);
  }
}

/** The lines stand in the path, where tabs of the same file are told apart, and the file's name at its end gives the language. */
function uriOf({ file, start, end }: Window): vscode.Uri {
  const name = file.path.slice(file.path.lastIndexOf("/") + 1);
  const query = new URLSearchParams({ file: file.toString(), start: String(start), end: String(end) });
  const path = `/lines ${formatNumber(start)}–${formatNumber(end)}/${name}`;
  return vscode.Uri.from({ scheme: PEEK_SCHEME, path, query: query.toString() });
}

function windowOf(uri: vscode.Uri): Window {
  const query = new URLSearchParams(uri.query);
  return {
    file: vscode.Uri.parse(query.get("file") ?? "", true),
    start: Number(query.get("start")),
    end: Number(query.get("end")),
  };
}

function showNumbers(editor: vscode.TextEditor, decoration: vscode.TextEditorDecorationType): void {
  const { start } = windowOf(editor.document.uri);
  const last = start + editor.document.lineCount - 1;
  const width = formatNumber(last).length;
  const color = new vscode.ThemeColor("editorLineNumber.foreground");
  editor.options = { ...editor.options, lineNumbers: vscode.TextEditorLineNumbersStyle.Off };
  editor.setDecorations(
    decoration,
    Array.from({ length: editor.document.lineCount }, (_, index) => ({
      range: new vscode.Range(index, 0, index, 0),
      renderOptions: {
        before: {
          contentText: formatNumber(start + index).padStart(width, "\u2007"),
          color,
          margin: "0 2ch 0 0",
        },
      },
    })),
  );
}

function askForLines(file: vscode.Uri): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: `Peek Lines of ${vscode.workspace.asRelativePath(file)}`,
    prompt: "A line, or lines such as 1200-1300 or 1200+50",
    validateInput: (text) => faultOf(text),
  });
}

function faultOf(text: string): string | undefined {
  const lines = parseLines(text, LINES_AROUND);
  if (lines === null) {
    return "Enter a line such as 1200, or lines such as 1200-1300 or 1200+50.";
  }
  const tooMany = lines.end - lines.start >= MOST_LINES;
  return tooMany ? `At most ${formatNumber(MOST_LINES)} lines; the viewer shows any number.` : undefined;
}
