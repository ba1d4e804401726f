import { copyFileSync, mkdirSync, openSync, closeSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../support/store/raw-database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkFile } from '../../src/store/sqlite/checking/check-file.ts';
import { checkLibrary } from '../../src/store/sqlite/checking/check-library.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import type { Store } from '../../src/store/store.ts';
import { ManualClock } from '../support/clock.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { listPassages } from '../support/store/store-reads.ts';

const neverAborted = new AbortController().signal;
const whole = temporaryFolder();
const broken = temporaryFolder();
const accountPath = (folder: string) => join(folder, 'accounts', 'local.db');

const nouns = ['fox', 'river', 'garden', 'lantern', 'harbour', 'winter', 'violin', 'ladder', 'orchard', 'kettle'];
const verbs = ['crosses', 'remembers', 'carries', 'follows', 'forgets', 'mends', 'paints', 'hides', 'counts', 'finds'];
/** Different sentences without end, the same in every run. */
function sentences(item: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const pick = (from: readonly string[], by: number) => from[(item * 7 + at * by + Math.floor(at / 9)) % from.length];
    return `The ${pick(nouns, 3)} of item ${item} ${pick(verbs, 7)} the ${pick(nouns, 1)}-${at} and ${pick(verbs, 11)} ${at * item}.`;
  });
}

async function fill(store: Store): Promise<void> {
  for (let item = 0; item < 24; item += 1) {
    const length = item % 8 === 0 ? 1_500 : 20;
    const id = await addFinishedItem(store, {
      url: `https://example.com/${item}`,
      about: { title: `Item ${item}`, author: 'Ann Author' },
      // An accent without a letter is an empty term in the index of words.
      blocks: paragraphs(...sentences(item, length), '¯\\_(ツ)_/¯'),
      notes: item % 5 === 0 ? 'A note. '.repeat(3_000) : '',
    });
    const passages = await listPassages(store, id);
    const vectors = passages.map(({ passageId }) => ({
      passageId,
      vector: Float32Array.from({ length: 384 }, (_, at) => Math.sin(passageId * 31 + at * 7) / Math.sqrt(192)),
    }));
    await store.keepVectors('embedder', vectors);
    if (item % 6 === 5) await store.deleteContent(id);
  }
  for (const title of ['Sleep', 'Save money']) await store.addGoal({ title, category: 'Health' });
}

beforeAll(async () => {
  const stores = await openDataFolder({ folder: whole.path, clock: new ManualClock() });
  await fill(await stores.open('local'));
  await stores.control
    .createAccount({ name: 'Another', plan: 'pro' })
    .then(({ id }) => stores.open(id))
    .then((store) => store.addGoal({ title: 'Swim', category: 'Health' }));
  await stores.close();
});
beforeEach(() => {
  rmSync(broken.path, { recursive: true, force: true });
  mkdirSync(join(broken.path, 'accounts'), { recursive: true });
  copyFileSync(join(whole.path, 'control.db'), join(broken.path, 'control.db'));
  copyFileSync(accountPath(whole.path), accountPath(broken.path));
});
afterAll(async () => {
  await whole.remove();
  await broken.remove();
});

const pageSize = 8_192;
function zeroPage(path: string, page: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(pageSize), 0, pageSize, (page - 1) * pageSize);
  closeSync(file);
}

/** The pages of a file that hold something, with what they belong to. */
function usedPages(path: string): { page: number; name: string; kind: string }[] {
  const db = openRaw(path, { readonly: true });
  const pages = db
    .prepare<[], { page: number; name: string; kind: string }>(
      'SELECT pageno AS page, name, pagetype AS kind FROM dbstat ORDER BY pageno',
    )
    .all();
  db.close();
  return pages;
}

function change(sql: string): void {
  const db = openRaw(accountPath(broken.path));
  db.pragma('foreign_keys = OFF');
  db.exec(sql);
  db.close();
}
const problemsIn = () => checkFile(accountPath(broken.path), 'account').map(({ problem }) => problem);

describe('a check of the files', () => {
  it('finds nothing in intact files', async () => {
    const seen: number[] = [];
    const checked = await checkLibrary(whole.path, undefined, neverAborted, (done) => seen.push(done));
    expect(checked).toEqual({ files: 3, findings: [] });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('finds every zeroed page with content: thirty places, and the ends of long texts', () => {
    const pages = usedPages(accountPath(whole.path));
    const ends = pages.filter(({ kind }) => kind === 'overflow');
    expect(pages.length).toBeGreaterThan(100);
    const spread = (all: typeof pages, count: number) =>
      Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]!);
    const unnoticed = [...spread(pages, 30), ...spread(ends, 30)].filter(({ page }) => {
      copyFileSync(accountPath(whole.path), accountPath(broken.path));
      zeroPage(accountPath(broken.path), page);
      return checkFile(accountPath(broken.path), 'account').length === 0;
    });
    expect(unnoticed).toEqual([]);
  });

  it('finds every zeroed page of control.db', () => {
    const path = join(broken.path, 'control.db');
    const unnoticed = usedPages(path).filter(({ page }) => {
      copyFileSync(join(whole.path, 'control.db'), path);
      zeroPage(path, page);
      return checkFile(path, 'control').length === 0;
    });
    expect(unnoticed).toEqual([]);
  });

  it.each([
    ['a passage that is not indexed', 'DELETE FROM passage_words WHERE rowid = 7', 'not in the index of words'],
    [
      'words of no passage',
      `INSERT INTO passage_words (rowid, title, text) VALUES (90000, '', 'ghost')`,
      'are of no passage',
    ],
    [
      'words of another text',
      `DELETE FROM passage_words WHERE rowid = 7; INSERT INTO passage_words (rowid, title, text) VALUES (7, '', 'ghost')`,
      'words stand in other passages',
    ],
    [
      'a passage with another text',
      `UPDATE passages SET text = 'foreign' WHERE id = 7`,
      'passages that are not in their text: c_',
    ],
    [
      'a passage that is not in its text',
      `UPDATE passages SET start_at = start_at + 1 WHERE id = 7`,
      'passages that are not in their text: c_',
    ],
    [
      'a vector of no passage',
      'PRAGMA recursive_triggers = OFF; UPDATE vectors SET passage = 90000 WHERE passage = 7',
      'vectors that belong to no passage',
    ],
    ['half a vector', `UPDATE vectors SET components = x'0102' WHERE passage = 7`, 'vectors that belong to no passage'],
    [
      'a text that was changed',
      `UPDATE documents SET text = 'Another one.', blocks = '[]' WHERE id = 3`,
      'texts that are not as they were read: c_',
    ],
    [
      'an original that was changed',
      `UPDATE originals SET bytes = x'00' WHERE item = 3`,
      'originals that are not what was fetched or given: c_',
    ],
    [
      'a record of nobody',
      "UPDATE insights SET item = 1; INSERT INTO item_tags VALUES (90000, 'a', 'a', 0)",
      'records that belong to others which are gone, in item_tags',
    ],
    ['a title that is not indexed', 'DELETE FROM item_titles WHERE rowid = 3', 'titles are not in the index of titles'],
  ])('finds %s and says what to do', (_, sql, problem) => {
    change(sql);
    expect(problemsIn()).toContainEqual(expect.stringContaining(problem));
    for (const { fix } of checkFile(accountPath(broken.path), 'account')) expect(fix).toMatch(/backup|commonplace/);
  });

  it('reads during writes and leaves the file unchanged', async () => {
    const stores = await openDataFolder({ folder: broken.path, clock: new ManualClock() });
    const store = await stores.open('local');
    await addFinishedItem(store, { url: 'https://example.com/new', blocks: paragraphs('A new text of a fox.') });
    expect(problemsIn()).toEqual([]);
    expect((await store.searchWords('fox', {}, 5)).length).toBeGreaterThan(0);
    await stores.close();
  });

  it('checks one account on request, and knows whether it exists', async () => {
    expect((await checkLibrary(whole.path, 'local', neverAborted)).files).toBe(2);
    await expect(checkLibrary(whole.path, 'u_aaaaaaaaaaaaaaaa', neverAborted)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(checkLibrary(whole.path, '../local', neverAborted)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('ends when it is cancelled', async () => {
    const cancel = new AbortController();
    const reason = new Error('not needed any more');
    const checked = checkLibrary(whole.path, undefined, cancel.signal, () => cancel.abort(reason));
    await expect(checked).rejects.toBe(reason);
    await expect(checkLibrary(whole.path, undefined, cancel.signal)).rejects.toBe(reason);
  });

  it('finds files by their names when control.db cannot be read', async () => {
    zeroPage(join(broken.path, 'control.db'), 1);
    zeroPage(accountPath(broken.path), 1);
    const { findings } = await checkLibrary(broken.path, undefined, neverAborted);
    expect(new Set(findings.map(({ file }) => file))).toEqual(new Set(['control', 'local']));
  });
});
