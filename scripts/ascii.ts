import { parseSync } from 'rolldown/utils';

const beyondAscii = /[^\0-\x7f]/g;

/**
 * Writes characters beyond ASCII as escapes, which mean the same in strings, regular expressions and names. V8 keeps the source of every module in
 * memory, with two bytes for each character as soon as one of them is beyond ASCII: a dash in a message doubles a megabyte.
 * @throws Error when the result is no JavaScript: such a character stands between words, as a space
 */
export function inAscii(code: string, name: string): string {
  if (code.search(beyondAscii) === -1) return code;
  let written = '';
  let end = 0;
  for (const part of specialParts(code, name)) {
    // `{ name }` is two nodes, a key and a value, in one place.
    if (part.start < end) continue;
    written += escape(code.slice(end, part.start)) + part.escape(code.slice(part.start, part.end));
    end = part.end;
  }
  written += escape(code.slice(end));
  const [error] = parseSync(name, written).errors;
  if (error !== undefined) throw new Error(`${name} cannot be written in ASCII: ${error.message}`);
  return written;
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Also drops a backslash before a character that needs none, which would end up before the escape. */
function escape(text: string): string {
  return text.replaceAll(/(?<=(?<!\\)(?:\\\\)*)\\(?=[^\0-\x7f\u2028\u2029])/g, '').replaceAll(beyondAscii, escapeOf);
}

interface Part {
  /** In UTF-16 units. */
  start: number;
  end: number;
  escape(text: string): string;
}

/**
 * What needs escapes of its own: texts of `String.raw`, where `\u…` is no escape, and names with letters beyond 16 bits. No other tag that is used here
 * reads its texts as they are written.
 */
function specialParts(code: string, name: string): Part[] {
  if (!/String\.raw`|[\ud800-\udfff]/.test(code)) return [];
  const found: Part[] = [];
  const waiting: unknown[] = [parseSync(name, code).program];
  while (waiting.length > 0) {
    const node = waiting.pop() as Node;
    const { type, start, end } = node;
    if (type === 'TaggedTemplateExpression' && node.tag?.property?.name === 'raw')
      found.push(
        ...(node.quasi?.quasis ?? []).map((text) => ({ start: text.start, end: text.end, escape: escapeRaw })),
      );
    if (type === 'Identifier' && /[\ud800-\udfff]/.test(node.name ?? ''))
      found.push({ start, end, escape: escapeName });
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) waiting.push(child);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** What is asked of a node of the syntax tree. */
interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  tag?: { property?: { name?: string } };
  quasi?: { quasis: { start: number; end: number }[] };
}

function escapeRaw(text: string): string {
  return text.replaceAll(beyondAscii, (unit) => `\${'${escapeOf(unit)}'}`);
}

function escapeName(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
