import { mailOfMailbox, maxMailStart, nextMailStart } from '../../domain/text/mailbox-file.ts';
import { hashOf, type RawEntry } from '../raw-entry.ts';
import { decodeHead, encodingNamed } from '../reading/text-chunks.ts';

/** Bytes of one mail, and of its header searched for the subject. */
const [maxMail, maxHeader] = [100_000_000, 65_536];
/** Before the first mail, as `recognise` passes over them: a byte order mark, and white space. */
const markOrSpace = [0xef, 0xbb, 0xbf, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20];

/** Reads the mails of a mailbox one after the other, with one in memory. Text before the first one is ignored. */
export async function* readMailbox(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawEntry> {
  // After an empty line, the first line of the file is a start like the others. The consumed text keeps enough context to tell.
  let rest = Buffer.from('\n\n\n');
  const context = rest.length;
  let isBegun = false;
  let pieces: Buffer[] = [];
  let length = 0;
  let isMail = false;
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > maxMail) pieces.splice(1);
    else if (isMail) pieces.push(piece);
  };
  const readUpTo = async function* (end: number): AsyncGenerator<RawEntry> {
    let from = context;
    for (let at = nextMailStart(rest, context - 1); at !== -1 && at < end; at = nextMailStart(rest, at)) {
      take(rest.subarray(from, at));
      if (isMail) yield await entryOf(pieces, length);
      [pieces, length, isMail, from] = [[], 0, true, at];
    }
    take(rest.subarray(from, end));
    rest = rest.subarray(end - context);
  };
  for await (const chunk of chunks) {
    const start = isBegun ? 0 : chunk.findIndex((byte) => !markOrSpace.includes(byte));
    if (start === -1) continue;
    isBegun = true;
    rest = Buffer.concat([rest, chunk.subarray(start)]);
    // A possible start may be cut off.
    yield* readUpTo(Math.max(context, rest.length - maxMailStart));
  }
  yield* readUpTo(rest.length);
  if (isMail) yield await entryOf(pieces, length);
}

async function entryOf(pieces: readonly Buffer[], length: number): Promise<RawEntry> {
  // Each import and each watched folder has a thread that loads this file, and few have mails.
  const { default: PostalMime } = await import('postal-mime');
  const bytes = mailOfMailbox(Buffer.concat(pieces));
  const text = Buffer.from(bytes.subarray(0, maxHeader)).toString('latin1');
  const header = /^(?:\r?\n|[^]{0,65536}?\r?\n\r?\n)/.exec(text)?.[0] ?? text;
  const charset = /charset\s{0,9}=\s{0,9}["']?([\w-]{1,40})/i.exec(header)?.[1];
  const decoded = decodeHead(bytes.subarray(0, header.length), encodingNamed(charset));
  const { subject: title = '', messageId, date, from } = await PostalMime.parse(decoded);
  if (length > maxMail) return { title, refused: `this mail is larger than ${maxMail / 1e6} MB` };
  if (text.trim() === '') return { title, refused: 'this mail is empty' };
  // Programs change fields of the header, such as whether a mail was read. Whoever sends a mail chooses its Message-ID.
  const id = messageId?.trim() || [date, from?.address, title].join('\n');
  const name = hashOf(`${id}\n${hashOf(withLineFeeds(bytes.subarray(header.length)))}`);
  return { title, date, mail: { name, bytes } };
}

/** Programs write a mailbox with the line ends of their system. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const lines = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === 0x0d && bytes[at + 1] === 0x0a) continue;
    lines[length] = byte;
    length += 1;
  }
  return lines.subarray(0, length);
}
