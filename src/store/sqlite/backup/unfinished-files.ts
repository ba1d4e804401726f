import { basename, dirname, join } from 'node:path';

/** The files of a backup that is being written: the backup itself, and the copy of one database. */
export function unfinishedFiles(target: string): [backup: string, copy: string, journal: string] {
  const part = join(dirname(target), `.${basename(target)}.part`);
  return [part, `${part}.db`, `${part}.db-journal`];
}
