import { copyFileSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AccountFiles, isAccountId } from '../files/account-files.ts';
import { presentVersion } from '../files/migrate.ts';
import { accountSchema } from '../schema.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

const suffixes = ['', '-wal', '-shm'];

/** The files of copies in one folder: a database for each account, beside SQLite's files of an open one. */
export class CopyFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Makes an empty copy, unless there is one. It is made once and then copied for each account, because making the
   * tables takes longer.
   */
  makeEmpty(accountId: string): void {
    const path = this.pathOf(accountId);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    const empty = join(this.#folder, `empty-copy-${presentVersion(accountSchema)}`);
    if (!existsSync(empty)) {
      const folder = mkdtempSync(join(this.#folder, 'new-'));
      const files = new AccountFiles({ folder, readOnly: false, recordOf: () => 'unmade' });
      try {
        const file = files.use(accountId);
        file.write(() => dropUnreadTables(file));
        file.compact();
        files.closeAll();
        renameSync(join(folder, `${accountId}.db`), empty);
      } finally {
        files.closeAll();
        rmSync(folder, { recursive: true, force: true });
      }
    }
    const part = join(this.#folder, `${accountId}.${process.pid}.part`);
    copyFileSync(empty, part);
    renameSync(part, path);
  }

  /** What the copy takes on the disk; 0 when there is none. */
  bytesOf(accountId: string): number {
    const sizes = suffixes.map((suffix) => statSync(this.pathOf(accountId) + suffix, { throwIfNoEntry: false })?.size);
    return sizes.reduce((sum: number, size) => sum + (size ?? 0), 0);
  }

  pathOf(accountId: string): string {
    return join(this.#folder, `${accountId}.db`);
  }

  remove(accountId: string): void {
    for (const suffix of suffixes)
      rmSync(this.pathOf(accountId) + suffix, { force: true, maxRetries: 3, retryDelay: 100 });
  }

  /** Accounts of which there is a copy, the one that was written longest ago first. */
  accounts(): string[] {
    const ids = readdirSync(this.#folder)
      .filter((name) => name.endsWith('.db'))
      .map((name) => basename(name, '.db'))
      .filter(isAccountId);
    const written = (id: string) => statSync(this.pathOf(id), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return ids.toSorted((a, b) => written(a) - written(b));
  }
}

/** Tables of a library that no search reads, each before those that it refers to. Their triggers go with them. */
const unread = (
  'restored_changes requests_answered action_words insights actions goals highlights list_items lists ' +
  'tag_proposals llm_analyses fingerprint_bands fingerprints addresses originals history_originals ' +
  'history_changes history'
).split(' ');

/**
 * Takes away from a new library what a copy of an index does not need. A connection parses all tables and triggers when
 * it opens a file. Without the triggers alone, opening took .85 ms
 * instead of 1.55.
 */
function dropUnreadTables(file: SqliteFile): void {
  const recording = file.all<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%\\_history' ESCAPE '\\'`,
  );
  for (const { name } of recording) file.run(`DROP TRIGGER "${name}"`);
  file.run('DROP VIEW noted_changes');
  for (const name of unread) file.run(`DROP TABLE ${name}`);
}
