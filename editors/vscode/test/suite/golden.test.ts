/** The golden conversations, held from TypeScript: the format is described in `tests/protocol/golden/README.md`. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import {
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageclient/node";
import { extension } from "./forge";

interface Conversation {
  name: string;
  workspace: Record<string, { text?: string; base64?: string }>;
  open_documents: { path: string; version: number; text: string }[];
  exchange: { method: string; params: unknown; result?: unknown; error?: unknown }[];
}

const GOLDEN = process.env.FORGE_SUITE_GOLDEN ?? "";

describe("the golden messages", () => {
  let daemon: ChildProcess;
  let connection: MessageConnection;
  let scratch: string;

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "forge-golden-"));
    const python = vscode.workspace.getConfiguration("forge").get<string>("interpreter") || "python3";
    daemon = spawn(python, ["-I", "-S", join(extension().extensionPath, "bundled"), "serve"]);
    const { stdout, stdin } = daemon;
    assert.ok(stdout && stdin);
    connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    connection.listen();
    await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification("initialized", {});
  });

  after(async () => {
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    connection.dispose();
    daemon.kill();
    rmSync(scratch, { recursive: true });
  });

  for (const name of readdirSync(GOLDEN).filter((each) => each.endsWith(".json"))) {
    it(basename(name, ".json"), async () => {
      const conversation: Conversation = JSON.parse(readFileSync(join(GOLDEN, name), "utf8"));
      const root = join(scratch, basename(name, ".json"), "workspace");
      await inFolder(connection, root, () => hold(connection, conversation, root));
    });
  }
});

async function inFolder(
  connection: MessageConnection,
  root: string,
  then: () => Promise<void>,
): Promise<void> {
  mkdirSync(root, { recursive: true });
  const folder = { uri: vscode.Uri.file(root).toString(), name: "workspace" };
  const change = (added: object[], removed: object[]) =>
    connection.sendNotification("workspace/didChangeWorkspaceFolders", { event: { added, removed } });
  await change([folder], []);
  await then().finally(() => change([], [folder]));
}

async function hold(connection: MessageConnection, conversation: Conversation, root: string): Promise<void> {
  for (const [path, { text, base64 }] of Object.entries(conversation.workspace)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), base64 === undefined ? (text ?? "") : Buffer.from(base64, "base64"));
  }
  const uri = (path: string) => vscode.Uri.file(join(root, path)).toString();
  for (const { path, version, text } of conversation.open_documents) {
    const textDocument = { uri: uri(path), languageId: "plaintext", version, text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
  }
  const results: unknown[] = [];
  for (const step of conversation.exchange) {
    const answer = await ask(connection, step.method, resolved(step.params, results));
    results.push(answer.result);
    const { result, error } = step;
    compare(resolved(error === undefined ? { result } : { error }, results), answer, step.method);
  }
  for (const { path } of conversation.open_documents) {
    await connection.sendNotification("textDocument/didClose", { textDocument: { uri: uri(path) } });
  }
}

interface Answer {
  result?: unknown;
  error?: unknown;
}

async function ask(connection: MessageConnection, method: string, params: unknown): Promise<Answer> {
  try {
    return { result: await connection.sendRequest(method, params) };
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    return { error: { code: error.code, message: error.message, data: error.data } };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value with each `$from` replaced by what an earlier result holds there. */
function resolved(value: unknown, results: readonly unknown[]): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, results));
  if (!isObject(value)) return value;
  if (Array.isArray(value.$from)) {
    const [index, ...path] = value.$from as [number, ...string[]];
    return path.reduce<unknown>((found, key) => (found as Record<string, unknown>)[key], results[index]);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, results)]));
}

function compare(expected: unknown, answer: unknown, where: string): void {
  if (isObject(expected) && "$any" in expected) {
    const type = String(expected.$any);
    const fits = type === "integer" ? Number.isInteger(answer) : typeof answer === "string";
    assert.ok(
      fits || (type === "string?" && answer === undefined),
      `${where} is ${answer}, expected a ${type}`,
    );
  } else if (isObject(expected)) {
    assert.ok(isObject(answer), `${where} is ${JSON.stringify(answer)}, expected an object`);
    for (const key of new Set([...Object.keys(expected), ...Object.keys(answer)])) {
      assert.ok(key in expected, `${where}.${key} was not expected`);
      compare(expected[key], answer[key], `${where}.${key}`);
    }
  } else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(answer) && answer.length === expected.length, `${where} has another length`);
    expected.forEach((item, index) => {
      compare(item, answer[index], `${where}[${index}]`);
    });
  } else {
    assert.deepEqual(answer, expected, where);
  }
}
