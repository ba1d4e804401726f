import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteFile } from '../../src/store/sqlite/files/sqlite-file.ts';
import { accountMigrations } from '../../src/store/sqlite/migrations/account.ts';
import { type Outcome, runBuilt } from '../support/command.ts';
import { type Faults, withFaults } from '../support/faults.ts';
import { builtProgram } from '../support/mcp.ts';
import type { CommandName, CommandPlan } from './plans.ts';
import type { Random } from './random.ts';
import { findDamage } from './records.ts';
import { addKill, placeOf, type Tally } from './tally.ts';

type Kill = NonNullable<Faults['kill']>;

/** Three writes of an import, and two of its undo. */
const bookmarks = 1_200;

/** A library that commands work on, and what it holds. Nobody else does: what a command promises is known to the last row. */
export class CommandLibrary {
  readonly #place: string;
  readonly #tally: Tally;
  readonly #random: Random;
  #made = 0;
  #undo: string | undefined;

  constructor(place: string, tally: Tally, random: Random) {
    this.#place = place;
    this.#tally = tally;
    this.#random = random;
    mkdirSync(place, { recursive: true });
  }

  async suffer({ command, kill }: CommandPlan): Promise<void> {
    const folder = join(this.#place, `${command}-${(this.#made += 1)}`);
    const before = this.#tally.failures.length;
    mkdirSync(folder);
    await this.#scenarios[command](folder, kill);
    this.#tally.checks += 1;
    if (this.#tally.failures.length === before) rmSync(folder, { recursive: true, force: true });
  }

  readonly #scenarios: Record<CommandName, (folder: string, kill: Kill) => Promise<void>> = {
    import: async (folder, kill) => {
      const [file, data] = [this.#bookmarks(folder), join(folder, 'data')];
      // Two processes import the same file.
      await Promise.all([this.#armed('import', kill, data, [file]), this.#run(data, 'import', file)]);
      this.#expect(await this.#run(data, 'import', file), 0, 'import');
      this.#expectRows(data, allBookmarks());
      await this.#expectWhole(data);
    },
    undo: async (folder, kill) => {
      const data = join(folder, 'data');
      const { undo } = await this.#imported(data);
      // Meanwhile somebody saves a note.
      const [, note] = await Promise.all([
        this.#armed('undo', kill, data, [undo]),
        this.#run(data, 'note', 'A note of mine.', '--title', 'Mine'),
      ]);
      // On a busy machine it may be told to try again.
      const isNoted = note.code === 0;
      if (!isNoted && !note.stderr.includes('Try again')) this.#expect(note, 0, 'note');
      this.#expect(await this.#run(data, 'undo', undo), 0, 'undo');
      this.#expectRows(data, []);
      const [all] = reading(data, `SELECT count(*) FROM content`);
      if (all !== bookmarks + Number(isNoted)) this.#fail(`${data}: the trash and the note are ${String(all)} rows`);
      await this.#expectWhole(data);
    },
    export: async (folder, kill) => {
      const [data, to] = [join(folder, 'data'), join(folder, 'exported')];
      await this.#imported(data);
      if (this.#random.below(2) === 0) this.#expect(await this.#run(data, 'export', to), 0, 'export');
      const hadOne = existsSync(to);
      await Promise.all([this.#armed('export', kill, data, [to]), this.#run(data, 'list')]);
      // What has its name is whole, at any time.
      if (existsSync(to)) this.#expectExport(to);
      else if (hadOne && kill.point !== 'file-renamed') this.#fail(`${to}: the earlier export is gone`);
      this.#expect(await this.#run(data, 'export', to), 0, 'export');
      this.#expectExport(to);
    },
    backup: async (folder, kill) => {
      const [data, file] = [join(folder, 'data'), join(folder, 'library.tar')];
      await this.#imported(data);
      await Promise.all([
        this.#armed('backup', kill, data, [file]),
        this.#run(data, 'note', 'Written meanwhile.', '--title', 'Mine'),
      ]);
      if (!existsSync(file)) this.#expect(await this.#run(data, 'backup', file), 0, 'backup');
      this.#expect(await this.#run(data, 'backup', 'verify', file), 0, 'backup verify');
    },
    restore: async (folder, kill) => {
      const [data, other, file] = [join(folder, 'data'), join(folder, 'other'), join(folder, 'library.tar')];
      await this.#imported(data);
      this.#expect(await this.#run(data, 'backup', file), 0, 'backup');
      this.#expect(await this.#run(other, 'note', 'Of the library before.', '--title', 'Before'), 0, 'note');
      await Promise.all([this.#armed('restore', kill, other, [file, '--replace']), this.#run(other, 'list')]);
      this.#expect(await this.#run(other, 'restore', file, '--replace'), 0, 'restore');
      this.#expectRows(other, allBookmarks());
      await this.#expectWhole(other);
    },
    migrate: async (folder, kill) => {
      const data = join(folder, 'data');
      this.#expect(await this.#run(data, 'list'), 0, 'list');
      const version = 1 + this.#random.below(accountMigrations.length - 1);
      writeOlderLibrary(join(data, 'accounts', 'local.db'), version);
      // Two processes bring it up to date.
      await Promise.all([this.#armed('list', kill, data, []), this.#run(data, 'list')]);
      this.#expect(await this.#run(data, 'list'), 0, 'list');
      this.#expectRows(data, olderUrls);
      await this.#expectWhole(data);
    },
  };

  #bookmarks(folder: string): string {
    const file = join(folder, 'bookmarks.html');
    const lines = allBookmarks().map(
      (url, at) => `<DT><A HREF="${url}" ADD_DATE="${1_600_000_000 + at}" TAGS="t${at % 7}">Title ${at}</A>`,
    );
    writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL>`);
    return file;
  }

  /** A library into which the bookmarks were imported: made once, then copied. */
  async #imported(data: string): Promise<{ undo: string }> {
    const first = join(this.#place, 'imported');
    this.#undo ??= await this.#importInto(first);
    cpSync(first, data, { recursive: true });
    return { undo: this.#undo };
  }

  async #importInto(data: string): Promise<string> {
    const outcome = await this.#run(data, 'import', this.#bookmarks(this.#place), '--json');
    this.#expect(outcome, 0, 'import');
    return (JSON.parse(outcome.stdout) as { undo: string }).undo;
  }

  #run(data: string, ...args: string[]): Promise<Outcome> {
    return runBuilt(...args, '--data', data, '--embedder', 'none');
  }

  /** Runs the command until it kills itself, or to its end. */
  async #armed(command: string, kill: Kill, data: string, args: readonly string[]): Promise<void> {
    const child = spawn(process.execPath, [builtProgram, command, ...args, '--data', data, '--embedder', 'none'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: withFaults({ kill }),
    });
    const errors = text(child.stderr);
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (signal === 'SIGKILL') addKill(this.#tally, `${command === 'list' ? 'migration' : command}, ${placeOf(kill)}`);
    else if (code !== 0 && !isBusy(command, await errors))
      this.#fail(`${data}: ${command} ended with ${signal ?? code}: ${await errors}`);
  }

  #expect({ code, stderr }: Outcome, wanted: number, what: string): void {
    if (code !== wanted) this.#fail(`${this.#place}: ${what} ended with ${code}: ${stderr}`);
  }

  #expectRows(data: string, urls: readonly string[]): void {
    const there = reading(
      data,
      `SELECT url FROM content WHERE deleted_at IS NULL AND url NOT LIKE 'note:%' ORDER BY created_at`,
    );
    if (JSON.stringify(there) === JSON.stringify(urls)) return;
    const double = there.length - new Set(there).size;
    this.#fail(`${data}: ${there.length} rows instead of ${urls.length}, ${double} of them double`);
  }

  async #expectWhole(data: string): Promise<void> {
    for (const damage of await findDamage(data)) this.#fail(`${data}: ${damage}`);
  }

  /** Every file of an export has its checksum, and every item its file. */
  #expectExport(to: string): void {
    const sums = readFileSync(join(to, 'checksums.sha256'), 'utf8').trimEnd().split('\n');
    for (const line of sums) {
      const [sum = '', name = ''] = line.split('  ');
      const path = join(to, name);
      if (!existsSync(path) || createHash('sha256').update(readFileSync(path)).digest('hex') !== sum)
        this.#fail(`${path} is not what it was when it was exported`);
    }
    const items = sums.filter((line) => line.includes('  items/')).length;
    if (items !== bookmarks) this.#fail(`${to}: ${items} items instead of ${bookmarks}`);
  }

  #fail(words: string): void {
    this.#tally.failures.push(words);
  }
}

/** A restore refuses while somebody uses the data folder. */
const isBusy = (command: string, errors: string): boolean => command === 'restore' && errors.includes('use');

const allBookmarks = (): string[] => Array.from({ length: bookmarks }, (_, at) => `https://example.org/${at}`);
const olderUrls = Array.from({ length: 50 }, (_, at) => `https://example.org/older/${at}`);

function writeOlderLibrary(path: string, version: number): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
  const file = SqliteFile.open({ path, migrations: accountMigrations.slice(0, version), readOnly: false });
  file.write(() => {
    for (const [at, url] of olderUrls.entries()) {
      file.run(
        `INSERT INTO content (id, url, canonical_url, created_at, updated_at) VALUES (?, ?, ?, ?, ?)`,
        `c_older${String(at).padStart(11, '0')}`,
        url,
        url,
        at,
        at,
      );
      file.run(
        `INSERT INTO jobs (content, id, stage, state, attempts, due_at) VALUES (?, ?, 'fetch', 'waiting', 0, ?)`,
        at + 1,
        `j_${at}`,
        at,
      );
    }
  });
  file.close();
}

function reading(data: string, sql: string): unknown[] {
  const db = new Database(join(data, 'accounts', 'local.db'), { readonly: true, fileMustExist: true, timeout: 60_000 });
  try {
    return db.prepare(sql).pluck().all();
  } finally {
    db.close();
  }
}
