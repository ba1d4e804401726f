import { ImapFlow } from 'imapflow';
import type { MailboxAddress } from '../../domain/links/configured-addresses.ts';
import { ProcessingError } from '../../errors.ts';
import { maxTogether } from './letter-files.ts';
import type { MailboxEnd, MailboxTask, SettledLetters } from './mailbox.ts';

/*
 * Reads new letters of one folder over IMAP. The folder is opened read-only (EXAMINE), and letters are fetched without a mark of
 * having been read (BODY.PEEK); only `settleLetters` opens it for changes.
 */

const connectMs = 30_000;
const silenceMs = 60_000;
const maxLine = 64 * 1024;
/** A folder with more letters than this is not listed to its end. */
const maxListed = 1_000_000;
const maxNumber = 0xffff_ffff;

type ImapAddress = Extract<MailboxAddress, { kind: 'imap' }>;

/** Turns an error of the connection into one for the person; the server's own words are left out. */
function failureOf(cause: unknown): ProcessingError {
  if (cause instanceof ProcessingError) return cause;
  const { code = '', authenticationFailed = false } = cause as { code?: string; authenticationFailed?: boolean };
  if (authenticationFailed)
    return new ProcessingError(
      'login_required',
      'The mail server refused the user or the password. Check the settings `mailbox` and `mailboxPassword`; many providers want an app password, which they make in their settings for security.',
      { cause },
    );
  if (/CERT|^ERR_TLS|^ERR_SSL/.test(code))
    return new ProcessingError(
      'tls_failed',
      'The certificate of the mail server is not valid for its name. Check the address in the setting `mailbox`.',
      { retryable: true, cause },
    );
  if (/^(?:Literal|Line|Response|TooMany|Parser|MAX_IMAP|Invalid)/.test(code)) return strange(cause);
  return new ProcessingError(
    'connection_failed',
    /^E[A-Z]+$|^CONNECT_/.test(code) && code !== 'ECONNRESET'
      ? 'The mail server cannot be reached. Check the address in the setting `mailbox`; it is tried again later.'
      : 'The connection to the mail server was lost. It is tried again later.',
    { retryable: true, cause },
  );
}

const strange = (cause?: unknown) =>
  new ProcessingError(
    'http_error',
    'The mail server sent what no mail server sends. Check the address in the setting `mailbox`.',
    { retryable: true, cause },
  );

/** Opens the folder, does the work and closes the connection. Everything that a server sends is bounded. */
async function inFolder<Result>(
  { address, password, maxBytes }: Pick<MailboxTask, 'address' | 'password' | 'maxBytes'>,
  readOnly: boolean,
  work: (client: ImapFlow, validity: string) => Promise<Result>,
): Promise<Result> {
  const { host, port, isSecure, user, folder } = address as ImapAddress;
  const maxLiteralSize = Math.max(maxBytes, maxLine);
  const client = new ImapFlow({
    host,
    port,
    secure: isSecure,
    doSTARTTLS: false,
    auth: { user, pass: password },
    clientInfo: { name: 'Commonplace' },
    logger: false,
    // A few compressed bytes can expand enormously.
    disableCompression: true,
    disableAutoEnable: true,
    disableAutoIdle: true,
    connectionTimeout: connectMs,
    socketTimeout: silenceMs,
    maxLineLength: maxLine,
    maxLiteralSize,
    maxResponseSize: maxLiteralSize + maxLine,
    maxResponseTokens: 10_000,
  });
  // An error between two commands; the next command reports it.
  let lost: unknown = null;
  client.on('error', (error: unknown) => (lost ??= error));
  try {
    await client.connect();
    const opened = await client.mailboxOpen(folder, { readOnly }).catch((cause: unknown) => {
      if ((cause as { responseStatus?: string }).responseStatus !== 'NO') throw cause;
      throw new ProcessingError(
        'not_found',
        'The mailbox has no folder with this name. Check the setting `mailbox`: imaps://user@host/Folder, with / between a folder and one inside it, or as the server writes it.',
        { cause },
      );
    });
    return await work(client, String(opened.uidValidity));
  } catch (error) {
    throw failureOf(error instanceof ProcessingError ? error : (lost ?? error));
  } finally {
    client.close();
  }
}

/**
 * The oldest first. `onOpened`: gets the validity of its numbers.
 * @throws {ProcessingError} also after some letters
 */
export async function readImap(
  task: MailboxTask,
  onOpened: (validity: string) => void,
  onLetter: (number: number, bytes: Uint8Array | null) => Promise<void>,
): Promise<MailboxEnd> {
  return inFolder(task, true, async (client, validity) => {
    onOpened(validity);
    const { exists: count, uidNext: next } = client.mailbox as { exists?: number; uidNext?: number };
    const since = task.since?.validity === validity ? task.since.last : null;
    const wanted = task.since !== null ? task.maxLetters : task.maxFirst;
    const { letters, hasMore } =
      count === undefined || count === 0 || wanted === 0
        ? { letters: [], hasMore: false }
        : await listNew(client, since, Math.max(1, count - wanted + 1), wanted);
    let last = since ?? (next === undefined ? 0 : next - 1);
    let together = 0;
    let before: number | null = null;
    for (const { number, size } of letters) {
      if (before !== null && together + size > maxTogether) return { validity, last: before, hasMore: true };
      before = number;
      together += size;
      if (size > task.maxBytes) {
        await onLetter(number, null);
        continue;
      }
      const letter = await client.fetchOne(String(number), { source: true }, { uid: true });
      // Otherwise it was removed meanwhile.
      if (letter !== false && letter.source !== undefined) await onLetter(number, letter.source);
    }
    last = Math.max(last, letters.at(-1)?.number ?? 0);
    return { validity, last, hasMore };
  });
}

/** Marks letters as read, or moves them, as the settings ask; letters that are gone are passed over. */
export async function settleLetters(task: MailboxTask, { validity, numbers }: SettledLetters): Promise<void> {
  await inFolder(task, false, async (client, opened) => {
    // The server has renumbered its letters, so these may be others: the next check reads them again.
    if (opened !== validity) return;
    const range = numbers.join(',');
    const { markRead, moveTo } = task.afterwards;
    const isMarked = !markRead || (await client.messageFlagsAdd(range, [String.raw`\Seen`], { uid: true }));
    // Without MOVE it would have to expunge the folder, and with it what other programs have marked as deleted.
    const canMove = moveTo === '' || client.capabilities.has('MOVE');
    if (isMarked && canMove && (moveTo === '' || (await client.messageMove(range, moveTo, { uid: true })))) return;
    throw new ProcessingError(
      'not_found',
      isMarked
        ? `The letters are kept, but ${canMove ? 'the mail server does not move them to the folder of the setting `mailboxMoveTo`: check its name' : 'this mail server cannot move letters: take the setting `mailboxMoveTo` away'}.`
        : 'The letters are kept, but the mail server does not mark them as read: check whether you may change the folder, or take the setting `mailboxMarkRead` away.',
    );
  });
}

interface Listed {
  number: number;
  size: number;
}

/** New letters with the smallest numbers; of a folder that was not read before, the newest. */
async function listNew(
  client: ImapFlow,
  since: number | null,
  first: number,
  wanted: number,
): Promise<{ letters: Listed[]; hasMore: boolean }> {
  let letters: Listed[] = [];
  let [hasMore, listed] = [false, 0];
  const range = `${since === null ? first : since + 1}:*`;
  for await (const { uid: number, size } of client.fetch(range, { uid: true, size: true }, { uid: since !== null })) {
    if (++listed > maxListed) throw strange();
    // The last letter is listed even when all numbers are smaller.
    if (size === undefined || !(number > (since ?? 0) && number <= maxNumber)) continue;
    letters.push({ number, size });
    if (letters.length < 4 * wanted) continue;
    hasMore = true;
    letters = smallest(letters, wanted);
  }
  hasMore ||= letters.length > wanted;
  return { letters: smallest(letters, wanted), hasMore: hasMore && since !== null };
}

function smallest(letters: readonly Listed[], count: number): Listed[] {
  return letters.toSorted((one, other) => one.number - other.number).slice(0, count);
}
