import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Daemon } from "../../../src/daemon";
import { type ReadFileParams, Requests } from "../../../src/protocol";
import { stripAnsi } from "../../../src/viewer/ansi";
import { filteredReader } from "../../../src/viewer/filteredReader";

const RED = "\x1b[31m";
const OFF = "\x1b[0m";

/** As the daemon answers: a filter sees lines in the form in which they are asked for. */
function fileOf(lines: string[]): { request: Daemon["request"]; asked: ReadFileParams[] } {
  const asked: ReadFileParams[] = [];
  const request = async (_method: string, params: ReadFileParams) => {
    asked.push(params);
    const seen = params.ansi === "strip" ? lines.map(stripAnsi) : lines;
    const pattern = params.filter?.pattern ?? "";
    const numbers = seen.flatMap((text, index) => (text.includes(pattern) ? [index + 1] : []));
    const start = (params.start_line ?? 1) - 1;
    const page = numbers.slice(start, start + (params.limit ?? numbers.length));
    const content = page.map((number) => `${seen[number - 1]}\n`).join("");
    return { content, line_numbers: params.filter ? page : null };
  };
  return { request: request as unknown as Daemon["request"], asked };
}

describe("a filtered reader", () => {
  const coloredMatch = `${RED}connection${OFF} refused`;
  const lines = [coloredMatch, "other", coloredMatch, "connection refused", "other"];
  const filter = { pattern: "connection refused" };

  it("finds a pattern across colors, and gives the lines with them", async () => {
    const { request, asked } = fileOf(lines);
    const answer = await filteredReader(request, filter, () => true)(Requests.readFile, { path: "x" });
    assert.deepEqual(answer.line_numbers, [1, 3, 4]);
    assert.equal(answer.content, `${coloredMatch}\n${coloredMatch}\nconnection refused\n`);
    assert.equal(asked.length, 3); // lines side by side are read together
  });

  it("asks once where no colors are wanted, or there are none", async () => {
    for (const [colored, ansi] of [
      [true, "strip"],
      [false, "keep"],
    ] as const) {
      const { request, asked } = fileOf(lines);
      const answer = await filteredReader(
        request,
        filter,
        () => colored,
      )(Requests.readFile, {
        path: "x",
        ansi,
      });
      assert.equal(answer.content, "connection refused\n".repeat(3));
      assert.equal(asked.length, 1);
    }
  });
});
