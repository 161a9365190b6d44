import type { FolderCacheStats } from "./protocol";

/** One folder's cache in a few words. */
export function cacheFigures({ entries, bytes, hits, misses, evictions }: FolderCacheStats): string {
  const reads = hits + misses;
  const parts = [`${counted(entries, "file")} indexed`, `${(bytes / 1e6).toFixed(1)} MB`];
  if (reads > 0)
    parts.push(`${Math.round((100 * hits) / reads)} % of ${counted(reads, "read")} found it there`);
  if (evictions > 0) parts.push(`${counted(evictions, "file")} made room`);
  return parts.join(", ");
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
