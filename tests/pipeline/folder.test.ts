import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../src/domain/access/account-names.ts';
import type { SourceClaim } from '../../src/domain/records/sources/source.ts';
import type { FolderEvent } from '../../src/domain/records/sources/folder.ts';
import { readInThread } from '../../src/importing/import-thread.ts';
import { createFolderCheck, type FolderParts } from '../../src/pipeline/sources/folder.ts';
import { runCheck } from '../../src/pipeline/sources/run-check.ts';
import type { Store } from '../../src/store/store.ts';
import { openWorkshop, withChangedStore, type Workshop } from '../support/vitest/workers.ts';

let workshop: Workshop;
let store: Store;
let folder: string;
let id: string;
let events: FolderEvent[];

beforeEach(async () => {
  workshop = await openWorkshop();
  ({ store } = workshop);
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'commonplace-vault-')));
  id = (await store.addSource({ kind: 'folder', address: folder, name: 'vault' })).id;
  events = [];
});

afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await workshop.close();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function move(from: string, to: string): void {
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  renameSync(join(folder, from), join(folder, to));
}

function checker(parts: Partial<FolderParts> = {}) {
  return createFolderCheck({
    readFolder: readInThread,
    maxBytes: 1_000_000,
    clock: workshop.clock,
    onEvent: (_, event) => void (event.kind !== 'progress' && events.push(event)),
    watch: () => () => false,
    ...parts,
  });
}

async function claim(): Promise<SourceClaim> {
  await store.askSource(id);
  const claimed = await store.claimSource(60_000, { kinds: ['folder'] });
  if (claimed === null) throw new Error('the folder is not due');
  return claimed;
}

/** Checks the folder once, and tells what the check did. */
async function check(stores = workshop.stores, parts: Partial<FolderParts> = {}): Promise<string[]> {
  events = [];
  const about = { stores, clock: workshop.clock, log: workshop.log, random: () => 0.5 };
  await runCheck(about, checker(parts), localAccountId, await claim(), new AbortController().signal);
  return events.map((event) => ('path' in event ? `${event.kind} ${event.path}` : '')).sort();
}

/** The items that are not deleted: where each is, with its title and tags. */
async function items() {
  const { items: all } = await store.listContent({ limit: 1_000, offset: 0 });
  const prefix = `${pathToFileURL(folder).href}/`;
  return Object.fromEntries(
    all.map(({ id: itemId, url, title, tags }) => [
      decodeURI((url ?? '').replace(prefix, '')),
      { id: itemId, title, tags },
    ]),
  );
}

const problem = async () => (await store.getSource(id))?.problem?.message ?? null;
const history = async () => (await store.listHistory({ limit: 50, offset: 0, scopes: ['content:write'] }))?.items ?? [];

describe('a followed folder', () => {
  it('becomes items with title, tags and date, and unchanged files are skipped', async () => {
    write(
      'Cooking/Bread.md',
      '---\ntitle: Sourdough\ntags: [baking]\ncreated: 2024-03-05\n---\nFlour and water. #slow',
    );
    write('plain.txt', 'A text.');
    write('picture.png', 'no text');
    expect(await check()).toEqual(['added Cooking/Bread.md', 'added plain.txt']);
    const before = await items();
    expect(before).toMatchObject({
      'Cooking/Bread.md': { title: 'Sourdough', tags: ['Cooking', 'baking', 'slow'] },
      'plain.txt': { tags: [] },
    });
    expect((await store.getContentSummary(before['Cooking/Bread.md']!.id))?.createdAt).toMatch(/^2024-03-05/);
    expect(await check()).toEqual([]);
    expect(await items()).toEqual(before);
    expect(await history()).toMatchObject([{ face: 'folder', by: 'vault' }]);
  });

  it("gives an edited note its new text, title and tags, and keeps the person's changes", async () => {
    write('a.md', '---\ntitle: One\ntags: [old, kept]\n---\nText.');
    await check();
    const { id: itemId } = (await items())['a.md']!;
    await store.updateContent(itemId, { addTags: ['mine'], notes: 'My note.' });
    write('a.md', '---\ntitle: Two\ntags: [new, kept]\n---\nAnother text.');
    expect(await check()).toEqual(['changed a.md']);
    expect(await items()).toMatchObject({ 'a.md': { id: itemId, title: 'Two' } });
    const now = await store.getContentSummary(itemId);
    expect([...(now?.tags ?? [])].sort()).toEqual(['kept', 'mine', 'new']);
    expect(now?.notes).toBe('My note.');
    expect(Buffer.from((await store.readOriginal(itemId))!.bytes).toString()).toContain('Another text.');
    await store.updateContent(itemId, { title: 'Mine' });
    write('a.md', '---\ntitle: Three\ntags: [new, kept]\n---\nA third text.');
    await check();
    expect((await items())['a.md']?.title).toBe('Mine');
  });

  it('follows files that are renamed, edited meanwhile, or moved with their folder', async () => {
    write('a.md', 'The first note.');
    write('b.md', 'The second note.');
    for (let n = 0; n < 300; n += 1) write(`deep/inside/${n}.md`, `Note ${n}.`);
    await check();
    const before = await items();
    move('a.md', 'A.md');
    move('b.md', 'notes/renamed.md');
    appendFileSync(join(folder, 'notes/renamed.md'), ' With more.');
    move('deep', 'elsewhere');
    expect((await check()).filter((event) => !event.startsWith('moved'))).toEqual([]);
    const after = await items();
    expect(after['A.md']?.id).toBe(before['a.md']?.id);
    expect(after['A.md']?.title).toBe('A');
    expect(after['notes/renamed.md']?.id).toBe(before['b.md']?.id);
    expect(after['elsewhere/inside/77.md']?.id).toBe(before['deep/inside/77.md']?.id);
    expect([...(after['elsewhere/inside/77.md']?.tags ?? [])].sort()).toEqual(['elsewhere', 'inside']);
    expect(Object.keys(after)).toHaveLength(302);
    expect(await check()).toEqual([]);
    const [moved] = await history();
    await store.undo(moved!.id, { force: false });
    expect((await items())['deep/inside/77.md']?.id).toBe(before['deep/inside/77.md']?.id);
  });

  it('recognises a file by its bytes when it returns, and restores its item', async () => {
    write('keep.md', 'Kept.');
    write('gone.md', 'Away for a while.');
    await check();
    const { id: itemId } = (await items())['gone.md']!;
    rmSync(join(folder, 'gone.md'));
    expect(await check()).toEqual(['removed gone.md']);
    expect(await store.getContentSummary(itemId)).toBeNull();
    write('back/again.md', 'Away for a while.');
    expect(await check()).toEqual(['added back/again.md']);
    expect((await items())['back/again.md']?.id).toBe(itemId);
    expect((await store.listSourceEntries(id, { limit: 9 })).map(({ key }) => key).sort()).toEqual([
      'back/again.md',
      'keep.md',
    ]);
  });

  it('knows which notes link to each other', async () => {
    write('index.md', 'See [[Bread|the bread]], [[deep/Wine#Red]] and [oil](deep/Olive%20oil.md), not [[index]].');
    write('Bread.md', 'Flour.');
    write('other/Bread.md', 'Another.');
    write('deep/Wine.md', 'Grapes, see ![[Olive oil.md]].');
    write('deep/Olive oil.md', 'Olives.');
    await check();
    const all = await items();
    const linked = async (path: string): Promise<string[]> => {
      const ids = await store.listLinked(all[path]!.id, 10);
      return Object.keys(all).filter((one) => ids.includes(all[one]!.id));
    };
    expect((await linked('index.md')).sort()).toEqual(['Bread.md', 'deep/Olive oil.md', 'deep/Wine.md']);
    expect(await linked('Bread.md')).toEqual(['index.md']);
    expect((await linked('deep/Olive oil.md')).sort()).toEqual(['deep/Wine.md', 'index.md']);
    expect(await linked('other/Bread.md')).toEqual([]);
  });

  it('does not bring back items that the person deleted', async () => {
    write('a.md', 'Text.');
    write('b.md', 'Text of b.');
    await check();
    await store.deleteContent((await items())['a.md']!.id);
    write('a.md', 'Text, edited.');
    await check();
    expect(Object.keys(await items())).toEqual(['b.md']);
  });

  it('deletes nothing when many files disappear at once, until the person confirms', async () => {
    for (let n = 0; n < 300; n += 1) write(`${n}.md`, `Note ${n}.`);
    await check();
    const away = `${folder}-away`;
    renameSync(folder, away);
    expect(await check()).toEqual([]);
    expect(await problem()).toContain('The folder is not there');
    // A mount that is empty.
    mkdirSync(folder);
    expect(await check()).toEqual([]);
    expect(await problem()).toContain('300 of 300 files are gone');
    expect((await store.getSource(id))?.state).toBe('paused');
    expect(await store.claimSource(60_000, { kinds: ['folder'] })).toBeNull();
    expect(Object.keys(await items())).toHaveLength(300);

    rmSync(folder, { recursive: true });
    renameSync(away, folder);
    await store.updateSource(id, { state: 'active' });
    expect(await check()).toEqual([]);
    for (let n = 0; n < 51; n += 1) rmSync(join(folder, `${n}.md`));
    expect(await check()).toEqual([]);
    expect(await problem()).toContain('51 of 300 files are gone');
    // More than was asked about is asked about again.
    rmSync(join(folder, '51.md'));
    await store.updateSource(id, { state: 'active' });
    expect(await check()).toEqual([]);
    await store.updateSource(id, { state: 'active' });
    expect(await check()).toHaveLength(52);
    expect(Object.keys(await items())).toHaveLength(248);
    for (let n = 60; n < 105; n += 1) rmSync(join(folder, `${n}.md`));
    expect(await check()).toHaveLength(45);
    // Small portions within one day count together.
    for (let n = 105; n < 115; n += 1) rmSync(join(folder, `${n}.md`));
    expect(await check()).toEqual([]);
    expect(await problem()).toMatch(/^10 of 203 files are gone.* 4\d others went to the trash/);
    await store.updateSource(id, { state: 'active' });
    expect(await check()).toHaveLength(10);
    for (let n = 120; n < 150; n += 1) rmSync(join(folder, `${n}.md`));
    expect(await check()).toHaveLength(30);
    workshop.clock.advance(25 * 3_600_000);
    for (let n = 150; n < 180; n += 1) rmSync(join(folder, `${n}.md`));
    expect(await check()).toHaveLength(30);
  });

  it('is checked even after an import of invalid addresses', async () => {
    write('a.md', 'Text.');
    const held = await claim();
    const address = `${pathToFileURL(folder).href}/b%2Fc%zz.md`;
    const entry = { key: 'b.md', state: 'left', contentId: null, address, title: null, publishedAt: null } as const;
    await store.keepSourceEntries(held, [{ ...entry, fingerprint: '1 2 3\nhash\n[]\n', seenAt: 1 }]);
    await store.endSourceCheck(held, null);
    workshop.clock.advance(60_000);
    expect(await check()).toEqual(['added a.md']);
  });

  it('skips files ignored by git, hidden folders, links to the outside, and exported files', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'commonplace-outside-'));
    writeFileSync(join(outside, 'secret.md'), 'Not of the vault.');
    symlinkSync(outside, join(folder, 'link'));
    symlinkSync(join(outside, 'secret.md'), join(folder, 'secret.md'));
    write('.obsidian/plugins/readme.md', 'A plugin.');
    write('node_modules/x/readme.md', 'A package.');
    write('logseq/bak/old.md', 'An old version.');
    write('.gitignore', 'drafts/\n*.tmp.md\n!keep.tmp.md\n/top.md\n');
    write('drafts/x.md', 'A draft.');
    write('one.tmp.md', 'Temporary.');
    write('keep.tmp.md', 'Kept.');
    write('top.md', 'At the top.');
    write('sub/top.md', 'Not at the top.');
    write('sub/.gitignore', '!one.tmp.md\n');
    write('sub/one.tmp.md', 'Wanted here.');
    write('.commonplaceignore', 'private/**\n');
    write('private/diary.md', 'Mine.');
    write('own.md', '---\ntitle: x\nid: c_abcdefghijklmnop\n---\nWritten by the export.');
    expect(await check()).toEqual(['added keep.tmp.md', 'added sub/one.tmp.md', 'added sub/top.md', 'left own.md']);
    rmSync(outside, { recursive: true });
  });

  it('continues after a kill without losses or duplicates, and tolerates two programs', async () => {
    for (let n = 0; n < 1_000; n += 1) write(`${n}.md`, `Note ${n}.`);
    let writes = 0;
    const dying = withChangedStore(workshop.stores, (real) => ({
      keepSourceEntries: async (...given) => {
        if ((writes += 1) === 3) throw new Error('killed');
        await real.keepSourceEntries(...given);
      },
    }));
    await check(dying);
    expect(await store.listSourceEntries(id, { limit: 1_000 })).toHaveLength(100);
    expect(Object.keys(await items())).toHaveLength(150);
    const lost = await claim();
    await store.updateSource(id, { state: 'active' });
    await Promise.all([
      runCheck({ ...workshop, random: () => 0 }, checker(), localAccountId, lost, new AbortController().signal),
      check(),
    ]);
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(1_000);
    expect(await store.listSourceEntries(id, { limit: 2_000 })).toHaveLength(1_000);
    expect(await check()).toEqual([]);
  });

  it('reports unreadable, oversized and growing files, and retries them', async () => {
    write('ok.md', 'Fine.');
    write('large.txt', 'x'.repeat(1_000_001));
    write('empty.md', '');
    // Whoever runs this as root may read every file, so a folder takes the place of one between the look and the reading.
    write('odd.md', 'A file.');
    const swap: FolderParts['readFolder'] = (request, signal, onBatch) =>
      readInThread(request, signal, async (batch) => {
        if (batch.kind === 'looked' && batch.folders !== null) {
          rmSync(join(folder, 'odd.md'));
          symlinkSync('/etc/hostname', join(folder, 'odd.md'));
        }
        await onBatch(batch);
      });
    expect(await check(workshop.stores, { readFolder: swap })).toEqual([
      'added ok.md',
      'left large.txt',
      'left odd.md',
    ]);
    expect(await problem()).toContain('"odd.md"');
    rmSync(join(folder, 'odd.md'));
    write('odd.md', 'A file again.');
    write('empty.md', 'Not any more.');
    expect(await check()).toEqual(['added empty.md', 'added odd.md']);
    expect(await problem()).toBeNull();
  });

  it('of an account other than the local one is not read', async () => {
    const { id: another } = await workshop.stores.control.createAccount({ name: 'Another', plan: 'pro' });
    const foreign = await workshop.stores.open(another);
    const { id: sourceId } = await foreign.addSource({ kind: 'folder', address: folder, name: 'vault' });
    write('a.md', 'Text.');
    const claimed = await foreign.claimSource(60_000, { kinds: ['folder'] });
    const about = { stores: workshop.stores, clock: workshop.clock, log: workshop.log, random: () => 0.5 };
    await runCheck(about, checker(), another, claimed!, new AbortController().signal);
    expect((await foreign.getSource(sourceId))?.problem?.message).toContain('Only the library of this machine');
    expect((await foreign.listContent({ limit: 1, offset: 0 })).total).toBe(0);
  });
});
