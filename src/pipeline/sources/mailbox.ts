import { isoTime, type Clock } from '../../domain/clock.ts';
import { mailboxAddress } from '../../domain/links/configured-addresses.ts';
import { noteScheme, addressOfUpload } from '../../domain/links/shown-address.ts';
import { canonicalUrl } from '../../domain/links/url.ts';
import { localAccountId } from '../../domain/records/account.ts';
import { writeFingerprint } from '../../domain/records/sources/folder.ts';
import type { SourceClaim, SourceEntry } from '../../domain/records/sources/source.ts';
import { sha256Hex } from '../../domain/sha256.ts';
import { type Letter, type MailboxPosition, type Afterwards, readMailbox } from '../../fetching/mailbox/mailbox.ts';
import type { ProcessingError } from '../../errors.ts';
import type { ImportContent } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import type { CheckSource } from './run-check.ts';

/* Letters of one folder of a person's mailbox become items. Only the settings name the mailbox and its password. */

export interface MailboxSettings {
  /** See `mailboxAddress`. */
  address: string;
  password: string;
  /** Of one letter. */
  maxBytes: number;
  afterwards: Afterwards;
}

const maxFirst = 10;
const maxLetters = 50;
const usualMinutes = 10;

export function createMailboxCheck({ address, ...settings }: MailboxSettings, clock: Clock): CheckSource {
  const mailbox = mailboxAddress(address);
  return async (store, claim, signal) => {
    if (mailbox === null || claim.address !== address || store.accountId !== localAccountId)
      return {
        state: 'paused',
        nextCheckInMs: 0,
        hasChanged: false,
        problem: { code: 'not_found', message: 'The setting `mailbox` does not name this mailbox, so it is not read.' },
      };
    const since = positionOf(claim);
    const { only = [], without = [] } = claim.options;
    const task = { address: mailbox, ...settings, since, maxFirst, maxLetters, words: { only, without } };
    const read = await readMailbox(task, signal);
    let hasChanged = false;
    for (const letter of read.letters) {
      signal.throwIfAborted();
      if (await keepLetter(store, claim, letter, clock)) hasChanged = true;
    }
    const minutesMs = (claim.everyMinutes ?? usualMinutes) * 60_000;
    const numbers = read.letters.flatMap(({ number, bytes }) => (bytes === null ? [] : [number]));
    if ((task.afterwards.markRead || task.afterwards.moveTo !== '') && numbers.length > 0) {
      const settle = { validity: read.validity ?? '', numbers };
      const { failure } = await readMailbox({ ...task, settle }, signal);
      // They are read and settled again: as items they are known.
      if (failure !== null) return { nextCheckInMs: minutesMs, hasChanged, problem: problemOf(failure) };
    }
    const { end, failure, validity } = read;
    const last = end?.last ?? read.letters.at(-1)?.number;
    // Without a letter it is as if nothing had been read, and the pauses grow.
    if (failure !== null && (last === undefined || validity === null)) throw failure;
    const nextCheckInMs = end?.hasMore === true ? 1_000 : minutesMs;
    return { memory: { validity, last }, nextCheckInMs, hasChanged, problem: failure && problemOf(failure) };
  };
}

const problemOf = ({ code, message }: ProcessingError) => ({ code, message });

function positionOf({ memory }: SourceClaim): MailboxPosition | null {
  const { validity, last } = memory;
  return typeof validity === 'string' && typeof last === 'number' ? { validity, last } : null;
}

/** Returns whether it is new. A letter that was kept before a program ended, and not noted, is the same item again. */
async function keepLetter(store: Store, claim: SourceClaim, letter: Letter, clock: Clock): Promise<boolean> {
  const { key, title, from, bytes, files, webAddress, isOfSender } = letter;
  if ((await store.findSourceEntries(claim.id, [key])).length > 0) return false;
  const entry = (contentId: string | null, more: Partial<SourceEntry>, links: string[] = []): SourceEntry => ({
    key,
    title,
    contentId,
    address: null,
    publishedAt: null,
    seenAt: clock.now(),
    state: contentId === null ? 'left' : 'item',
    fingerprint: writeFingerprint({ state: '', hash: '', tags: [], links }),
    ...more,
  });
  if (bytes === null) {
    await store.keepSourceEntries(claim, [entry(null, { address: webAddress })]);
    return false;
  }
  const keep = async (url: string, file: Uint8Array, declaredType: string | null, known: ImportContent['known']) => {
    const original = { url, finalUrl: url, bytes: file, declaredType, fetchedAt: isoTime(clock.now()) };
    const address = canonicalUrl(url);
    // A token restricted to these tags must not see other items.
    const tags = (await store.findByAddress(address)) === null ? (claim.options.tags ?? []) : [];
    const item = { url, canonicalUrl: address, original, known, tags };
    const [kept] = await store.importContent([{ ...item, title: null, notes: null, createdAt: null, state: inInbox }]);
    return kept ?? null;
  };
  const keepAt = (url: string) => keep(url, bytes, 'message/rfc822', { title, siteName: from });
  // Some newsletters name the same page in each letter, and another letter may have it, perhaps in the trash.
  const there = webAddress === null ? null : await store.findByAddress(canonicalUrl(webAddress));
  const isFree = there === null || (await hasBytes(store, there, bytes));
  let kept = webAddress !== null && isOfSender && isFree ? await keepAt(webAddress) : null;
  if (kept === null || (kept.outcome === 'deleted' && !(await hasBytes(store, kept.id, bytes)))) {
    // Whoever sends a letter chooses its Message-ID, so its address is none that a note may have.
    const hash = await sha256Hex(Buffer.from(`letter ${key}`));
    kept = await keepAt(noteScheme + hash.slice(0, 32));
  }
  const entries = [entry(kept?.id ?? null, { address: webAddress })];
  for (const [at, { name, bytes: file }] of files.entries()) {
    const fileKey = `${key} ${at + 1}`;
    const keepFile = async (hashed: Uint8Array) =>
      keep(addressOfUpload(name, await sha256Hex(hashed)), file, null, { title: name });
    let saved = await keepFile(file);
    // The file was taken out of its letter, and would be gone once the trash is emptied.
    if (saved?.outcome === 'deleted' && kept?.outcome === 'taken')
      saved = await keepFile(Buffer.from(`file ${fileKey}`));
    entries.push(entry(saved?.id ?? null, { key: fileKey, title: name }, [key]));
  }
  await store.keepSourceEntries(claim, entries);
  return kept?.outcome === 'taken';
}

const inInbox = { shelf: 'inbox', readAt: null, readingShare: null } as const;

async function hasBytes(store: Store, contentId: string, bytes: Uint8Array): Promise<boolean> {
  const original = await store.readOriginal(contentId);
  return original !== null && Buffer.from(bytes).equals(original.bytes);
}

/** The mailbox of the settings is a source of the local account, unless it was there before. */
export async function followMailbox(stores: Pick<Stores, 'open'>, address: string): Promise<void> {
  const mailbox = mailboxAddress(address);
  if (mailbox === null) return;
  const store = await stores.open(localAccountId);
  const known = await store.listSources('mailbox');
  if (known.some((one) => one.address === address)) return;
  const place = mailbox.kind === 'imap' ? `${mailbox.folder} (${mailbox.user})` : mailbox.path;
  await store.addSource({ kind: 'mailbox', address, name: `Letters: ${place}`.slice(0, 200) });
}

/** Why the folder cannot be opened; null when it can. It reads no letter. */
export async function whyMailboxIsShut(
  { address, ...settings }: MailboxSettings,
  signal: AbortSignal,
): Promise<string | null> {
  const mailbox = mailboxAddress(address);
  if (mailbox === null) return 'Its address cannot be read.';
  const task = {
    address: mailbox,
    ...settings,
    since: null,
    maxFirst: 0,
    maxLetters: 0,
    words: { only: [], without: [] },
  };
  const read = await readMailbox(task, signal).catch(() => null);
  return read === null ? 'The mail server did not answer in time.' : (read.failure?.message ?? null);
}
