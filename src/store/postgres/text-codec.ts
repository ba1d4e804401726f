/*
 * PostgreSQL's `text` holds every character but U+0000, which people's notes and pages may have. It is stored as two
 * characters, of which the first is a code point that Unicode keeps free of characters for ever.
 */
const escape = '\u{10FFFE}';

export function encodeText(text: string): string {
  if (!text.includes('\0') && !text.includes(escape)) return text;
  return text.replaceAll(escape, `${escape}1`).replaceAll('\0', `${escape}0`);
}

export function decodeText(stored: string): string {
  if (!stored.includes(escape)) return stored;
  return stored.replaceAll(`${escape}0`, '\0').replaceAll(`${escape}1`, escape);
}
