import type { Email } from 'postal-mime';
import { ProcessingError } from '../../errors.ts';
import { decodeText } from '../decoding/charset.ts';

/** Far more than mails have. A message inside a message is read with its own header. */
const limits = { maxNestingDepth: 50, maxHeadersSize: 1_000_000, maxRfc822NestingDepth: 3 };

/**
 * Decodes a message: its header, and its text and HTML.
 * @throws {ProcessingError} `extraction_failed` when it has more parts inside each other, or more header, than `limits`
 */
export async function parseMessage(bytes: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  return PostalMime.parse(bytes, limits).catch((cause: unknown) => {
    throw new ProcessingError(
      'extraction_failed',
      'This mail or saved page is damaged, or built in a way that cannot be read. Open it, and save it as a web page (HTML) or a PDF, or paste its text.',
      { cause },
    );
  });
}

/** The value of a field of the header; null when there is none. */
export function headerValue({ headers }: Email, name: string): string | null {
  return headers.find(({ key }) => key === name)?.value ?? null;
}

/** The header of a message, without what follows. */
export function headerOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, headerEnd(bytes));
}

const pageTypes = new Set(['text/html', 'application/xhtml+xml']);

/**
 * The HTML of the first part of a message, and the address that the part names. The HTML is empty when the part is no page.
 * @throws {ProcessingError} as `parseMessage`
 */
export async function readFirstPart(
  bytes: Uint8Array,
  contentType: string,
): Promise<{ html: string; location: string | null }> {
  // As an attachment it comes in bytes. A part without a charset names it in its HTML.
  const attached = Buffer.concat([Buffer.from('Content-Disposition: attachment\r\n'), firstPart(bytes, contentType)]);
  const part = await parseMessage(attached);
  const page = part.attachments.find(({ mimeType }) => pageTypes.has(mimeType));
  const location = headerValue(part, 'content-location');
  if (page === undefined || typeof page.content === 'string') return { html: part.html ?? '', location };
  const { text } = await decodeText(new Uint8Array(page.content), headerValue(part, 'content-type'));
  return { html: text, location };
}

/**
 * The first part of a message, with its own header; the whole message when it is not made of parts. In `multipart/related` it is
 * the page, and the others are its pictures, styles and frames.
 */
function firstPart(bytes: Uint8Array, contentType: string): Uint8Array {
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return bytes;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = findDelimiter(text, boundary, headerEnd(bytes) - 1);
  if (first === null) return new Uint8Array();
  // From the line's end on: a part may be without any line.
  const second = findDelimiter(text, boundary, first.end - 1);
  return text.subarray(first.end, second === null ? undefined : Math.max(first.end, second.start));
}

/** The next line that parts the message, from the line end before it to its own. A longer line is another boundary's. */
function findDelimiter(text: Buffer, boundary: string, from: number): { start: number; end: number } | null {
  const line = `\n--${boundary}`;
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const lineEnd = text.indexOf('\n', at + 1);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const rest = at + line.length;
    if (end - rest <= maxDelimiterEnd && /^(?:--)?\s*$/.test(text.toString('latin1', rest, end)))
      return { start: at, end };
  }
  return null;
}

/** White space may follow a boundary. */
const maxDelimiterEnd = 100;

/** Where the first empty line ends. */
function headerEnd(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends = ['\n\n', '\n\r\n'].flatMap((gap) => {
    const at = text.indexOf(gap);
    return at === -1 ? [] : [at + gap.length];
  });
  return Math.min(text.length, ...ends);
}
