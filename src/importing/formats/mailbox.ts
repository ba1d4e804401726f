import PostalMime from 'postal-mime';
import { mailOfMailbox, maxMailStart, nextMailStart } from '../../domain/text/mailbox-file.ts';
import { hashOf, type RawEntry } from '../raw-entry.ts';

/** Bytes of one mail, and of its header that are looked at for what it is called. */
const [maxMail, maxHeader] = [100_000_000, 65_536];

/** Reads the mails of a mailbox one after the other, with one in memory. What stands before the first is no mail. */
export async function* readMailbox(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawEntry> {
  // Behind a line break the first line of the file is a start like the others.
  let rest = Buffer.from('\n');
  let pieces: Buffer[] = [];
  let length = 0;
  let isMail = false;
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > maxMail) pieces.splice(1);
    else if (isMail) pieces.push(piece);
  };
  const readUpTo = async function* (end: number): AsyncGenerator<RawEntry> {
    let from = 0;
    for (let at = nextMailStart(rest, 0); at !== -1 && at <= end; at = nextMailStart(rest, at)) {
      take(rest.subarray(from, at));
      if (isMail) yield await entryOf(pieces, length);
      [pieces, length, isMail, from] = [[], 0, true, at];
    }
    take(rest.subarray(from, Math.max(from, end)));
    rest = rest.subarray(Math.max(from, end));
  };
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    // What looks like a start may be cut off.
    yield* readUpTo(Math.max(0, rest.length - maxMailStart));
  }
  yield* readUpTo(rest.length);
  if (isMail) yield await entryOf(pieces, length);
}

async function entryOf(pieces: readonly Buffer[], length: number): Promise<RawEntry> {
  const bytes = mailOfMailbox(Buffer.concat(pieces));
  const text = Buffer.from(bytes.buffer, 0, Math.min(bytes.length, maxHeader)).toString('latin1');
  const header = /^[^]{0,65536}?\r?\n\r?\n/.exec(text)?.[0] ?? text;
  const { subject: title = '', messageId, date, from } = await PostalMime.parse(Buffer.from(header, 'latin1'));
  if (length > maxMail) return { title, refused: `this mail is larger than ${maxMail / 1e6} MB` };
  if (text.trim() === '') return { title, refused: 'this mail is empty' };
  // Programs change fields of the header, such as whether a mail was read. Whoever sends a mail chooses its Message-ID.
  const id = messageId?.trim() || [date, from?.address, title].join('\n');
  return { title, date, mail: { name: hashOf(`${id}\n${hashOf(bytes.subarray(header.length))}`), bytes } };
}
