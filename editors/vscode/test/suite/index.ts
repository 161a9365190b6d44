/** The entry that VS Code calls inside its extension host. What the tests say goes into the file `FORGE_SUITE_REPORT`. */
import { appendFileSync } from "node:fs";
import Mocha from "mocha";

class Silent extends Mocha.reporters.Base {
  override epilogue(): void {}
}

const mocha = new Mocha({ ui: "bdd", timeout: 30_000, reporter: Silent });

export async function run(): Promise<void> {
  // Puts `describe` and `it` there before the tests are loaded.
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  await import("./reads.test");
  await import("./filter.test");
  await import("./agentTools.test");
  await import("./settings.test");
  await import("./commands.test");
  await import("./viewer.test");
  await import("./crashes.test");
  await import("./outside.test");
  await import("./interpreter.test");
  await import("./golden.test");
  const failures = await new Promise<number>((done) => {
    mocha
      .run(done)
      .on("pass", (test) => say(`ok ${test.fullTitle()} (${test.duration} ms)\n`))
      .on("fail", (test, error) => say(`FAILED ${test.fullTitle()}\n${error.stack ?? error}\n`));
  });
  if (failures > 0) throw new Error(`${failures} of the tests inside VS Code failed`);
}

function say(text: string): void {
  appendFileSync(process.env.FORGE_SUITE_REPORT ?? "/dev/null", text);
}
