import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Outcome, runBuilt } from '../../support/command.ts';
import { type Faults, withFaults } from '../../support/faults/faults.ts';
import { builtProgram } from '../../support/mcp.ts';
import type { CommandName, CommandPlan } from './plans.ts';
import type { Random } from './random.ts';
import { findDamage } from './records.ts';
import { addKill, placeOf, type Tally } from './tally.ts';

type Kill = NonNullable<Faults['kill']>;

/** Three writes of an import, and two of its undo. */
const bookmarks = 1_200;
/** Of a library that is carried from place to place. */
const fewBookmarks = 150;

/** A library that commands work on, and what it holds. Nobody else does: what a command promises is known to the last row. */
export class CommandLibrary {
  readonly #place: string;
  readonly #tally: Tally;
  readonly #random: Random;
  #made = 0;
  readonly #undo: Record<number, string> = {};

  constructor(place: string, tally: Tally, random: Random) {
    this.#place = place;
    this.#tally = tally;
    this.#random = random;
    mkdirSync(place, { recursive: true });
  }

  async suffer(plan: CommandPlan): Promise<void> {
    const folder = join(this.#place, `${plan.command}-${(this.#made += 1)}`);
    const before = this.#tally.failures.length;
    mkdirSync(folder);
    await this.#scenarios[plan.command](folder, plan);
    this.#tally.checks += 1;
    if (this.#tally.failures.length === before) rmSync(folder, { recursive: true, force: true });
  }

  readonly #scenarios: Record<CommandName, (folder: string, plan: CommandPlan) => Promise<void>> = {
    import: async (folder, { kill, other }) => {
      const [file, data] = [this.#bookmarks(folder, bookmarks), join(folder, 'data')];
      // Two processes import the same file.
      await Promise.all([
        this.#armed('import', kill, data, [file]),
        other === null ? this.#run(data, 'import', file) : this.#armed('import', other, data, [file]),
      ]);
      this.#expect(await this.#run(data, 'import', file), 0, 'import');
      this.#expectRows(data, addresses(bookmarks));
      this.#expectWhole(data);
    },
    undo: async (folder, { kill, other }) => {
      const data = join(folder, 'data');
      const undo = await this.#imported(data, bookmarks);
      // Meanwhile somebody saves a note, or takes the same back.
      const [, note] = await Promise.all([
        this.#armed('undo', kill, data, [undo]),
        other === null
          ? this.#run(data, 'note', 'A note of mine.', '--title', 'Mine')
          : this.#armed('undo', other, data, [undo]),
      ]);
      // On a busy machine it may be told to try again.
      const isNoted = note?.code === 0;
      if (note !== undefined && !isNoted && !note.stderr.includes('Try again')) this.#expect(note, 0, 'note');
      this.#expect(await this.#run(data, 'undo', undo), 0, 'undo');
      this.#expectRows(data, []);
      const [all] = reading(data, `SELECT count(*) FROM items`);
      if (all !== bookmarks + Number(isNoted)) this.#fail(`${data}: the trash and the note are ${String(all)} rows`);
      this.#expectWhole(data);
    },
    export: async (folder, { kill, other }) => {
      const [data, to, beside] = [join(folder, 'data'), join(folder, 'exported'), join(folder, 'beside')];
      await this.#imported(data, fewBookmarks);
      if (this.#random.below(2) === 0) this.#expect(await this.#run(data, 'export', to), 0, 'export');
      const hadOne = existsSync(to);
      await Promise.all([
        this.#armed('export', kill, data, [to]),
        other === null ? this.#run(data, 'list') : this.#armed('export', other, data, [beside]),
      ]);
      // What has its name is whole, at any time.
      if (existsSync(to)) this.#expectExport(to);
      else if (hadOne && kill.point !== 'file-renamed') this.#fail(`${to}: the earlier export is gone`);
      if (existsSync(beside)) this.#expectExport(beside);
      this.#expect(await this.#run(data, 'export', to), 0, 'export');
      this.#expectExport(to);
    },
    backup: async (folder, { kill, other }) => {
      const [data, file, beside] = [join(folder, 'data'), join(folder, 'library.zip'), join(folder, 'beside.zip')];
      await this.#imported(data, fewBookmarks);
      await Promise.all([
        this.#armed('backup', kill, data, [file]),
        other === null
          ? this.#run(data, 'note', 'Written meanwhile.', '--title', 'Mine')
          : this.#armed('backup', other, data, [beside]),
      ]);
      if (!existsSync(file)) this.#expect(await this.#run(data, 'backup', file), 0, 'backup');
      await this.#expectBackup(file);
      if (existsSync(beside)) await this.#expectBackup(beside);
    },
    restore: async (folder, { kill, other }) => {
      const [data, file] = [join(folder, 'data'), join(this.#place, 'library.zip')];
      if (!existsSync(file)) await this.#makeBackup(file);
      await this.#copied(data, 'before', async (made) =>
        this.#expect(await this.#run(made, 'note', 'Of the library before.', '--title', 'Before'), 0, 'note'),
      );
      await Promise.all([
        this.#armed('restore', kill, data, [file, '--replace']),
        ...(other === null ? [this.#run(data, 'list')] : []),
      ]);
      // A restore that was killed is run again, and killed again.
      if (other !== null) await this.#armed('restore', other, data, [file, '--replace']);
      this.#expect(await this.#run(data, 'restore', file, '--replace'), 0, 'restore');
      this.#expectRows(data, addresses(fewBookmarks));
      this.#expectWhole(data);
    },
    list: async (folder, { kill, other }) => {
      const data = join(folder, 'data');
      // Two processes make the library.
      await Promise.all([
        this.#armed('list', kill, data, []),
        other === null ? this.#run(data, 'list') : this.#armed('list', other, data, []),
      ]);
      this.#expect(await this.#run(data, 'list'), 0, 'list');
      this.#expectRows(data, []);
      this.#expectWhole(data);
    },
  };

  #bookmarks(folder: string, count: number): string {
    const file = join(folder, `bookmarks-${count}.html`);
    const lines = addresses(count).map(
      (url, at) => `<DT><A HREF="${url}" ADD_DATE="${1_600_000_000 + at}" TAGS="t${at % 7}">Title ${at}</A>`,
    );
    writeFileSync(file, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL>`);
    return file;
  }

  /** Copies a library that is made once. */
  async #copied(data: string, name: string, make: (made: string) => Promise<void>): Promise<void> {
    const first = join(this.#place, name);
    if (!existsSync(first)) await make(first);
    cpSync(first, data, { recursive: true });
  }

  /** A library into which bookmarks were imported. @returns what undoes that */
  async #imported(data: string, count: number): Promise<string> {
    await this.#copied(data, `imported-${count}`, async (made) => {
      const outcome = await this.#run(made, 'import', this.#bookmarks(this.#place, count), '--json');
      this.#expect(outcome, 0, 'import');
      this.#undo[count] = (JSON.parse(outcome.stdout) as { undo: string }).undo;
    });
    return this.#undo[count] ?? '';
  }

  async #makeBackup(file: string): Promise<void> {
    const data = join(this.#place, 'backed-up');
    await this.#imported(data, fewBookmarks);
    this.#expect(await this.#run(data, 'backup', file), 0, 'backup');
  }

  #run(data: string, ...args: string[]): Promise<Outcome> {
    return runBuilt(...args, '--data', data, '--embedder', 'none');
  }

  /** Runs the command until it kills itself, or to its end. */
  async #armed(command: string, kill: Kill, data: string, args: readonly string[]): Promise<undefined> {
    const child = spawn(process.execPath, [builtProgram, command, ...args, '--data', data, '--embedder', 'none'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: withFaults({ kill }),
    });
    const errors = text(child.stderr);
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (signal === 'SIGKILL') addKill(this.#tally, `${command === 'list' ? 'first start' : command}, ${placeOf(kill)}`);
    else if (code !== 0 && !isBusy(command, await errors))
      this.#fail(`${data}: ${command} ended with ${signal ?? code}: ${await errors}`);
  }

  #expect({ code, stderr }: Outcome, wanted: number, what: string): void {
    if (code !== wanted) this.#fail(`${this.#place}: ${what} ended with ${code}: ${stderr}`);
  }

  #expectRows(data: string, urls: readonly string[]): void {
    const there = reading(
      data,
      `SELECT url FROM items WHERE deleted_at IS NULL AND url NOT LIKE 'note:%' ORDER BY created_at`,
    );
    if (JSON.stringify(there) === JSON.stringify(urls)) return;
    const double = there.length - new Set(there).size;
    this.#fail(`${data}: ${there.length} rows instead of ${urls.length}, ${double} of them double`);
  }

  async #expectBackup(file: string): Promise<void> {
    this.#expect(await runBuilt('backup', 'verify', file), 0, 'backup verify');
  }

  #expectWhole(data: string): void {
    for (const damage of findDamage(data)) this.#fail(`${data}: ${damage}`);
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
    if (items !== fewBookmarks) this.#fail(`${to}: ${items} items instead of ${fewBookmarks}`);
  }

  #fail(words: string): void {
    this.#tally.failures.push(words);
  }
}

/** A restore refuses while somebody uses the data folder. */
const isBusy = (command: string, errors: string): boolean => command === 'restore' && errors.includes('use');

const addresses = (count: number): string[] => Array.from({ length: count }, (_, at) => `https://example.org/${at}`);
function reading(data: string, sql: string): unknown[] {
  const db = new Database(join(data, 'accounts', 'local.db'), { readonly: true, fileMustExist: true, timeout: 60_000 });
  try {
    return db.prepare(sql).pluck().all();
  } finally {
    db.close();
  }
}
