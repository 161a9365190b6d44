import assert from "node:assert/strict";
import * as vscode from "vscode";
import { extension, whileTyped } from "./forge";

async function call(tool: string, input: object): Promise<string> {
  const options = { input, toolInvocationToken: undefined };
  const result = await vscode.lm.invokeTool(`forge_${tool}`, options);
  return result.content.map((part) => (part as vscode.LanguageModelTextPart).value).join("");
}

describe("the tools for agents", () => {
  before(() => extension().activate());

  it("tell the model what the daemon tells of them", async () => {
    const argument = { toolset: "agent" };
    const answer = await vscode.commands.executeCommand<{ tools: object[] }>("forge.tools.list", argument);
    for (const { name, description, parameters } of answer.tools as Record<string, unknown>[]) {
      const offered = vscode.lm.tools.find((tool) => tool.name === `forge_${name}`);
      assert.deepEqual([offered?.description, offered?.inputSchema], [description, parameters]);
    }
  });

  it("give numbered lines, and say which and how to continue", async () => {
    const text = await call("read", { path: "long.txt", start_line: 9, limit: 2 });
    assert.equal(text, "[first/long.txt 9-10/50000]\n9\tline 9\n10\tline 10");
    assert.match(await call("read", { path: "long.txt" }), /\[more: start_line \d+\]\n?$/);
  });

  it("answer within the budget that they are given", async () => {
    const input = { path: "long.txt" };
    const countTokens = async (text: string) => text.length;
    const options = {
      input,
      toolInvocationToken: undefined,
      tokenizationOptions: { tokenBudget: 1500, countTokens },
    };
    const result = await vscode.lm.invokeTool("forge_read", options);
    const [part] = result.content as vscode.LanguageModelTextPart[];
    assert.ok(part && part.value.length <= 1500, `${part?.value.length} characters`);
    assert.match(part.value, /\[more: start_line \d+\]$/);
  });

  it("find lines, with those around them", async () => {
    const text = await call("find", { path: "long.txt", pattern: "line 777", limit: 1, context: 1 });
    assert.match(text, /776\tline 776\n777:\tline 777\n778\tline 778/);
  });

  it("read several files in one call", async () => {
    const files = [{ path: "notes.txt" }, { path: "missing.txt" }];
    assert.match(await call("read_many", { files }), /1\talpha.*missing\.txt/s);
  });

  it("see unsaved edits, and say so", async () => {
    await whileTyped("notes.txt", "typed\n", async () => {
      assert.match(
        await call("read", { path: "notes.txt" }),
        /^\[[^\]]*unsaved[^\]]*\]\n1\ttyped\n2\talpha\n/,
      );
    });
  });

  it("answer a refusal in words that a model can act on", async () => {
    assert.match(await call("read", { path: "note.txt" }), /note\.txt.*notes\.txt/s);
    assert.match(await call("read", { path: ".env" }), /\.env/);
    assert.match(await call("read", { path: "notes.txt", start: 1 }), /start/);
    assert.match(await call("read", { path: "bytes.bin" }), /binary/i);
  });
});
