import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import PostalMime from 'postal-mime';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { isOnDomainOf, pageAddress, webVersionOf } from '../../domain/links/web-version.ts';
import { ProcessingError, sendFailure } from '../../errors.ts';
import { readImap, settleLetters } from './imap.ts';
import { readMaildir } from './maildir.ts';
import type { FromMailbox, Letter, MailboxTask } from './mailbox-protocol.ts';

/* A thread that reads new letters of a mailbox and ends. It is the only part that sees what a mail server sends. */

/** What a letter is called and where it is on the web is looked for in its beginning. */
const maxDescribed = 1_000_000;

async function describe(number: number, bytes: Uint8Array): Promise<Letter> {
  const beginning = bytes.subarray(0, maxDescribed);
  const mail = await PostalMime.parse(beginning, { maxNestingDepth: 50, maxHeadersSize: maxDescribed }).catch(
    () => null,
  );
  const archived = mail?.headers.find(({ key }) => key === 'archived-at')?.value.replaceAll(/[<>]/g, '') ?? '';
  const line = (text: string | undefined): string | null => cleanLine((text ?? '').slice(0, 1_000)) || null;
  const webAddress = pageAddress(archived) ?? webVersionOf(mail?.html ?? '');
  const id = mail?.messageId?.trim() ?? '';
  return {
    number,
    key: createHash('sha256')
      .update(id === '' ? bytes : id)
      .digest('hex'),
    title: line(mail?.subject),
    from: line(mail?.from?.name || mail?.from?.address),
    webAddress,
    isOfSender: webAddress !== null && isOnDomainOf(mail?.from?.address ?? '', webAddress),
    bytes,
  };
}

if (parentPort === null) throw new Error('mailbox-worker runs only as a worker thread');
const port = parentPort;
const send = (message: FromMailbox): void => port.postMessage(message);

async function take(number: number, bytes: Uint8Array | null): Promise<void> {
  const letter =
    bytes === null
      ? { number, key: `too large ${number}`, title: null, from: null, webAddress: null, isOfSender: false, bytes }
      : await describe(number, bytes);
  send({ kind: 'letter', letter });
}

const task = workerData as MailboxTask;
let validity: string | null = null;
try {
  const { address, settle } = task;
  if (settle !== undefined) await settleLetters(task, settle);
  const end =
    settle !== undefined
      ? { validity: settle.validity, last: 0, hasMore: false }
      : address.kind === 'maildir'
        ? await readMaildir(task, address.path, take)
        : await readImap(task, (opened) => (validity = opened), take);
  send({ kind: 'end', end });
} catch (error) {
  const known =
    error instanceof ProcessingError
      ? error
      : new ProcessingError('internal', 'The mailbox could not be read. If it stays so, report what the log says.');
  send({ kind: 'failure', failure: sendFailure(known), validity });
}
