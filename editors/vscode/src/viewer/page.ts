import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { LEVELS } from "./messages";

const TOGGLES = `
        <button type="button" class="toggle case" aria-pressed="false" title="Match Case (Alt+C)" aria-label="Match case">Aa</button>
        <button type="button" class="toggle word" aria-pressed="false" title="Match Whole Word (Alt+W)" aria-label="Match whole word">ab|</button>
        <button type="button" class="toggle regex" aria-pressed="false" title="Use Regular Expression (Alt+R)" aria-label="Use regular expression">.*</button>`.trim();

/** The page before its script runs. A log is hostile input: no script but ours, nothing from elsewhere, text nodes only. */
export function pageOf(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64");
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", name));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <link rel="stylesheet" href="${file("viewer.css")}">
  <title>Forge Viewer</title>
</head>
<body>
  <main id="view">
    <div id="banner" role="status" hidden><span></span><button type="button" hidden></button></div>
    <form id="filter" role="search" aria-label="Filter" hidden>
      <div class="field">
        <button type="button" class="role" title="Or, And, Not (Alt+O)"></button>
        <input type="text" maxlength="1000" spellcheck="false" aria-label="Filter" aria-describedby="filter-problem" title="Filter (↑↓ for History)">
        ${TOGGLES}
        <button type="submit" class="keep" title="Keep as a Filter of This Workspace (Enter)" aria-label="Keep filter">+</button>
      </div>
      <input class="name" type="text" maxlength="60" spellcheck="false" aria-label="Name of the filter" placeholder="Name" hidden>
      <div class="row-of-chips">
      <div class="conditions" role="group" aria-label="Level, time and records">
        <select class="level" aria-label="Least level" title="Show Records of This Level and Above (L in the Lines)">
          <option value="">All levels</option>
          ${LEVELS.map((level) => `<option value="${level}">${level}</option>`).join("")}
        </select>
        <button type="button" class="toggle records" aria-pressed="false" title="Whole Records: a Match Shows Its Stack Trace, Too (R in the Lines)" aria-label="Whole records">¶</button>
        <span class="bounds"></span>
      </div>
      <div class="chips" role="group" aria-label="Filters of this workspace" hidden></div>
      </div>
      <div class="ends">
        <output></output>
        <button type="button" class="toggle whole" aria-pressed="false" title="Show Every Line, and Back (Enter in the Lines)">Whole File</button>
        <button type="button" class="close" title="Close and Show Every Line (Escape)" aria-label="Close filter">✕</button>
      </div>
      <p id="filter-problem" class="problem" role="alert" hidden></p>
      <progress max="100" aria-label="Filtered" hidden></progress>
    </form>
    <div id="stage" data-vscode-context='{"webviewSection":"lines","preventDefaultContextMenuItems":true}'>
    <div id="rows" role="grid" tabindex="0" aria-readonly="true" aria-label="Lines"></div>
    <div id="sticky" title="Go to the Start of This Record" hidden><span class="number"></span><span class="text"></span></div>
    <p id="empty" hidden></p>
    <div id="down" class="scrollbar" role="scrollbar" aria-orientation="vertical" aria-controls="rows">
      <canvas class="marks" aria-hidden="true"></canvas><div class="thumb"></div>
    </div>
    <div id="across" class="scrollbar" role="scrollbar" aria-orientation="horizontal" aria-controls="rows">
      <div class="thumb"></div>
    </div>
    <div id="where" aria-hidden="true" hidden></div>
    <form id="find" role="search" hidden>
      <div class="field">
        <input type="text" maxlength="1000" spellcheck="false" aria-label="Find" placeholder="Find" aria-describedby="find-problem" title="Find (↑↓ for History)">
        ${TOGGLES}
      </div>
      <div class="ends">
        <output></output>
        <button type="button" class="stop" title="Stop Searching (Escape)" aria-label="Stop searching" hidden>◼</button>
        <button type="button" class="previous" title="Previous Match (Shift+Enter)" aria-label="Previous match">↑</button>
        <button type="submit" class="next" title="Next Match (Enter)" aria-label="Next match">↓</button>
        <button type="button" class="close" title="Close (Escape)" aria-label="Close find">✕</button>
      </div>
      <p id="find-problem" class="problem" role="alert" hidden></p>
      <progress max="100" aria-label="Searched" hidden></progress>
    </form>
    <div class="corner">
      <div id="note" role="status" hidden></div>
      <button type="button" id="new-lines" hidden></button>
    </div>
    <div id="failure" role="alert" hidden><p></p><div class="actions"></div></div>
    </div>
  </main>
  <div id="spoken" role="status" aria-live="polite"></div>
  <script nonce="${nonce}" src="${file("viewer.js")}"></script>
</body>
</html>`;
}
