import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProcessingError } from '../../errors.ts';
import { maxTogether, type MailboxEnd, type MailboxTask } from './mailbox-protocol.ts';

/** Of a folder, whose files have no numbers: their times. */
const validity = 'maildir';

/** Hands over new letters of a Maildir, the oldest first. It moves no file from `new` to `cur`. */
export async function readMaildir(
  task: MailboxTask,
  path: string,
  onLetter: (number: number, bytes: Uint8Array | null) => Promise<void>,
): Promise<MailboxEnd> {
  if (task.afterwards.markRead || task.afterwards.moveTo !== '')
    throw new ProcessingError(
      'unsupported_type',
      'Letters of a Maildir are neither marked nor moved. Take the settings `mailboxMarkRead` and `mailboxMoveTo` away.',
    );
  const files: { path: string; time: number; size: number }[] = [];
  for (const folder of ['new', 'cur']) {
    const names = await readdir(join(path, folder)).catch((cause: unknown) => {
      throw new ProcessingError(
        'file_unreadable',
        'The setting `mailbox` names no Maildir that can be read: a folder with the folders `new` and `cur`.',
        { retryable: true, cause },
      );
    });
    for (const name of names) {
      const file = join(path, folder, name);
      // It may have been moved to `cur` meanwhile, and is found the next time.
      const about = name.startsWith('.') ? null : await stat(file).catch(() => null);
      if (about?.isFile() === true) files.push({ path: file, time: Math.floor(about.mtimeMs), size: about.size });
    }
  }
  files.sort((one, other) => one.time - other.time);
  const { since } = task;
  const latest = files.at(-1)?.time ?? 0;
  // Files of the same millisecond may have come since; their letters are known.
  const newer =
    since === null ? files.slice(-task.maxFirst || files.length) : files.filter(({ time }) => time >= since.last);
  let [taken, together] = [0, 0];
  for (const { path: file, time, size } of newer.slice(0, task.maxLetters)) {
    if (taken > 0 && together + size > maxTogether) break;
    taken += 1;
    together += size;
    const bytes = size <= task.maxBytes ? await readFile(file).catch(() => null) : null;
    if (size > task.maxBytes || bytes !== null) await onLetter(time, bytes);
  }
  const hasMore = taken < newer.length;
  const reached = newer[taken - 1]?.time ?? 0;
  // Of more files of one millisecond than a check takes, the others are passed over.
  const last = reached === since?.last && hasMore ? reached + 1 : reached;
  return { validity, last: hasMore ? last : latest, hasMore };
}
