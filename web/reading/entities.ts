/** Names that Markdown of ours may hold; every other one stays as it is written. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

const form = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/iy;

/** What stands at an ampersand: its length in the text, and what a reader sees. */
export function decodeEntity(text: string, at: number): [length: number, shown: string] {
  form.lastIndex = at;
  const found = form.exec(text);
  if (found === null) return [1, '&'];
  const [whole, decimal, hexadecimal, name = ''] = found;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  const shown = Number.isNaN(code)
    ? named[name.toLowerCase()]
    : code > 31 && code <= 0x10_ff_ff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : undefined;
  return shown === undefined ? [1, '&'] : [whole.length, shown];
}
