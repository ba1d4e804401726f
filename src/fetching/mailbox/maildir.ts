import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, ProcessingError } from '../../errors.ts';
import { maxTogether } from './letter-files.ts';
import type { MailboxEnd, MailboxTask } from './mailbox.ts';

/** Of a folder, whose files have no numbers: their times. */
const validity = 'maildir';
/** How often names are listed again while other programs rename files. */
const maxListings = 5;

interface LetterFile {
  path: string;
  time: number;
  size: number;
}

/** Hands over new letters, the oldest first. Moves no file from `new` to `cur`: that is for the mail program. */
export async function readMaildir(
  task: MailboxTask,
  path: string,
  onOpened: (validity: string) => void,
  onLetter: (number: number, bytes: Uint8Array | null) => Promise<void>,
): Promise<MailboxEnd> {
  if (task.afterwards.markRead || task.afterwards.moveTo !== '')
    throw new ProcessingError(
      'unsupported_type',
      'Letters of a Maildir are neither marked nor moved. Take the settings `mailboxMarkRead` and `mailboxMoveTo` away.',
    );
  const files = await listFiles(path);
  onOpened(validity);
  const { since } = task;
  const latest = files.at(-1)?.time ?? 0;
  // Files of the same millisecond may have come since; their letters are known.
  const newer =
    since === null ? files.slice(-task.maxFirst || files.length) : files.filter(({ time }) => time >= since.last);
  let [taken, together] = [0, 0];
  for (const { path: file, time, size } of newer.slice(0, task.maxLetters)) {
    if (taken > 0 && together + size > maxTogether) break;
    const bytes = size <= task.maxBytes ? await readFile(file).catch((cause: unknown) => codeOf(cause)) : null;
    // It was renamed or removed since it was listed: the next check lists it under its new name.
    if (bytes === 'ENOENT') return { validity, last: time, hasMore: true };
    taken += 1;
    together += size;
    if (typeof bytes !== 'string') await onLetter(time, bytes);
  }
  const hasMore = taken < newer.length;
  const reached = newer[taken - 1]?.time ?? 0;
  // Of more files of one millisecond than a check takes, the others are passed over.
  const last = reached === since?.last && hasMore ? reached + 1 : reached;
  return { validity, last: hasMore ? last : latest, hasMore };
}

/** The letters of a Maildir, the oldest first. A program that flags a letter renames its file, but not what comes before `:2,`. */
async function listFiles(path: string): Promise<LetterFile[]> {
  const files = new Map<string, LetterFile>();
  let isWhole = false;
  for (let listings = 0; !isWhole && listings < maxListings; listings += 1) {
    isWhole = true;
    for (const folder of ['new', 'cur']) {
      const names = await readdir(join(path, folder)).catch((cause: unknown) => {
        throw new ProcessingError(
          'file_unreadable',
          'The setting `mailbox` names no Maildir that can be read: a folder with the folders `new` and `cur`.',
          { retryable: true, cause },
        );
      });
      for (const name of names) {
        const [unique = ''] = name.split(':2,', 1);
        if (name.startsWith('.') || files.has(unique)) continue;
        const file = join(path, folder, name);
        const about = await stat(file).catch(() => null);
        if (about === null) isWhole = false;
        else if (about.isFile()) files.set(unique, { path: file, time: Math.floor(about.mtimeMs), size: about.size });
      }
    }
  }
  return [...files.values()].toSorted((one, other) => one.time - other.time);
}
