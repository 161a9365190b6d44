// Bundles the extension and the viewer's page; with --tests also what runs inside VS Code and under `node --test`.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, context } from "esbuild";

const { values: wanted } = parseArgs({
  options: { tests: { type: "boolean" }, watch: { type: "boolean" } },
});

const common = { bundle: true, logLevel: "warning", sourcemap: wanted.watch ? "inline" : false };
const forExtensionHost = {
  ...common,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode", "mocha"],
};

const withoutVsCode = { ...forExtensionHost, external: [], alias: { vscode: "./test/unit/vscode.ts" } };

const bundles = [
  {
    ...forExtensionHost,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    minify: true,
    keepNames: true,
    // The ES modules of vscode-jsonrpc and its kin; their UMD form cannot be bundled.
    mainFields: ["module", "main"],
  },
  {
    ...common,
    entryPoints: { viewer: "webview/main.ts" },
    outdir: "dist",
    platform: "browser",
    format: "iife",
    target: "es2022",
    minify: true,
  },
];

if (wanted.tests) {
  bundles.push(
    { ...forExtensionHost, entryPoints: ["test/suite/index.ts"], outfile: "dist-test/suite/index.js" },
    { ...forExtensionHost, entryPoints: ["test/bench/index.ts"], outfile: "dist-test/bench/index.js" },
    { ...withoutVsCode, entryPoints: unitTests("test/unit"), outdir: "dist-test/unit" },
    { ...withoutVsCode, entryPoints: ["test/page.ts"], outfile: "dist-test/page.js" },
  );
}

function unitTests(folder) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  return names.filter((name) => name.endsWith(".test.ts")).map((name) => join(folder, name));
}

for (const bundle of bundles) {
  if (wanted.watch) await (await context(bundle)).watch();
  else await build(bundle);
}
