import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extension, whileTyped } from "./forge";

const NAME = "forge_read";

async function call(input: object, token?: vscode.CancellationToken): Promise<string> {
  const result = await vscode.lm.invokeTool(NAME, { input, toolInvocationToken: undefined }, token);
  return result.content.map((part) => (part as vscode.LanguageModelTextPart).value).join("");
}

describe("the tool for agents", () => {
  before(() => extension().activate());

  it("tells the model what the daemon tells of it", async () => {
    const offered = vscode.lm.tools.find((tool) => tool.name === NAME);
    const { tools } = await vscode.commands.executeCommand<{ tools: object[] }>("forge.tools.list", {});
    const known = tools.find((tool) => (tool as { name: string }).name === "Read");
    assert.deepEqual(
      { description: offered?.description, parameters: offered?.inputSchema },
      {
        description: (known as { description: string }).description,
        parameters: (known as { parameters: object }).parameters,
      },
    );
  });

  it("gives numbered lines, and says which", async () => {
    assert.match(
      await call({ path: "long.txt", start_line: 9, limit: 2 }),
      /^ 9\| line 9\n10\| line 10\n\[long\.txt: lines 9 to 10 of 50000\b.*\]$/,
    );
  });

  it("sees unsaved edits, and says so", async () => {
    await whileTyped("notes.txt", "typed\n", async () => {
      assert.match(
        await call({ path: "notes.txt" }),
        /^1\| typed\n2\| alpha\n.*; as it is in the editor\]$/s,
      );
    });
  });

  it("says how to go on where the answer is cut", async () => {
    const text = await call({ path: "long.txt" });
    assert.match(text, /truncated: go on with start_line \d+\]$/);
    const next = Number(/start_line (\d+)/.exec(text)?.[1]);
    assert.match(await call({ path: "long.txt", start_line: next, limit: 1 }), new RegExp(`^${next}\\| `));
  });

  it("answers a refusal in words that a model can act on", async () => {
    assert.match(await call({ path: "note.txt" }), /^NOT_FOUND: note\.txt.*\nHint: .*notes\.txt/);
    assert.match(await call({ path: ".env" }), /^POLICY_DENIED: \.env/);
    assert.match(await call({ path: "notes.txt", head: 1, tail: 1 }), /^INVALID_ARGUMENT: /);
  });

  it("gives the bytes of a binary file", async () => {
    const bytes = Buffer.from([0, 1, 2, 255]).toString("base64");
    assert.equal(
      await call({ path: "bytes.bin" }),
      `${bytes}\n[base64 of the first 4 of 4 bytes of bytes.bin]`,
    );
  });
});
