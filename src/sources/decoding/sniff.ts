import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../domain/json/bounded-json.ts';
import { unlockedDocumentType, type Original, type Resource } from '../../domain/records/resource.ts';
import { pushedType } from '../../domain/records/pushed-content.ts';
import { byteOrderMark, decodeText, wideCharset } from './charset.ts';

interface Sniffed {
  mediaType: string;
  charset: string | null;
  text: string | null;
}

/** A resource with its detected type and decoded text. It exists only in the reading processes. */
export interface DecodedResource extends Resource, Sniffed {}

/**
 * Detects the media type of bytes from their content. The declared type and the extension in the address only decide
 * between kinds of text that look alike. Binary data is never returned as text. The same input gives the same result,
 * so a stored original can be decoded again.
 * @param declaredType a Content-Type header with its parameters, or null.
 * @param url the address of the bytes; may be a `file:` address.
 */
export async function sniffResource(bytes: Uint8Array, declaredType: string | null, url: string): Promise<Sniffed> {
  const declared = essence(declaredType);
  const magic = asciiMagic(bytes);
  if (magic !== null) return { mediaType: magic, charset: null, text: null };
  if (!isTextual(bytes, declaredType)) {
    const mediaType = await binaryType(bytes);
    const isXml = mediaType === 'application/xml';
    if ((mediaType !== unknownType && !isXml) || !isTextWithFaults(bytes, isXml ? bytesPerXmlFault : bytesPerFault))
      return { mediaType, charset: null, text: null };
  }
  const { charset, text } = await decodeText(bytes, declaredType);
  return { mediaType: textualType(text, declared, url), charset, text };
}

/** Our own media types. A server that declares one of them is treated as sending JSON: see `Original.given`. */
const ownTypes = new Set([unlockedDocumentType, pushedType]);

function essence(type: string | null): string {
  const bare = (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (ownTypes.has(bare)) return 'application/json';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(bare) ? bare : '';
}

/** Detects formats that may be pure ASCII and would otherwise count as text. */
function asciiMagic(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, pdfPrefixBytes));
  if (start.startsWith('{\\rtf')) return 'application/rtf';
  if (start.startsWith('%!PS')) return 'application/postscript';
  if (start.startsWith('%PDF-')) return 'application/pdf';
  // PDF readers accept junk before the signature `%PDF-` (mostly mail and HTTP headers), but a text page may mention
  // the signature.
  const isMarked = /^[^<]{0,1019}%PDF-\d/s.test(start) || hasPdfObject(start);
  return isMarked && hasBinaryBytes(bytes) ? 'application/pdf' : null;
}

const pdfPrefixBytes = 8_192;
/** The first object of a PDF must begin within this many characters after the signature. */
const maxBeforeObject = 2_000;

/** Whether an object follows the PDF signature at the beginning of a line. Each is checked up to the next one. */
function hasPdfObject(start: string): boolean {
  const [, ...parts] = start.split(/[\r\n](?=%PDF-\d\.\d\s)/);
  return parts.some((part) => /\d \d{1,10} obj\b/.test(part.slice(0, maxBeforeObject)));
}

const textSampleBytes = 65_536;

function isTextual(bytes: Uint8Array, declaredType: string | null): boolean {
  if (byteOrderMark(bytes) !== null || !hasBinaryBytes(bytes)) return true;
  if (/charset\s*=\s*["']?utf-?16/i.test(declaredType ?? '')) return true;
  // A page with stray control characters is still a page, but binary data that merely begins like HTML is not.
  const sample = bytes.subarray(0, textSampleBytes);
  const start = new TextDecoder('latin1').decode(sample.subarray(0, 2_048));
  return startsAsHtml(start) && sample.filter(isBinaryByte).length < sample.length / 10;
}

const unknownType = 'application/octet-stream';
/** Text has at most one binary byte among this many others. In compressed data every ninth byte is one. */
const bytesPerFault = 200;
/** Editors leave control characters in XML, which nothing but text begins like. */
const bytesPerXmlFault = 20;
/** A shorter text may have one binary byte if all others are valid UTF-8. */
const shortText = 16;

/** Whether bytes of no known type are text with a stray control character, such as a NUL or the end mark of DOS. */
function isTextWithFaults(bytes: Uint8Array, perFault: number): boolean {
  if (wideCharset(bytes) !== null) return true;
  const sample = bytes.subarray(0, textSampleBytes);
  const faults = sample.filter(isBinaryByte).length;
  return faults <= Math.max(sample.length >= shortText && isUtf8(bytes) ? 1 : 0, sample.length / perFault);
}

function hasBinaryBytes(bytes: Uint8Array): boolean {
  return bytes.subarray(0, textSampleBytes).some(isBinaryByte);
}

/** Bytes that never occur in text (https://mimesniff.spec.whatwg.org/#binary-data-byte). */
function isBinaryByte(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f);
}

async function binaryType(bytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes);
  return found?.mime.split(';', 1)[0]?.toLowerCase() ?? unknownType;
}

const htmlStart =
  /^(?:<!doctype html|<(?:html|head|body|meta|link|base|script|noscript|style|title|iframe|h[1-6]|div|font|table|a|b|br|p|span|ul|ol|main|article|section|header|nav|footer|form|img|center)[\s/>])/i;
const documentStart = /^<(?:!doctype html|html[\s>])/i;

function startsAsHtml(text: string): boolean {
  return htmlStart.test(withoutPreamble(text)) || /^\s*<!--/.test(text);
}

function withoutPreamble(text: string): string {
  return text.slice(0, 20_000).replace(/^(?:\s+|<!--.*?-->|<\?.*?\?>)+/s, '');
}

const markdownTypes = new Set(['text/markdown', 'text/x-markdown']);
const htmlTypes = new Set(['text/html', 'application/xhtml+xml']);
const vagueTypes = new Set(['', 'text/plain', 'application/octet-stream', 'binary/octet-stream', 'unknown/unknown']);

function textualType(text: string, declared: string, url: string): string {
  const start = withoutPreamble(text.replace(/^\ufeff/, ''));
  const markdownName = /\.(?:md|markdown|mdown|mkd)$/i.test(URL.parse(url)?.pathname ?? '');
  if (documentStart.test(start)) return 'text/html';
  const xml = xmlType(start, text);
  if (xml !== null) return xml;
  const message = messageType(text);
  if (message !== null) return message;
  if (markdownTypes.has(declared) || (markdownName && !htmlTypes.has(declared))) return 'text/markdown';
  if (isJson(text, declared)) return 'application/json';
  if (startsAsHtml(text) || htmlTypes.has(declared)) return 'text/html';
  if (start.startsWith('WEBVTT')) return 'text/vtt';
  if (start.startsWith('BEGIN:VCALENDAR')) return 'text/calendar';
  if (start.startsWith('BEGIN:VCARD')) return 'text/vcard';
  if (vagueTypes.has(declared)) return looksLikeMarkdown(text) ? 'text/markdown' : 'text/plain';
  return declared.startsWith('text/') || isTextApplication(declared) ? declared : 'text/plain';
}

const articleSample = 20_000;

function xmlType(start: string, text: string): string | null {
  const root = /^(?:<!doctype[^>]{0,1000}>\s*)?<([a-z][\w.-]*:)?([a-z][\w.-]*)[\s/>]/i.exec(start)?.[2]?.toLowerCase();
  if (root === undefined) return null;
  if (root === 'svg') return 'image/svg+xml';
  if (root === 'rss' || root === 'rdf') return 'application/rss+xml';
  if (root === 'feed') return 'application/atom+xml';
  if (root === 'html') return /^\s*<\?xml\s/.test(text) ? 'text/html' : null;
  const sample = start.slice(0, articleSample);
  if (root === 'article' && /<article-meta[\s>]|\bJATS\b/.test(sample)) return 'application/jats+xml';
  if (/^tei(?:\.2|corpus)?$/.test(root) && sample.includes('<teiHeader')) return 'application/tei+xml';
  if (/docbook/i.test(sample.slice(0, 2_000)) && docbookRoots.has(root)) return 'application/docbook+xml';
  if (/^\s*<\?xml\s/.test(text)) return 'application/xml';
  // Without a declaration, a text that begins like XML ends like it, too.
  return !startsAsHtml(text) && text.slice(-1_000).trimEnd().toLowerCase().endsWith(`${root}>`)
    ? 'application/xml'
    : null;
}

const docbookRoots = new Set('article book chapter section part appendix preface refentry set'.split(' '));

/** Longer texts are not parsed, because that would block the process. For them the declared type decides. */
const maxParsedJsonLength = 2_000_000;

function isJson(text: string, declared: string): boolean {
  const saysSo = declared === 'application/json' || declared.endsWith('+json');
  if (!/^\s*[[{]/.test(text)) return false;
  return text.length > maxParsedJsonLength ? saysSo : parseJson(text) !== null;
}

function isTextApplication(type: string): boolean {
  return /^application\/(?:(?:x-)?(?:javascript|ecmascript|sh|yaml|toml|sql|latex|tex)|.*\+(?:xml|json))$/.test(type);
}

/** Two different marks of Markdown that plain text does not have by chance: a `#` alone may be a comment in a script. */
function looksLikeMarkdown(text: string): boolean {
  if (text.startsWith('#!')) return false;
  const sample = text.slice(0, 50_000);
  const lines = sample.split('\n');
  const marks = [
    /^#{1,6} \S/m.test(sample),
    hasFencedCode(lines),
    /\[[^\][\n]{1,200}\]\((?:https?:\/\/|[/#.])[^\s)]{0,500}\)/.test(sample),
    /(?:^|\s)\*\*[^\s*][^*\n]{0,200}\*\*/.test(sample),
    lines.some((line) => /^\|(?:[ \t]*:?-{3,}:?[ \t]*\|)+\s*$/.test(line)),
    lines.some((line, i) => line !== '' && line.length <= maxUnderlined && /^={3,}\s*$/.test(lines[i + 1] ?? '')),
  ];
  return marks.filter(Boolean).length >= 2;
}

/** Maximum length of a heading that is underlined in the next line. */
const maxUnderlined = 200;

/** Goes line by line: a regular expression would scan from every opening to the end. */
function hasFencedCode(lines: readonly string[]): boolean {
  let opened = false;
  for (const line of lines) {
    if (!line.startsWith('```') && !line.startsWith('~~~')) continue;
    if (opened && line.slice(3).trim() === '') return true;
    opened = true;
  }
  return false;
}

/** Decodes a fetched resource. It never gets an internal media type, whatever the server claims. */
export async function decodeResource(resource: Resource): Promise<DecodedResource> {
  return { ...resource, ...(await sniffResource(resource.bytes, resource.declaredType, resource.finalUrl)) };
}

/** The type of an original that a client provided with an internal media type, else null. */
export function ownTypeOf({ given, declaredType }: Pick<Original, 'given' | 'declaredType'>): string | null {
  if (!given || declaredType === null) return null;
  const type = declaredType.split(';', 1)[0] ?? '';
  return type === unlockedDocumentType || type === pushedType ? type : null;
}

/** A mail, and a page that a browser saved as one file (MHTML, RFC 2557). */
type MessageType = 'message/rfc822' | 'multipart/related';

/** Characters at the beginning in which the header is looked for. Mail servers put theirs before the sender's. */
const maxHeaderLength = 65_536;
/** Old programs put spaces before the colon. */
const field = /^([!-9;-~]{1,100})[ \t]{0,9}:(.{0,200})/;
/** Fields of mails from before there were types of content. A text that happens to begin with one has no third. */
const mailFields =
  'from to cc subject date message-id sender reply-to received return-path in-reply-to references delivered-to'.split(
    ' ',
  );
const minMailFields = 3;
/** The line that mailbox files put before the header of each mail. */
const mailboxLine = /^From \S/;

/** The type of a text that begins with the header of a message (RFC 5322), else null. One field may begin any text. */
function messageType(text: string): MessageType | null {
  const lines = text
    .slice(0, maxHeaderLength)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  // The last line may be cut off.
  if (text.length > maxHeaderLength) lines.pop();
  const fields = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    if (line === '') break;
    if (fields.size > 0 ? /^[ \t]/.test(line) : i === 0 && mailboxLine.test(line)) continue;
    const [, name, value = ''] = field.exec(line) ?? [];
    if (name === undefined) return null;
    fields.set(name.toLowerCase(), value.trim());
  }
  const isMessage = fields.has('mime-version')
    ? ['content-type', 'from', 'subject', 'date'].some((name) => fields.has(name))
    : fields.has('from') && (fields.has('content-type') || isOldMail(fields));
  if (!isMessage) return null;
  // A saved page has no sender, or names the browser as its sender.
  const sender = fields.get('from');
  const isPage =
    sender === undefined
      ? /^(?:multipart\/related|text\/html)/i.test(fields.get('content-type') ?? '')
      : /^["<]?saved by/i.test(sender);
  return isPage ? 'multipart/related' : 'message/rfc822';
}

/** Whether the fields are those of a mail without MIME headers: several of them, and its sender has an address. */
function isOldMail(fields: ReadonlyMap<string, string>): boolean {
  const count = mailFields.filter((name) => fields.has(name)).length;
  return count >= minMailFields && fields.get('from')?.includes('@') === true;
}
