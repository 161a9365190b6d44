import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { parseAnsi, stripAnsi, withoutCutSequence } from "../../../src/viewer/ansi";

const ESC = "\x1b";

function styleOf(sequence: string) {
  return parseAnsi(`${ESC}[${sequence}mtext`).spans[0]?.style ?? {};
}

describe("terminal sequences", () => {
  it("leave plain text alone", () => {
    assert.deepEqual(parseAnsi("plain [31m text"), { text: "plain [31m text", spans: [] });
    assert.deepEqual(parseAnsi(""), { text: "", spans: [] });
  });

  it("are taken out as the daemon takes them out", () => {
    const cases: [string, string][] = JSON.parse(readFileSync("../../tests/editors/ansi.json", "utf8"));
    for (const [raw, shown] of cases) {
      assert.equal(stripAnsi(raw), shown, JSON.stringify(raw));
      assert.equal(parseAnsi(raw).text, shown, JSON.stringify(raw));
    }
  });

  it("give the parts of the text their styles", () => {
    assert.deepEqual(parseAnsi(`a${ESC}[31mred${ESC}[0m end`), {
      text: "ared end",
      spans: [{ start: 1, end: 4, style: { foreground: "var(--vscode-terminal-ansiRed)" } }],
    });
  });

  it("name the sixteen colors by the theme", () => {
    assert.deepEqual(styleOf("30"), { foreground: "var(--vscode-terminal-ansiBlack)" });
    assert.deepEqual(styleOf("97"), { foreground: "var(--vscode-terminal-ansiBrightWhite)" });
    assert.deepEqual(styleOf("44"), { background: "var(--vscode-terminal-ansiBlue)" });
    assert.deepEqual(styleOf("103"), { background: "var(--vscode-terminal-ansiBrightYellow)" });
    assert.deepEqual(styleOf("38;5;9"), { foreground: "var(--vscode-terminal-ansiBrightRed)" });
  });

  it("compute the other colors", () => {
    assert.deepEqual(styleOf("38;5;208"), { foreground: "rgb(255 135 0)" });
    assert.deepEqual(styleOf("48;5;232"), { background: "rgb(8 8 8)" });
    assert.deepEqual(styleOf("38;2;1;2;300"), { foreground: "rgb(1 2 255)" });
    assert.deepEqual(styleOf("38:2::1:2:3"), { foreground: "rgb(1 2 3)" });
    assert.deepEqual(styleOf("38:5:208"), { foreground: "rgb(255 135 0)" });
  });

  it("go on behind a color of many parts", () => {
    assert.deepEqual(styleOf("38;5;208;1"), { foreground: "rgb(255 135 0)", bold: true });
    assert.deepEqual(styleOf("38;2;1;2;3;4"), { foreground: "rgb(1 2 3)", underline: true });
  });

  it("are reset by nothing, zero, and one by one", () => {
    assert.deepEqual(styleOf("31;1;0"), {});
    assert.deepEqual(styleOf("31;"), {});
    assert.equal(styleOf("1;22")?.bold, false);
    assert.equal(styleOf("31;39")?.foreground, undefined);
  });

  it("make links, and what is neither color nor link is left out", () => {
    const text = `${ESC}[2K${ESC}[1;5Ha${ESC}]8;id=1;http://example.invalid${ESC}\\link${ESC}]8;;\x07 end${ESC}(B`;
    assert.deepEqual(parseAnsi(text), {
      text: "alink end",
      spans: [{ start: 1, end: 5, style: {}, link: "http://example.invalid" }],
    });
  });

  it("that were cut off do not show", () => {
    assert.equal(withoutCutSequence(`text${ESC}[38;5`), "text");
    assert.equal(withoutCutSequence(`text${ESC}]8;;http`), "text");
    assert.equal(withoutCutSequence(`text${ESC}[0m`), `text${ESC}[0m`);
  });
});
