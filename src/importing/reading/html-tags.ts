import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { cutOff, type FileEnding } from './export-files.ts';

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

/** Longest `&name;` that is kept whole where a long text is parted. */
const maxEntityLength = 40;
const dataStart = '<![CDATA[';

/**
 * Reads the tags and texts of an export in HTML or XML, in order. It knows nothing of invalid nesting, scripts or styles: exports
 * have none. Entities declared by a document are not expanded. Takes linear time.
 */
export async function* htmlTags(chunks: AsyncIterable<string>, ending?: FileEnding): AsyncGenerator<HtmlToken> {
  const reader = createTagReader();
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
  if (reader.isCutOff() && ending !== undefined) ending.fault = cutOff;
}

/** The same for a text that is in memory. */
export function* htmlTagsOf(text: string): Generator<HtmlToken> {
  const reader = createTagReader();
  yield* reader.read(text);
  yield* reader.end();
}

function createTagReader() {
  let rest = '';
  /** How far an unfinished tag has been scanned, and the quotation mark that is open there. */
  let scan: TagScan = { at: 0, quote: 0 };
  let isInData = false;
  return {
    *read(chunk: string): Generator<HtmlToken> {
      rest += chunk;
      let from = 0;
      for (;;) {
        if (isInData) {
          const end = rest.indexOf(']]>', from);
          // Without its end, keep two characters: they may begin it.
          const to = end === -1 ? Math.max(from, rest.length - 2) : end;
          if (to > from) yield { kind: 'text', text: rest.slice(from, to) };
          from = end === -1 ? to : end + 3;
          if (end === -1) break;
          isInData = false;
        }
        const start = tagStart(rest, from);
        if (start === -1) break;
        if (start > from) {
          yield* textsOf(rest.slice(from, start));
          from = start;
          scan = { at: 0, quote: 0 };
        }
        if (rest.startsWith(dataStart, start)) {
          isInData = true;
          from = start + dataStart.length;
          continue;
        }
        // The beginning of such a section may be cut in two.
        if (rest.length - start < dataStart.length && dataStart.startsWith(rest.slice(start))) break;
        scan = scanTag(rest, start, scan);
        if (!scan.isDone) break;
        const token = tokenOf(rest.slice(start + 1, scan.at - 1));
        if (token !== null) yield token;
        from = scan.at;
        scan = { at: 0, quote: 0 };
      }
      rest = rest.slice(from);
      if (isInData) return;
      if (tagStart(rest, 0) === 0) {
        // Scanned text is not scanned again. An unclosed tag is dropped.
        scan = rest.length > maxTagLength ? { at: 0, quote: 0 } : { ...scan, at: Math.max(0, scan.at - from) };
        if (rest.length > maxTagLength) rest = '';
      } else if (rest.length > maxTextLength) {
        const entity = rest.lastIndexOf('&');
        const to = entity >= rest.length - maxEntityLength ? entity : rest.length;
        yield* textsOf(rest.slice(0, to));
        rest = rest.slice(to);
      }
    },
    *end(): Generator<HtmlToken> {
      if (rest !== '' && (isInData || tagStart(rest, 0) !== 0)) yield* textsOf(rest);
    },
    isCutOff: () => isInData || tagStart(rest, 0) === 0,
  };
}

/** A `<` before anything but a name is text. At the end of the buffer it may become a tag. */
function tagStart(text: string, from: number): number {
  for (let at = text.indexOf('<', from); at !== -1; at = text.indexOf('<', at + 1)) {
    const next = text.charAt(at + 1);
    if (next === '' || /[a-z/!?]/i.test(next)) return at;
  }
  return -1;
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

function* textsOf(text: string): Generator<HtmlToken> {
  for (let from = 0; from < text.length; from += maxTextLength)
    yield { kind: 'text', text: decodeHTML(text.slice(from, from + maxTextLength)) };
}

function tokenOf(content: string): HtmlToken | null {
  const [, slash, name] = /^(\/?)([a-z][a-z0-9:_-]{0,40})/i.exec(content) ?? [];
  if (name === undefined) return null;
  if (slash === '/') return { kind: 'close', name: name.toLowerCase() };
  const attributes = readAttributes(content, name.length);
  return { kind: 'open', name: name.toLowerCase(), attributes, isClosed: content.endsWith('/') };
}

/** A value without its closing quotation mark goes on to the end of the tag. */
const attribute = /([^\s=/][^\s=]*)(?:=(?:"([^"]*)"?|'([^']*)'?|(\S*)))?/g;

function readAttributes(content: string, start: number): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of content.slice(start).matchAll(attribute)) {
    const value = double ?? single ?? bare ?? '';
    const key = name.toLowerCase();
    if (!attributes.has(key) && value.length <= maxValueLength) attributes.set(key, decodeHTMLAttribute(value));
    if (attributes.size === maxAttributes) break;
  }
  return attributes;
}
