import { isUtf8 } from 'node:buffer';
import type { Email } from 'postal-mime';
import { isMailStart, mailOfMailbox, maxMailStart, nextMailStart } from '../../domain/text/mailbox-file.ts';
import { ProcessingError } from '../../errors.ts';
import { decodeText } from '../decoding/charset.ts';
import { knownEncoding } from '../decoding/encodings.ts';
import { withRecording } from '../page/media-document.ts';
import { readPage } from '../page/read-page.ts';
import type { Source } from '../source.ts';

/** Far more than mails have. A message inside a message is read with its own header. */
const limits = { maxNestingDepth: 50, maxHeadersSize: 1_000_000, maxRfc822NestingDepth: 3 };

interface Message {
  email: Email;
  /** The message itself, or the tree of its parts, with their texts in UTF-8. */
  root: MessagePart;
}

/**
 * Decodes a message: its header, and its text and HTML.
 * @throws {ProcessingError} `extraction_failed` when it has more parts inside each other, or more header, than `limits`
 */
export async function parseMessage(bytes: Uint8Array): Promise<Message> {
  const { default: PostalMime } = await import('postal-mime');
  const parser = new PostalMime(limits) as InstanceType<typeof PostalMime> & ParserParts;
  const finalize = parser.finalize.bind(parser);
  parser.finalize = async () => {
    await finalize();
    await decodeParts(parser.root);
  };
  const email = await parser.parse(await withPlainHeader(bytes)).catch((cause: unknown) => {
    throw new ProcessingError(
      'extraction_failed',
      'This mail or saved page is damaged, or built in a way that cannot be read. Open it, and save it as a web page (HTML) or a PDF, or paste its text.',
      { cause },
    );
  });
  return { email, root: parser.root };
}

/** Undeclared parts of postal-mime's API: its version is pinned, and the tests cover them. */
interface ParserParts {
  root: MessagePart;
  /** Called when all parts are there and before their text is taken. */
  finalize(): Promise<void>;
}

interface MessagePart {
  headers: Email['headers'];
  childNodes: MessagePart[];
  content: ArrayBuffer | null;
  contentType: { value: string; parsed: { value: string; params: Record<string, string | undefined> } };
  contentDisposition: { parsed: { value: string } };
}

/**
 * Decodes the texts of a message by the rules for pages: programs leave out the charset, or name it in the HTML alone.
 * Joins the lines of flowed text, which postal-mime does without regard to quotations.
 */
async function decodeParts(part: MessagePart): Promise<void> {
  for (const child of part.childNodes) await decodeParts(child);
  const { value, params } = part.contentType.parsed;
  const isText =
    /^text\/(?:plain|html)$|^application\/xhtml\+xml$/.test(value) &&
    part.contentDisposition.parsed.value !== 'attachment';
  if (!isText || part.content === null) return;
  const { charset, format, delsp } = params;
  const isUnnamed = charset === undefined || /unknown|default|auto/i.test(charset);
  // Names that only mails use are known to postal-mime.
  if (!isUnnamed && knownEncoding(charset) === null) return;
  const type = isUnnamed ? value : `${value}; charset=${charset}`;
  const { text } = await decodeText(new Uint8Array(part.content), type);
  const isFlowed = format?.toLowerCase() === 'flowed';
  const bytes = new TextEncoder().encode(isFlowed ? unfolded(text, delsp?.toLowerCase() === 'yes') : text);
  part.content = bytes.buffer;
  params['charset'] = 'utf-8';
  params['format'] = '';
}

/** Joins lines of flowed text (RFC 3676) that end with a space to the next ones of the same quotation. */
function unfolded(text: string, dropsSpace: boolean): string {
  const lines: { depth: number; parts: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)?.[0].length ?? 0;
    const own = line.slice(depth).replace(/^ /, '');
    const last = lines.at(-1);
    const goesOn = isOpen && last?.depth === depth && own !== '-- ';
    if (goesOn) {
      if (dropsSpace) last.parts.push(last.parts.pop()?.slice(0, -1) ?? '');
      last.parts.push(own);
    } else lines.push({ depth, parts: [own] });
    isOpen = own.endsWith(' ') && own !== '-- ';
  }
  return lines.map((line) => `${'>'.repeat(line.depth)}${line.depth > 0 ? ' ' : ''}${line.parts.join('')}`).join('\n');
}

/** The message with its header in UTF-8, where old programs wrote it in another encoding. */
async function withPlainHeader(bytes: Uint8Array): Promise<Uint8Array> {
  const head = headerOf(bytes);
  if (isUtf8(head)) return bytes;
  const charset = /charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(Buffer.from(head).toString('latin1'))?.[1];
  const { text } = await decodeText(head, charset === undefined ? null : `text/plain; charset=${charset}`);
  return Buffer.concat([Buffer.from(text), bytes.subarray(head.length)]);
}

/** The first message of a mailbox (mbox), and their number. */
export function firstOfMailbox(bytes: Uint8Array): { message: Uint8Array; count: number } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isMailStart(text.toString('latin1', 0, maxMailStart), true)) return { message: bytes, count: 1 };
  const starts: number[] = [];
  for (let at = nextMailStart(text, 0); at !== -1; at = nextMailStart(text, at)) starts.push(at);
  return { message: mailOfMailbox(text.subarray(0, starts[0])), count: starts.length + 1 };
}

export function headerValue({ headers }: Pick<Email, 'headers'>, name: string): string | null {
  return headers.find(({ key }) => key === name)?.value ?? null;
}

/** The page of a saved page, which is its first part, and the address that the part names. Empty when it is not a page. */
function firstPage({ root }: Message): { html: string; location: string | null } {
  let part = root;
  for (let first = part.childNodes[0]; first !== undefined; first = part.childNodes[0]) part = first;
  const isPage = /^text\/html$|^application\/xhtml\+xml$/.test(part.contentType.parsed.value);
  const html = isPage && part.content !== null ? new TextDecoder().decode(part.content) : '';
  return { html, location: headerValue(part, 'content-location') };
}

function headerOf(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends = ['\n\n', '\n\r\n'].flatMap((gap) => {
    const at = text.indexOf(gap);
    return at === -1 ? [] : [at + gap.length];
  });
  return bytes.subarray(0, Math.min(text.length, ...ends));
}

/** Web pages that a browser saved as one file (MHTML). The content of their frames is not read. */
export const savedPageSource: Source = {
  name: 'saved-page',
  matches: (_url, mediaType) => mediaType === 'multipart/related',
  async read({ bytes, finalUrl, fetchedAt }, context) {
    context.report.begun('page');
    const message = await parseMessage(bytes);
    const { email: whole } = message;
    const { html, location } = firstPage(message);
    if (html.trim() === '') {
      throw new ProcessingError(
        'empty',
        'There is no web page in this file. Open it in your browser, and save it as a web page (HTML) or a PDF.',
      );
    }
    const address = webAddress(headerValue(whole, 'snapshot-content-location') ?? location);
    const page = await withRecording(
      await readPage({ text: html, finalUrl: address ?? finalUrl, fetchedAt }, context, true),
      null,
    );
    return { ...page, title: page.title ?? whole.subject ?? null, canonicalUrl: page.canonicalUrl ?? address };
  },
};

function webAddress(address: string | null): string | null {
  const url = URL.parse(address ?? '');
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url.href : null;
}
