import { basename } from "node:path";
import type { Member } from "../protocol";
import type { ToPage } from "./messages";

/** What the page is told of the files of a rotated set: where each starts, and which are left out. */
export function messagesOf(members: readonly Member[]): ToPage[] {
  const known = members.flatMap(({ path, start_line }) =>
    start_line === null ? [] : [{ name: basename(path), start: start_line }],
  );
  const denied = members.filter((member) => member.denied).map(({ path }) => basename(path));
  const text = `Left out, because reading is denied: ${denied.join(", ")}.`;
  return [
    { type: "members", members: known },
    ...(denied.length > 0 ? [{ type: "banner", text } as const] : []),
  ];
}
