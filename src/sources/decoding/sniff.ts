import { parseBoundedJson } from '../../domain/json/bounded-json.ts';
import { keptDocumentType } from '../../domain/records/kept-document.ts';
import { pushedType } from '../../domain/records/pushed-content.ts';
import { byteOrderMark, decodeText } from './charset.ts';

export interface Sniffed {
  /** Lower case, without parameters. */
  mediaType: string;
  /** Of textual types, else null. */
  charset: string | null;
  /** The decoded text of textual types, else null. */
  text: string | null;
}

/**
 * Says what bytes are, by what is in them; the declared type and the address's ending only decide between kinds of
 * text that look alike. Binary data never comes out as text. The same input gives the same answer, so a stored original can be decoded again.
 * @param declaredType a Content-Type header with its parameters, or null.
 * @param url where they are from; `file:` addresses are fine.
 */
export async function sniffResource(bytes: Uint8Array, declaredType: string | null, url: string): Promise<Sniffed> {
  const declared = essence(declaredType);
  const magic = asciiMagic(bytes);
  if (magic !== null) return { mediaType: magic, charset: null, text: null };
  if (!isTextual(bytes, declaredType)) {
    return { mediaType: await binaryType(bytes), charset: null, text: null };
  }
  const { charset, text } = decodeText(bytes, declaredType);
  return { mediaType: textualType(text, declared, url), charset, text };
}

/** Types of our own. A server that claims one sends JSON like any other: see `Original.given`. */
const ownTypes = new Set([keptDocumentType, pushedType]);

function essence(type: string | null): string {
  const bare = (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (ownTypes.has(bare)) return 'application/json';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(bare) ? bare : '';
}

/** Formats that may be all ASCII, and so would pass for text. */
function asciiMagic(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, pdfPrefixBytes));
  if (start.startsWith('{\\rtf')) return 'application/rtf';
  if (start.startsWith('%!PS')) return 'application/postscript';
  if (start.startsWith('%PDF-')) return 'application/pdf';
  // Readers accept junk in front of a PDF's mark (mail and HTTP headers, mostly), but a page may talk about it.
  const isMarked = /^[^<]{0,1019}%PDF-\d/s.test(start) || hasPdfObject(start);
  return isMarked && hasBinaryBytes(bytes) ? 'application/pdf' : null;
}

/** As far as junk in front of a PDF is looked through. */
const pdfPrefixBytes = 8_192;
/** Characters behind a PDF's mark in which its first object has to begin. */
const maxBeforeObject = 2_000;

/** Whether a line is a PDF's mark and an object follows it. Each mark has a part of its own: the next one ends it. */
function hasPdfObject(start: string): boolean {
  const [, ...parts] = start.split(/[\r\n](?=%PDF-\d\.\d\s)/);
  return parts.some((part) => /\d \d{1,10} obj\b/.test(part.slice(0, maxBeforeObject)));
}

const textSampleBytes = 65_536;

function isTextual(bytes: Uint8Array, declaredType: string | null): boolean {
  if (byteOrderMark(bytes) !== null || !hasBinaryBytes(bytes)) return true;
  if (/charset\s*=\s*["']?utf-?16/i.test(declaredType ?? '')) return true;
  // Stray control characters do not make a page anything else, but data that merely begins like one is data.
  const sample = bytes.subarray(0, textSampleBytes);
  const start = new TextDecoder('latin1').decode(sample.subarray(0, 2_048));
  return startsAsHtml(start) && sample.filter(isBinaryByte).length < sample.length / 10;
}

function hasBinaryBytes(bytes: Uint8Array): boolean {
  return bytes.subarray(0, textSampleBytes).some(isBinaryByte);
}

/** Bytes that no text has (https://mimesniff.spec.whatwg.org/#binary-data-byte). */
function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

async function binaryType(bytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  return found?.mime.split(';', 1)[0]?.toLowerCase() ?? 'application/octet-stream';
}

const htmlStart =
  /^(?:<!doctype html|<(?:html|head|body|meta|link|base|script|noscript|style|title|iframe|h[1-6]|div|font|table|a|b|br|p|span|ul|ol|main|article|section|header|nav|footer|form|img|center)[\s/>])/i;
const documentStart = /^<(?:!doctype html|html[\s>])/i;

function startsAsHtml(text: string): boolean {
  return htmlStart.test(withoutPreamble(text)) || /^\s*<!--/.test(text);
}

/** Without the comments and processing instructions in front of the first element. */
function withoutPreamble(text: string): string {
  return text.slice(0, 20_000).replace(/^(?:\s+|<!--.*?-->|<\?.*?\?>)+/s, '');
}

const markdownTypes = new Set(['text/markdown', 'text/x-markdown']);
const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);
/** Declared types that say no more than that nobody knew better. */
const vagueTypes = new Set(['', 'text/plain', 'application/octet-stream', 'binary/octet-stream', 'unknown/unknown']);

function textualType(text: string, declared: string, url: string): string {
  const start = withoutPreamble(text.replace(/^\ufeff/, ''));
  const markdownName = /\.(?:md|markdown|mdown|mkd)$/i.test(URL.parse(url)?.pathname ?? '');
  if (documentStart.test(start)) return 'text/html';
  const xml = xmlType(start, text);
  if (xml !== null) return xml;
  if (markdownTypes.has(declared) || (markdownName && !htmlTypes.has(declared))) return 'text/markdown';
  if (isJson(text, declared)) return 'application/json';
  if (startsAsHtml(text) || htmlTypes.has(declared)) return 'text/html';
  if (start.startsWith('WEBVTT')) return 'text/vtt';
  if (start.startsWith('BEGIN:VCALENDAR')) return 'text/calendar';
  if (start.startsWith('BEGIN:VCARD')) return 'text/vcard';
  if (vagueTypes.has(declared)) return looksLikeMarkdown(text) ? 'text/markdown' : 'text/plain';
  return declared.startsWith('text/') || isTextApplication(declared) ? declared : 'text/plain';
}

function xmlType(start: string, text: string): string | null {
  const root = /^(?:<!doctype[^>]{0,1000}>\s*)?<([a-z][\w.-]*:)?([a-z][\w.-]*)[\s/>]/i.exec(start)?.[2]?.toLowerCase();
  if (root === 'svg') return 'image/svg+xml';
  if (root === 'rss' || root === 'rdf') return 'application/rss+xml';
  if (root === 'feed') return 'application/atom+xml';
  if (!/^\s*<\?xml\s/.test(text)) return null;
  return root === 'html' ? 'text/html' : 'application/xml';
}

/** Longer ones are believed or not by their declaration: parsing them would hold up the process. */
const maxParsedJsonLength = 2_000_000;

function isJson(text: string, declared: string): boolean {
  const saysSo = declared === 'application/json' || declared.endsWith('+json');
  if (!/^\s*[[{]/.test(text)) return false;
  if (text.length > maxParsedJsonLength) return saysSo;
  try {
    parseBoundedJson(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function isTextApplication(type: string): boolean {
  return /^application\/(?:(?:x-)?(?:javascript|ecmascript|sh|yaml|toml|sql|latex|tex)|.*\+(?:xml|json))$/.test(type);
}

/** At least two different marks that plain text does not have by chance. A `#` alone may be a script's comment. */
function looksLikeMarkdown(text: string): boolean {
  if (text.startsWith('#!')) return false;
  const sample = text.slice(0, 50_000);
  const lines = sample.split('\n');
  const marks = [
    /^#{1,6} \S/m.test(sample),
    hasFencedCode(lines),
    hasLink(sample),
    /(?:^|\s)\*\*[^\s*][^*\n]{0,200}\*\*/.test(sample),
    lines.some((line) => /^\|(?:[ \t]*:?-{3,}:?[ \t]*\|)+\s*$/.test(line)),
    lines.some((line, i) => line !== '' && line.length <= maxUnderlined && /^={3,}\s*$/.test(lines[i + 1] ?? '')),
  ];
  return marks.filter(Boolean).length >= 2;
}

/** Characters of a line that is a heading when the next one underlines it. */
const maxUnderlined = 200;
const maxLinkText = 200;
const maxLinkTarget = 500;

/** `[text](https://…)`. From the middle of each: a pattern would look from each bracket over all that follow. */
function hasLink(text: string): boolean {
  const targetEnd = /[\s)]/g;
  let end = -1;
  for (const { 0: middle, index } of text.matchAll(/\]\((?:https?:\/\/|[/#.])/g)) {
    const from = index + middle.length;
    if (end < from) {
      targetEnd.lastIndex = from;
      end = targetEnd.exec(text)?.index ?? text.length;
    }
    if (text[end] !== ')' || end - from > maxLinkTarget) continue;
    const before = text.slice(Math.max(0, index - maxLinkText - 1), index);
    const open = before.slice(Math.max(before.lastIndexOf(']'), before.lastIndexOf('\n')) + 1);
    // There is at least one character between the brackets.
    if (open.slice(0, -1).includes('[')) return true;
  }
  return false;
}

/** A line that opens a fence and a later one that is nothing but a fence. Line by line: a pattern would look from every opening to the end. */
function hasFencedCode(lines: readonly string[]): boolean {
  let opened = false;
  for (const line of lines) {
    if (!line.startsWith('```') && !line.startsWith('~~~')) continue;
    if (opened && line.slice(3).trim() === '') return true;
    opened = true;
  }
  return false;
}
