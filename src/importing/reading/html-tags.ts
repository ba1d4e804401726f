import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { cutOff, type FileEnding } from './file-ending.ts';

export type HtmlToken =
  | { kind: 'open'; name: string; attributes: ReadonlyMap<string, string>; isClosed: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string };

/** Icons in attributes are long; a longer tag is skipped. */
const maxTagLength = 4_000_000;
const maxTextLength = 100_000;
/** Longer values are pictures. */
const maxValueLength = 50_000;
const maxAttributes = 50;

/**
 * Reads the tags and texts of an export in HTML or XML, in order. It knows nothing of elements that may not stand in each
 * other, of scripts or of styles: exports have none. Takes time in proportion to the text.
 */
export async function* htmlTags(chunks: AsyncIterable<string>, ending?: FileEnding): AsyncGenerator<HtmlToken> {
  let rest = '';
  /** How far an unfinished tag has been scanned, and the quotation mark that is open there. */
  let scan: TagScan = { at: 0, quote: 0 };
  for await (const chunk of chunks) {
    rest += chunk;
    let from = 0;
    for (;;) {
      const start = rest.indexOf('<', from);
      if (start === -1) break;
      if (start > from) {
        yield textOf(rest.slice(from, start));
        from = start;
        scan = { at: 0, quote: 0 };
      }
      scan = scanTag(rest, start, scan);
      if (!scan.isDone) break;
      const token = tokenOf(rest.slice(start + 1, scan.at - 1));
      if (token !== null) yield token;
      from = scan.at;
      scan = { at: 0, quote: 0 };
    }
    if (rest.charAt(from) === '<') {
      // What has been scanned is not scanned again. A tag without an end is dropped.
      if (rest.length - from > maxTagLength) {
        rest = '';
        scan = { at: 0, quote: 0 };
      } else {
        rest = rest.slice(from);
        scan = { ...scan, at: scan.at - from };
      }
    } else {
      rest = rest.slice(from);
      if (rest.length > maxTextLength) {
        yield textOf(rest);
        rest = '';
      }
    }
  }
  if (rest.startsWith('<')) {
    if (ending !== undefined) ending.fault = cutOff;
  } else if (rest !== '') yield textOf(rest);
}

interface TagScan {
  /** The next character to look at; after the end of the tag when it is done. */
  at: number;
  quote: number;
  isDone?: boolean;
}

function scanTag(text: string, start: number, { at, quote }: TagScan): TagScan {
  const comment = text.startsWith('<!--', start);
  let from = Math.max(at, start + 1);
  let open = quote;
  if (comment) {
    const end = text.indexOf('-->', Math.max(start + 4, from - 3));
    return end === -1 ? { at: text.length, quote: 0 } : { at: end + 3, quote: 0, isDone: true };
  }
  for (; from < text.length; from += 1) {
    const code = text.charCodeAt(from);
    if (open !== 0) {
      if (code === open) open = 0;
    } else if (code === 0x3e) return { at: from + 1, quote: 0, isDone: true };
    // Quotation marks count only where a value begins: an apostrophe elsewhere opens nothing.
    else if ((code === 0x22 || code === 0x27) && text.charAt(from - 1) === '=') open = code;
  }
  return { at: from, quote: open };
}

function textOf(text: string): HtmlToken {
  return { kind: 'text', text: decodeHTML(text.slice(0, maxTextLength)) };
}

function tokenOf(content: string): HtmlToken | null {
  const [, slash, name] = /^(\/?)([a-z][a-z0-9:_-]{0,40})/i.exec(content) ?? [];
  if (name === undefined) return null;
  if (slash === '/') return { kind: 'close', name: name.toLowerCase() };
  const attributes = readAttributes(content, name.length);
  return { kind: 'open', name: name.toLowerCase(), attributes, isClosed: content.endsWith('/') };
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

function readAttributes(content: string, start: number): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  let at = start;
  while (at < content.length && attributes.size < maxAttributes) {
    while (at < content.length && (isSpace(content.charCodeAt(at)) || content.charCodeAt(at) === 0x2f)) at += 1;
    const nameStart = at;
    while (at < content.length && !isSpace(content.charCodeAt(at)) && content.charCodeAt(at) !== 0x3d) at += 1;
    const name = content.slice(nameStart, at).toLowerCase();
    if (content.charCodeAt(at) !== 0x3d) {
      if (name !== '') attributes.set(name, '');
      continue;
    }
    at += 1;
    const quote = content.charCodeAt(at);
    let valueEnd: number;
    if (quote === 0x22 || quote === 0x27) {
      at += 1;
      const end = content.indexOf(String.fromCharCode(quote), at);
      valueEnd = end === -1 ? content.length : end;
    } else {
      valueEnd = at;
      while (valueEnd < content.length && !isSpace(content.charCodeAt(valueEnd))) valueEnd += 1;
    }
    if (name !== '' && !attributes.has(name) && valueEnd - at <= maxValueLength)
      attributes.set(name, decodeHTMLAttribute(content.slice(at, valueEnd)));
    at = valueEnd + 1;
  }
  return attributes;
}
