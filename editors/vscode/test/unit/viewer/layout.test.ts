import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fieldsOf } from "../../../src/viewer/layout";

describe("the fields of a line", () => {
  it("of JSON are indented, with every value as it is written", () => {
    const line = '{"id":12345678901234567890,"empty":{},"list":[1,[],"a, b: {c}"],"nested":{"x":null}}';
    const json = [
      "{",
      '  "id": 12345678901234567890,',
      '  "empty": {},',
      '  "list": [',
      "    1,",
      "    [],",
      '    "a, b: {c}"',
      "  ],",
      '  "nested": {',
      '    "x": null',
      "  }",
      "}",
    ].join("\n");
    assert.deepEqual(fieldsOf(line), { before: "", json });
    assert.deepEqual(JSON.parse(json), JSON.parse(line));
  });

  it("may stand after a time and a level", () => {
    const found = fieldsOf('2026-11-18 01:02:03 INFO {set} {"user": 7}');
    assert.deepEqual(found, { before: "2026-11-18 01:02:03 INFO {set}", json: '{\n  "user": 7\n}' });
  });

  it("of logfmt are those with a key", () => {
    const found = fieldsOf('12:00 level=info msg="two words" took=1.5 path=/a=b');
    assert.equal(found?.before, "12:00");
    assert.deepEqual(JSON.parse(found?.json ?? ""), {
      level: "info",
      msg: "two words",
      took: 1.5,
      path: "/a=b",
    });
  });

  it("are not found in prose", () => {
    for (const line of ["", "an error", "a = b", "x=1", "{not json}", "braces } {"]) {
      assert.equal(fieldsOf(line), null, line);
    }
  });
});
