/** Maximum number of pages of a repaired file. */
const maxPages = 10_000;
/** Characters of an object that are searched to decide whether it is a page. */
const objectHead = 4_000;

/**
 * Repairs a file whose end is missing, and with it the list of pages: appends a new list of the remaining pages. Null
 * when there are none, or when they are compressed and so cannot be found.
 */
export function salvagePages(bytes: Uint8Array): Uint8Array | null {
  const text = new TextDecoder('latin1').decode(bytes);
  const pages: string[] = [];
  let highest = 0;
  for (const found of text.matchAll(/\b(\d{1,9}) (\d{1,5}) obj\b/g)) {
    const [mark, number = '0', generation = '0'] = found;
    highest = Math.max(highest, Number(number));
    const start = found.index + mark.length;
    const rest = text.slice(start, start + objectHead);
    // Stop at the next object. Otherwise a file of objects without ends would be read four thousand times.
    const end = rest.search(/\b(?:endobj|stream|obj)\b/);
    const head = end === -1 ? rest : rest.slice(0, end);
    if (/\/Type\s*\/Page\b(?!s)/.test(head) && pages.length < maxPages) pages.push(`${number} ${generation} R`);
  }
  if (pages.length === 0) return null;
  const [list, catalog] = [highest + 1, highest + 2];
  const end = [
    '',
    `${list} 0 obj<</Type/Pages/Kids[${pages.join(' ')}]/Count ${pages.length}/MediaBox[0 0 612 792]>>endobj`,
    `${catalog} 0 obj<</Type/Catalog/Pages ${list} 0 R>>endobj`,
    `trailer<</Root ${catalog} 0 R/Size ${catalog + 1}>>`,
    '%%EOF',
  ].join('\n');
  const mended = new Uint8Array(bytes.length + end.length);
  mended.set(bytes);
  mended.set(new TextEncoder().encode(end), bytes.length);
  return mended;
}
