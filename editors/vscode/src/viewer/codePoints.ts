/** Columns count characters (code points), as on the wire; JavaScript's strings count UTF-16 units. */

export function countCodePoints(text: string): number {
  let count = text.length;
  for (const _ of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) {
    count -= 1;
  }
  return count;
}

/** How many UTF-16 units the first code points take. */
export function unitsOf(text: string, codePoints: number): number {
  if (!/[\ud800-\udbff]/.test(text)) {
    return Math.min(text.length, codePoints);
  }
  let units = 0;
  for (let seen = 0; seen < codePoints && units < text.length; seen += 1) {
    units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1;
  }
  return units;
}
