import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Daemon } from "../../../src/daemon";
import { type CountLinesParams, Requests } from "../../../src/protocol";
import { EVERY_LINE, type LineFilter, type ToPage } from "../../../src/viewer/messages";
import { ShownLines } from "../../../src/viewer/shownLines";
import { FileChanged, Snapshot } from "../../../src/viewer/snapshot";
import type { ViewedFile } from "../../../src/viewer/viewedFile";
import { FileInMemory, numbered } from "./fileInMemory";

function containing(pattern: string): LineFilter {
  const query = { pattern, regex: false, ignoreCase: false, wholeWord: false };
  return { ...EVERY_LINE, terms: [{ query, role: "any" }] };
}

/** Of a file of 500 lines; `count` answers how many lines there are of what a filter shows. */
async function shownLines(count: (pattern: string, upTo: number | null) => number | Promise<number>) {
  const memory = new FileInMemory(numbered(500));
  const request = (async (method: string, params: CountLinesParams) => {
    if (method === Requests.find) {
      return await memory.find({ ...params, pattern: "\x1b" });
    }
    if (method !== Requests.countLines) {
      return await memory.request(Requests.readFile, params);
    }
    const line_count = await count(params.filter?.any?.[0]?.pattern ?? "", params.filter?.last_line ?? null);
    return { line_count, etag: memory.etag, byte_length: 0 };
  }) as Daemon["request"];
  const snapshot = await Snapshot.open({ request }, { path: "file" });
  const posted: ToPage[] = [];
  let checks = 0;
  const file = {
    read: async <Result>(work: (snapshot: Snapshot) => Promise<Result>) => await work(snapshot),
    check: async () => {
      checks += 1;
      throw new FileChanged();
    },
  };
  const shown = new ShownLines({ request } as Daemon, file as unknown as ViewedFile, (message) =>
    posted.push(message),
  );
  const told = <Type extends ToPage["type"]>(type: Type) =>
    posted.filter((message): message is ToPage & { type: Type } => message.type === type);
  return { shown, file, memory, told, checked: () => checks };
}

/** A promise that is kept by hand. */
function promised(): { done: Promise<void>; keep: () => void } {
  let keep = () => {};
  const done = new Promise<void>((kept) => {
    keep = kept;
  });
  return { done, keep };
}

describe("what a viewer shows", () => {
  it("tells the count of a filter that was left as that filter's", async () => {
    const { shown, file, told } = await shownLines((pattern) => (pattern === "first" ? 111 : 222));
    const [reading, left] = [promised(), promised()];
    const { read } = file;
    await shown.apply(containing("first"), 1);
    file.read = async (work) => {
      file.read = read;
      reading.keep();
      await left.done;
      return await read(work);
    };
    const counting = shown.count();
    await reading.done;
    await shown.apply(containing("second"), 1);
    left.keep();
    await counting;
    for (const { showing, total } of told("total")) {
      assert.equal(total.lines, showing === 1 ? 111 : 222);
    }
  });

  it("finds the row of a line in the view that is there by then", async () => {
    const { done, keep } = promised();
    const { shown } = await shownLines(async (pattern, upTo) => {
      if (upTo === null) {
        return 400;
      }
      if (pattern === "first") {
        await done;
        return 10;
      }
      return 20;
    });
    await shown.apply(containing("first"), 1);
    const row = shown.rowOf(100);
    await shown.apply(containing("second"), 1);
    keep();
    assert.equal(await row, 21);
  });

  it("keeps the filter that is wanted while the file changes beneath it", async () => {
    const { shown, memory, told, checked } = await shownLines((_pattern, upTo) => {
      if (upTo !== null) {
        memory.change(numbered(400));
      }
      return upTo ?? 400;
    });
    await shown.apply(containing("first"), 300);
    assert.deepEqual(told("filterFailed"), []);
    assert.equal(checked(), 1);
    assert.deepEqual(shown.wanted, containing("first"));
  });
});
