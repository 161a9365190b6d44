import assert from "node:assert/strict";
import { test } from "node:test";
import { Crashes } from "../../src/daemon/crashes";

const MINUTE = 60_000;

test("a daemon that crashes again and again is given up", () => {
  const crashes = new Crashes(() => 0);
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(() => crashes.mayRestart()),
    [true, true, true, true, false],
  );
});

test("a crash now and then never is", () => {
  let now = 0;
  const crashes = new Crashes(() => now);
  for (let count = 0; count < 50; count += 1) {
    now += MINUTE;
    assert.ok(crashes.mayRestart());
  }
});

test("a restart by hand begins anew", () => {
  const crashes = new Crashes(() => 0);
  for (let count = 0; count < 4; count += 1) crashes.mayRestart();
  crashes.forget();
  assert.ok(crashes.mayRestart());
});
