import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAnsi, stripAnsi } from "../../../src/viewer/ansi";

const ESC = "\x1b";

function styleOf(sequence: string) {
  return parseAnsi(`${ESC}[${sequence}mtext`)[0]?.style;
}

describe("terminal sequences", () => {
  it("leave plain text alone", () => {
    assert.deepEqual(parseAnsi("plain [31m text"), [{ column: 0, text: "plain [31m text", style: {} }]);
    assert.deepEqual(parseAnsi(""), []);
  });

  it("split the text, and every part knows its column in the file", () => {
    const spans = parseAnsi(`a${ESC}[31mred${ESC}[0m end`);
    assert.deepEqual(spans, [
      { column: 0, text: "a", style: {} },
      { column: 6, text: "red", style: { foreground: "var(--vscode-terminal-ansiRed)" } },
      { column: 13, text: " end", style: {} },
    ]);
  });

  it("name the sixteen colours by the theme", () => {
    assert.deepEqual(styleOf("30"), { foreground: "var(--vscode-terminal-ansiBlack)" });
    assert.deepEqual(styleOf("97"), { foreground: "var(--vscode-terminal-ansiBrightWhite)" });
    assert.deepEqual(styleOf("44"), { background: "var(--vscode-terminal-ansiBlue)" });
    assert.deepEqual(styleOf("103"), { background: "var(--vscode-terminal-ansiBrightYellow)" });
    assert.deepEqual(styleOf("38;5;9"), { foreground: "var(--vscode-terminal-ansiBrightRed)" });
  });

  it("compute the other colours", () => {
    assert.deepEqual(styleOf("38;5;208"), { foreground: "rgb(255 135 0)" });
    assert.deepEqual(styleOf("48;5;232"), { background: "rgb(8 8 8)" });
    assert.deepEqual(styleOf("38;2;1;2;300"), { foreground: "rgb(1 2 255)" });
    assert.deepEqual(styleOf("38:2::1:2:3"), { foreground: "rgb(1 2 3)" });
    assert.deepEqual(styleOf("38:5:208"), { foreground: "rgb(255 135 0)" });
  });

  it("go on behind a colour of many parts", () => {
    assert.deepEqual(styleOf("38;5;208;1"), { foreground: "rgb(255 135 0)", bold: true });
    assert.deepEqual(styleOf("38;2;1;2;3;4"), { foreground: "rgb(1 2 3)", underline: true });
  });

  it("are reset by nothing, zero, and one by one", () => {
    assert.deepEqual(styleOf("31;1;0"), {});
    assert.deepEqual(styleOf("31;"), {});
    assert.equal(styleOf("1;22")?.bold, false);
    assert.equal(styleOf("31;39")?.foreground, undefined);
  });

  it("that are no colours are left out", () => {
    const text = `${ESC}[2K${ESC}[1;5Ha${ESC}]8;;http://example.invalid${ESC}\\link${ESC}]8;;\x07 end${ESC}(B`;
    assert.equal(stripAnsi(text), "alink end");
    assert.deepEqual(
      parseAnsi(text).map((span) => span.text),
      ["a", "link", " end"],
    );
  });

  it("that were cut off do not show", () => {
    assert.equal(stripAnsi(`text${ESC}[38;5`), "text");
  });
});
