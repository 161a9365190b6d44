import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { lineAtTime } from "../../../src/viewer/goToTime";
import { formatTime, parseTime, stampOf, type Time } from "../../../src/viewer/times";

const forms: Record<"stamps" | "targets", [string, string | null][]> = JSON.parse(
  readFileSync("../../tests/editors/times.json", "utf8"),
);

async function goTo(lines: string[], text: string, current = 1) {
  let reads = 0;
  const read = async (first: number, count: number) => {
    reads += 1;
    return lines.slice(first - 1, first - 1 + count);
  };
  const file = { name: "server.log", total: lines.length };
  const found = await lineAtTime(read, file, { text, time: parseTime(text) as Time }, current);
  return { ...found, reads };
}

const stamp = (milliseconds: number) => new Date(milliseconds).toISOString();
/** A line every second over two days, each with a line of a stack trace. */
const twoDays = Array.from({ length: 2 * 86_400 }, (_, second) => [
  `${stamp(Date.UTC(2026, 10, 16) + 1000 * second)} tick`,
  "    at somewhere",
]).flat();

describe("a time", () => {
  it("is understood as both editors' table says", () => {
    for (const [kind, parse] of [["stamps", stampOf] as const, ["targets", parseTime] as const]) {
      for (const [text, meaning] of forms[kind]) {
        const time = parse(text);
        assert.equal(time && formatTime(time), meaning, text);
      }
    }
  });

  it("is found at the first line at or after it, in few reads", async () => {
    const found = await goTo(twoDays, "2026-11-17 00:00:01");
    assert.equal(found.line, 2 * 86_401 + 1);
    assert.ok(found.reads < 30);
  });

  it("without a date is of the day of the line the reader is at", async () => {
    assert.equal((await goTo(twoDays, "14:05")).line, 2 * (14 * 3600 + 300) + 1);
    assert.equal((await goTo(twoDays, "9:00:00.5", 2 * 90_000)).line, 2 * (86_400 + 9 * 3600 + 1) + 1);
    assert.equal((await goTo(twoDays, "Nov 17")).line, 2 * 86_400 + 1);
  });

  it("may be past the end, and lines may have none", async () => {
    const { note, line } = await goTo(twoDays, "2027-01-01");
    assert.equal(note, "server.log ends before 2027-01-01: its last line is of 2026-11-17 23:59:59.");
    assert.equal(line, twoDays.length);
    assert.equal((await goTo(["a", "b"], "14:05")).note, "The lines of server.log do not begin with a time.");
    const undated = await goTo(["10:00:00 a", "11:00:00 b"], "2026-11-16");
    assert.equal(undated.note, "The lines of server.log have a time and no date.");
  });

  it("passes midnight and New Year in files that do not say so", async () => {
    const night = Array.from({ length: 480 }, (_, minute) => {
      const at = stamp(Date.UTC(2026, 10, 16, 22) + 60_000 * minute);
      return `${at.slice(11, 19)} tick`;
    });
    assert.equal((await goTo(night, "02:30")).line, 271);
    assert.equal((await goTo(night, "23:15")).line, 76);
    const year = ["Dec 30 10:00:00 a", "Dec 31 10:00:00 b", "Jan  1 10:00:00 c", "Jan  2 10:00:00 d"];
    assert.equal((await goTo(year, "Jan 1")).line, 3);
  });

  it("cannot be trusted where the file is not in order, which is said", async () => {
    const hours = [9, 10, 11, 8, 7, 12, 13, 6];
    const mixed = hours.map((hour) => `2026-11-16 ${String(hour).padStart(2, "0")}:00:00 tick`);
    assert.match(
      (await goTo(mixed, "11:00")).note,
      /^server\.log is not in order of time: line \d is earlier/,
    );
    assert.match((await goTo([...mixed].sort(), "11:00")).note, /^11:00 is at line 6 /);
  });
});
