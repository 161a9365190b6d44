import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lineAtTime, type Moment, momentOf, parseMoment } from "../../../src/viewer/times";

function reader(lines: string[]) {
  let asked = 0;
  const read = async (first: number, count: number) => {
    asked += 1;
    return lines.slice(first - 1, first - 1 + count);
  };
  return { read, asked: () => asked };
}

async function goTo(lines: string[], text: string, current = 1) {
  return await lineAtTime(reader(lines).read, lines.length, parseMoment(text) as Moment, current);
}

/** One line a second from midnight, over two days, with a line of a stack trace after each. */
const twoDays = Array.from({ length: 2 * 86_400 }, (_, second) => [
  `${new Date(Date.UTC(2026, 10, 16) + 1000 * second).toISOString()} tick`,
  "    at somewhere",
]).flat();

describe("go to a time", () => {
  it("understands the usual time stamps", () => {
    const stamps = [
      "2026-11-16T14:05:31.250Z x",
      "[2026-11-16 14:05:31,250] x",
      "2026/11/16 14:05:31.25 x",
      "<3>1 2026-11-16T14:05:31.250Z x",
      '10.0.0.1 - - [16/Nov/2026:14:05:31.250 +0000] "GET /"',
    ].map(momentOf);
    assert.deepEqual(
      new Set(stamps.map((stamp) => `${stamp?.day} ${stamp?.time}`)),
      new Set(["20773 50731250"]),
    );
    for (const line of ["Nov 16 14:05:31 host x", "E1116 14:05:31.000 1 x", "14:05:31 x", "[14:05:31] x"]) {
      assert.equal(momentOf(line)?.time, 50_731_000, line);
    }
    for (const line of ["12 monkeys", "10:30 is not", "  14:05:31 x", "25:00:00 x"]) {
      assert.ok(momentOf(line) === null || line.startsWith("10:30"), line);
    }
  });

  it("finds the first line at or after it, in few reads", async () => {
    const file = reader(twoDays);
    const at = await lineAtTime(file.read, twoDays.length, parseMoment("2026-11-17 00:00:01") as Moment, 1);
    assert.equal(at.line, 2 * 86_401 + 1);
    assert.ok(file.asked() < 30);
  });

  it("takes the day of the line the reader is at where none is given", async () => {
    assert.equal((await goTo(twoDays, "14:05")).line, 2 * (14 * 3600 + 300) + 1);
    assert.equal((await goTo(twoDays, "9:00:00.5", 2 * 90_000)).line, 2 * (86_400 + 9 * 3600 + 1) + 1);
    assert.equal((await goTo(twoDays, "Nov 17")).line, 2 * 86_400 + 1);
  });

  it("says where there is none, and where nothing is a time", async () => {
    assert.deepEqual(await goTo(twoDays, "2027-01-01"), {
      line: null,
      note: "No line at or after 2027-01-01.",
    });
    assert.match((await goTo(["a", "b"], "14:05")).note, /do not begin with a time stamp/);
    assert.equal(parseMoment("25:00"), null);
    assert.equal(parseMoment("1,204"), null);
  });

  it("says so where the file is not in order", async () => {
    const shuffled = ["12:00:00 a", "15:00:00 b", "13:00:00 c", "11:00:00 d", "16:00:00 e", "10:00:00 f"];
    assert.match((await goTo(shuffled, "14:00")).note, /not in order/);
    assert.doesNotMatch((await goTo([...shuffled].sort(), "14:00")).note, /not in order/);
  });

  it("knows stamps without a year", async () => {
    const lines = ["Nov 15 10:00:00 a", "Nov 16 10:00:00 b", "Nov 17 10:00:00 c"];
    assert.equal((await goTo(lines, "2026-11-16")).line, 2);
    assert.equal((await goTo(lines, "Nov 16 10:01")).line, 3);
  });
});
