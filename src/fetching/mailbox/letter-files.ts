import PostalMime from 'postal-mime';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { readableFile } from '../../domain/records/sources/source.ts';
import type { LetterFile } from './mailbox.ts';

/** Bytes of the letters of one check, after the first. */
export const maxTogether = 32 * 1024 ** 2;
const maxFiles = 10;
const maxParts = 100;
const maxHeader = 20_000;
const maxFields = 4_000;
const maxName = 200;

/**
 * Removes attachments from a letter: base64 parts of a supported type. Decoding a whole letter takes a mail parser 30 µs a line, so
 * it gets only those fields of a part that describe its file.
 * @returns the letter without them
 */
export async function takeFiles(bytes: Uint8Array): Promise<{ letter: Uint8Array; files: LetterFile[] }> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files: LetterFile[] = [];
  const boundary = boundaryOf(partsOf(whole));
  if (boundary === null) return { letter: bytes, files };
  const kept: Buffer[] = [];
  let from = 0;
  const mark = `\n--${boundary}`;
  let start = whole.indexOf(mark);
  for (let parts = 0; start !== -1 && parts < maxParts && files.length < maxFiles; parts += 1) {
    const end = whole.indexOf(mark, start + mark.length);
    if (end === -1) break;
    const file = await fileOf(whole.subarray(whole.indexOf('\n', start + 1) + 1, end));
    if (file !== null) {
      files.push(file);
      kept.push(whole.subarray(from, start));
      from = end;
    }
    start = end;
  }
  return { letter: files.length === 0 ? bytes : Buffer.concat([...kept, whole.subarray(from)]), files };
}

/** The header of a part, with each field in one line, and what follows it. */
function partsOf(part: Buffer): { header: string; body: Buffer } {
  const text = part.toString('latin1', 0, maxHeader);
  const end = text.search(/\r?\n\r?\n/);
  if (end === -1) return { header: '', body: part.subarray(0, 0) };
  return { header: text.slice(0, end).replaceAll(/\r?\n[ \t]/g, ' '), body: part.subarray(end) };
}

function boundaryOf({ header }: { header: string }): string | null {
  const type = /^content-type:[ \t]{0,9}multipart\/mixed(.*)$/im.exec(header)?.[1] ?? '';
  const [, quoted, bare] = /;\s{0,9}boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type) ?? [];
  return quoted ?? bare ?? null;
}

async function fileOf(part: Buffer): Promise<LetterFile | null> {
  const { header, body } = partsOf(part);
  if (!/^content-transfer-encoding:[ \t]{0,9}base64/im.test(header)) return null;
  const fields = header.match(/^content-(?:type|disposition|transfer-encoding):.*$/gim)?.join('\r\n') ?? '';
  const about = await PostalMime.parse(`${fields.slice(0, maxFields)}\r\n\r\n`).catch(() => null);
  const name = cleanLine((about?.attachments[0]?.filename ?? '').slice(-maxName).replaceAll(/[/\\]/g, ' '));
  if (!readableFile.test(name)) return null;
  const bytes = Buffer.from(body.toString('latin1'), 'base64');
  return bytes.length === 0 ? null : { name, bytes };
}
