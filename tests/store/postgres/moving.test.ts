import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { scopes } from '../../../src/domain/records/account.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { moveInstallation, moveLibrary } from '../../../src/services/moving/move.ts';
import type { PostgresStore } from '../../../src/store/postgres/account-store.ts';
import { openPostgresStores } from '../../../src/store/postgres/open.ts';
import type { Store, Stores } from '../../../src/store/store.ts';
import { resource, saveAndProcess, saving } from '../contracts/items/store-items.ts';
import { letPeopleIn, opened } from '../../support/access/access-records.ts';
import { ManualClock } from '../../support/clock.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const { signal } = new AbortController();

let server: PostgresServer;
let database: TestDatabase;
beforeAll(async () => {
  server = await PostgresServer.start();
  database = await server.createDatabase();
});
afterAll(() => server.stop());

describe('moving a library between engines', () => {
  const folders: ReturnType<typeof temporaryFolder>[] = [];
  const clock = new ManualClock();
  let folder: string;
  let stores: Stores;
  let postgres: Awaited<ReturnType<typeof openPostgresStores>>;
  let here: Store;
  let there: PostgresStore;

  const openFolder = async () => {
    const made = temporaryFolder();
    folders.push(made);
    return { path: made.path, stores: await openDataFolder({ folder: made.path, clock }) };
  };

  beforeEach(async () => {
    const made = await openFolder();
    folder = made.path;
    stores = made.stores;
    postgres = await openPostgresStores({ url: database.url, clock });
    here = await stores.open('local');
    there = await postgres.open('local');
  });
  afterEach(async () => {
    await Promise.all([stores.close(), postgres.close()]);
    await database.empty();
    for (const one of folders.splice(0)) await one.remove();
  });

  /** A library with everything that a library can have. */
  async function fill(): Promise<string[]> {
    const goal = await here.addGoal({ title: 'Feed foxes', category: 'Relationships' });
    const ids: string[] = [];
    for (let at = 0; at < 12; at += 1) {
      const text = `Feed the fox. It is hungry in winter number ${at} \0 and tame in summer.`;
      const id = await saveAndProcess(here, `https://example.org/${at}`, {
        text,
        passageLength: 20,
        actions: ['Feed the fox.'],
        save: { tags: ['Fox', `t${at}`], notes: `note ${at}` },
        document: { title: `Foxes ${at}`, canonicalUrl: `https://example.com/canonical/${at}` },
        fingerprint: new Uint8Array(32).fill(at),
      });
      await here.keepCompanion(id, `https://example.org/${at}/captions`, resource('x', `captions ${at}`));
      await here.addHighlight({ contentId: id, quote: 'hungry in winter', note: 'zeppelin' });
      ids.push(id);
    }
    const [action] = (await here.listActions({ offset: 0 })).items;
    await here.updateAction(action!.id, { state: 'done', goalId: goal.id });
    await here.addList({ name: 'Foxes', icon: '🦊' });
    await here.addToList('Foxes', [ids[4]!, ids[2]!]);
    await here.addList({ name: 'Found', query: 'tag:fox' });
    await here.addSource({ kind: 'feed', address: 'https://example.org/feed', name: 'Foxes' });
    const change = newChange({ face: 'page', by: 'Ann', operation: 'update_content', scopes: ['content:write'] });
    await (await stores.open({ account: 'local', change })).updateContent(ids[0]!, { notes: 'changed' });
    const waiting = await here.saveContent(saving('https://example.org/waiting', { original: resource('x', 'bytes') }));
    return [...ids, waiting.id];
  }

  it('copies everything to PostgreSQL and back into an empty folder, equal by hash', async () => {
    const ids = await fill();
    const moved = await moveLibrary(here, there, { signal });
    expect(moved).toMatchObject({ items: ids.length, copied: ids.length, removed: 0, differing: [] });
    expect((await there.readOriginal(ids[3]!))?.bytes).toEqual((await here.readOriginal(ids[3]!))?.bytes);
    expect(await there.getContent(ids[3]!)).toEqual(await here.getContent(ids[3]!));
    expect(await there.listActions({ offset: 0 })).toEqual(await here.listActions({ offset: 0 }));
    expect(await there.listListsToExport()).toEqual(await here.listListsToExport());
    expect(await there.listSourcesToExport()).toEqual(await here.listSourcesToExport());
    expect((await there.getContent(ids[4]!))?.lists).toMatchObject([{ name: 'Foxes' }]);
    expect(await there.listHistory({ scopes, limit: 9, offset: 0 })).toMatchObject({
      items: [{ operation: 'update_content', by: 'Ann', isRestored: true }],
    });
    const back = await openFolder();
    const again = await back.stores.open('local');
    expect(await moveLibrary(there, again, { signal })).toMatchObject({
      copied: ids.length,
      digest: moved.digest,
      differing: [],
    });
    expect(await again.getContent(ids[3]!)).toEqual(await here.getContent(ids[3]!));
    expect((await again.searchWords('hungry', {}, 20)).length).toBe((await here.searchWords('hungry', {}, 20)).length);
    await back.stores.close();
  });

  it('continues after a kill, and copies no item twice', async () => {
    const ids = await fill();
    const program = fileURLToPath(new URL('./kills/move-until-killed.ts', import.meta.url));
    // It writes three at a time.
    for (const [after, copied] of [
      ['2', 3],
      ['7', 9],
    ] as const) {
      const child = spawn(process.execPath, [program, folder, database.url, after], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [, killedBy] = (await once(child, 'exit')) as [number | null, string | null];
      expect(killedBy).toBe('SIGKILL');
      expect((await there.listContent({ limit: 100, offset: 0 })).total).toBe(copied);
    }
    expect(await moveLibrary(here, there, { signal })).toMatchObject({ copied: ids.length - 9, differing: [] });
    expect(await moveLibrary(here, there, { signal })).toMatchObject({ copied: 0, differing: [] });
  });

  it('includes changes and deletions during and after the copy', async () => {
    const ids = await fill();
    let isChanged = false;
    const first = await moveLibrary(here, there, {
      signal,
      onItem: () => {
        if (isChanged) return;
        isChanged = true;
        void here.updateContent(ids[0]!, { notes: 'later' });
      },
    });
    expect(first.differing).toEqual([]);
    expect((await there.getContentSummary(ids[0]!))?.notes).toBe('later');
    await here.updateContent(ids[0]!, { notes: 'last' });
    const [goal] = await here.listGoalsToExport();
    await here.updateGoal(goal!.id, { title: 'Feed all foxes' });
    await here.deleteContent(ids[1]!);
    const second = await moveLibrary(here, there, { signal });
    expect(second).toMatchObject({ items: ids.length - 1, removed: 1, differing: [] });
    expect((await there.getContentSummary(ids[0]!))?.notes).toBe('last');
    expect(await there.getContentSummary(ids[1]!)).toBeNull();
    expect((await there.listGoals({ offset: 0 })).items).toMatchObject([{ title: 'Feed all foxes' }]);
  });

  it('does not mix two libraries, and overwrites what was changed there', async () => {
    const ids = await fill();
    const other = await there.saveContent(saving('https://example.org/other'));
    await expect(moveLibrary(here, there, { signal })).rejects.toMatchObject({ code: 'invalid_input' });
    await there.deleteContent(other.id);
    await moveLibrary(here, there, { signal });
    await there.updateContent(ids[2]!, { notes: 'changed there' });
    await there.deleteContent(ids[3]!);
    expect(await moveLibrary(here, there, { signal })).toMatchObject({ differing: [] });
    expect(await there.getContentSummary(ids[2]!)).toEqual(await here.getContentSummary(ids[2]!));
    expect(await there.getContent(ids[3]!)).toEqual(await here.getContent(ids[3]!));
  });

  it('moves accounts with their ids and all credentials, and back', async () => {
    await fill();
    const { id } = await stores.control.createAccount({ name: 'Ann', plan: 'free' });
    const until = clock.now() + 100_000;
    await letPeopleIn(stores.control, id, 1, until);
    await saveAndProcess(await stores.open(id), 'https://example.org/ann', { text: 'Ann keeps bees.' });
    const before = await opened(stores.control, id, 1);
    const moved = await moveInstallation(stores, postgres, { signal });
    expect(moved).toMatchObject({
      accounts: [
        { id: 'local', items: 13, copied: 13, differing: [] },
        { id, items: 1, copied: 1, differing: [] },
      ],
      changedMeanwhile: [],
    });
    expect(await opened(postgres.control, id, 1)).toEqual(before);
    expect(await postgres.control.listAccounts()).toEqual(await stores.control.listAccounts());
    const back = await openFolder();
    const again = await moveInstallation(postgres, back.stores, { signal });
    expect(again.accounts.map(({ digest }) => digest)).toEqual(moved.accounts.map(({ digest }) => digest));
    expect(await opened(back.stores.control, id, 1)).toEqual(before);
    expect(await back.stores.control.listAccounts()).toEqual(await stores.control.listAccounts());
    await back.stores.close();
  });
});
