/**
 * Where things are in a file of any length. No element is as tall as the file (browsers clip at 33 million pixels), so the
 * position is a line with a fraction, and the scrollbar's thumb maps onto it.
 */

const MIN_THUMB = 24;

export interface Extent {
  lines: number;
  /** How many rows fit; a fraction where the last one is cut off. */
  rows: number;
  /** Empty rows that can be scrolled in above the first line, so that the find widget covers none. */
  above?: number;
}

/** The last line can be scrolled up to the lower edge, with one empty row below it. */
export function maxTop({ lines, rows }: Extent): number {
  return Math.max(1, lines - rows + 2);
}

export function minTop({ above = 0 }: Extent): number {
  return 1 - above;
}

export function clampTop(top: number, extent: Extent): number {
  return Math.min(Math.max(minTop(extent), top), maxTop(extent));
}

export function thumbLength(extent: Extent, track: number): number {
  const share = extent.rows / Math.max(extent.rows, extent.lines + 1);
  return Math.min(track, Math.max(MIN_THUMB, share * track));
}

export function thumbOffset(top: number, extent: Extent, track: number): number {
  const furthest = maxTop(extent) - minTop(extent);
  const way = clampTop(top, extent) - minTop(extent);
  return furthest === 0 ? 0 : (way / furthest) * (track - thumbLength(extent, track));
}

/** The inverse: the whole line at the upper edge when the thumb is there. */
export function topAt(offset: number, extent: Extent, track: number): number {
  const way = track - thumbLength(extent, track);
  const share = way <= 0 ? 0 : Math.min(1, Math.max(0, offset / way));
  const first = minTop(extent);
  return share === 1 ? maxTop(extent) : Math.floor(first + share * (maxTop(extent) - first));
}

/** The smallest move that shows a line, or one that centers it if it is far away. */
export function topToReveal(line: number, top: number, extent: Extent): number {
  const fullRows = Math.max(1, Math.floor(extent.rows));
  if (line >= top && line <= top + fullRows - 1) {
    return top;
  }
  const near = line < top ? line : line - fullRows + 1;
  return Math.abs(near - top) <= fullRows ? clampTop(near, extent) : topToCenter(line, extent);
}

export function topToCenter(line: number, extent: Extent): number {
  return clampTop(Math.round(line - Math.max(1, Math.floor(extent.rows)) / 2), extent);
}

const STEP = 512;

/** Which columns of every row are asked for: enough to scroll a little either way, however long the line is. */
export function columnsAround(left: number, visible: number): { column: number; width: number } {
  const column = Math.max(0, Math.floor(left / STEP) - 1) * STEP;
  return { column, width: Math.ceil(visible / STEP) * STEP + 2 * STEP };
}

/** How many columns a text takes on the screen: tabs to their stops, wide characters twice. */
export function displayColumns(text: string, tabSize: number): number {
  if (/^[\x20-\x7e]*$/.test(text)) {
    return text.length;
  }
  let columns = 0;
  for (const character of text) {
    columns += character === "\t" ? tabSize - (columns % tabSize) : isWide(character) ? 2 : 1;
  }
  return columns;
}

function isWide(character: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
    character,
  );
}
