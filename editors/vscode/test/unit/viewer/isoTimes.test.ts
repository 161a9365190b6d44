import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clockOf, formatDuration, justAfter, minuteOf, secondsBetween } from "../../../src/viewer/isoTimes";

describe("a time of the daemon", () => {
  it("is compared with another, with zones or without", () => {
    assert.equal(secondsBetween("2026-11-18T14:05:01", "2026-11-18T14:06:01.5"), 60.5);
    assert.equal(secondsBetween("2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"), 1);
    assert.equal(secondsBetween("2026-11-18T14:00:00+01:00", "2026-11-18T14:00:00Z"), 3600);
    assert.equal(secondsBetween("yesterday", "2026-11-18T14:00:00Z"), null);
  });

  it("has a next one, in the precision of the log", () => {
    assert.equal(justAfter("2026-11-18T14:05:01"), "2026-11-18T14:05:02");
    assert.equal(justAfter("2026-11-18T14:05:01.007"), "2026-11-18T14:05:01.008");
    assert.equal(justAfter("2026-12-31T23:59:59.999Z"), "2027-01-01T00:00:00.000Z");
    assert.equal(justAfter("2026-11-18T14:05:01+01:00"), "2026-11-18T14:05:02+01:00");
  });

  it("is in a minute", () => {
    assert.deepEqual(minuteOf("2026-11-18T23:59:31.007+01:00"), {
      since: "2026-11-18T23:59:00+01:00",
      until: "2026-11-19T00:00:00+01:00",
    });
  });

  it("is shown without its date, and as it was typed where it is another form", () => {
    assert.equal(clockOf("2026-11-18T14:05:01.007Z"), "14:05:01.007");
    assert.equal(clockOf("-2h"), "-2h");
  });
});

describe("a duration", () => {
  it("is told in its two largest units", () => {
    const told = [0.007, 1.5, 59.94, 60, 200, 3600, 86_400 * 2 + 3600 * 5, -90].map(formatDuration);
    assert.deepEqual(told, [
      "7 ms",
      "1.5 s",
      "59.9 s",
      "1 min",
      "3 min 20 s",
      "1 h",
      "2 d 5 h",
      "−1 min 30 s",
    ]);
  });
});
