import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import PostalMime from 'postal-mime';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { isOnDomainOf, pageAddress, webVersionOf } from '../../domain/links/web-version.ts';
import { isWanted, maxSearched } from '../../domain/text/words/wanted-words.ts';
import { ProcessingError, sendFailure } from '../../errors.ts';
import { readImap, settleLetters } from './imap.ts';
import { takeFiles } from './letter-files.ts';
import { readMaildir } from './maildir.ts';
import type { FromMailbox, Letter, MailboxTask } from './mailbox.ts';

/* A thread that reads new letters of a mailbox and ends. It is the only part that sees what a mail server sends. */

/** A letter's subject and web address are searched in its beginning: a mail parser takes 30 µs a line. */
const [maxDescribed, maxLines] = [1_000_000, 50_000];

function beginningOf(letter: Uint8Array): Uint8Array {
  let end = 0;
  for (let lines = 0; lines < maxLines && end < maxDescribed; lines += 1) {
    const at = letter.indexOf(0x0a, end);
    if (at === -1) return letter.subarray(0, maxDescribed);
    end = at + 1;
  }
  return letter.subarray(0, Math.min(end, maxDescribed));
}

async function describe(number: number, whole: Uint8Array): Promise<Letter> {
  const { letter: bytes, files } = await takeFiles(whole);
  const limits = { maxNestingDepth: 50, maxHeadersSize: maxDescribed };
  const mail = await PostalMime.parse(beginningOf(bytes), limits).catch(() => null);
  const archived = mail?.headers.find(({ key }) => key === 'archived-at')?.value.replaceAll(/[<>]/g, '') ?? '';
  const line = (text: string | undefined): string | null => cleanLine((text ?? '').slice(0, 1_000)) || null;
  const html = mail?.html ?? '';
  const webAddress = pageAddress(archived) ?? webVersionOf(html);
  const body = html.slice(Math.max(0, html.search(/<body[\s>]/i))).slice(0, 5 * maxSearched);
  const text = mail?.text || body.replaceAll(/<[^<>]{0,2000}>/g, ' ');
  const id = mail?.messageId?.trim() ?? '';
  return {
    number,
    key: createHash('sha256')
      .update(id === '' ? whole : id)
      .digest('hex'),
    title: line(mail?.subject),
    from: line(mail?.from?.name || mail?.from?.address),
    webAddress,
    isOfSender: webAddress !== null && isOnDomainOf(mail?.from?.address ?? '', webAddress),
    ...(isWanted(`${mail?.subject ?? ''}\n${text.slice(0, maxSearched)}`, task.words)
      ? { bytes, files }
      : { bytes: null, files: [] }),
  };
}

if (parentPort === null) throw new Error('mailbox-worker runs only as a worker thread');
const port = parentPort;
const task = workerData as MailboxTask;
const send = (message: FromMailbox): void => port.postMessage(message);

async function take(number: number, bytes: Uint8Array | null): Promise<void> {
  const letter = await describe(number, bytes ?? new Uint8Array());
  send({ kind: 'letter', letter: bytes === null ? { ...letter, key: `too large ${number}`, bytes } : letter });
}

const onOpened = (validity: string): void => send({ kind: 'opened', validity });

try {
  const { address, settle } = task;
  if (settle !== undefined) await settleLetters(task, settle);
  const end =
    settle !== undefined
      ? { validity: settle.validity, last: 0, hasMore: false }
      : address.kind === 'maildir'
        ? await readMaildir(task, address.path, onOpened, take)
        : await readImap(task, onOpened, take);
  send({ kind: 'end', end });
} catch (error) {
  const known =
    error instanceof ProcessingError
      ? error
      : new ProcessingError('internal', 'The mailbox could not be read. If it stays so, report what the log says.');
  send({ kind: 'failure', failure: sendFailure(known) });
}
