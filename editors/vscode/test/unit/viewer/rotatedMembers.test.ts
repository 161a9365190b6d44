import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { messagesOf } from "../../../src/viewer/rotatedMembers";

const member = (path: string, start_line: number | null, denied = false) => ({
  path,
  byte_length: 1,
  start_line,
  denied,
  reason: denied ? "denied by policy" : null,
});

describe("the files of a rotated set", () => {
  it("are told as far as it is known where they start", () => {
    const members = [
      member("logs/app.log.2.gz", 1),
      member("logs/app.log.1", 301),
      member("logs/app.log", null),
    ];
    assert.deepEqual(messagesOf(members), [
      {
        type: "members",
        members: [
          { name: "app.log.2.gz", start: 1 },
          { name: "app.log.1", start: 301 },
        ],
      },
    ]);
  });

  it("that may not be read are named", () => {
    const [, banner] = messagesOf([member("app.log.1", null, true), member("app.log", 1)]);
    assert.deepEqual(banner, { type: "banner", text: "Left out, because reading is denied: app.log.1." });
  });
});
