// Second stage.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopes } from '../../../src/domain/records/account.ts';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { ManualClock } from '../../support/clock.ts';
import { seed } from '../../support/vitest/seed.ts';
import { saveUrls } from '../../support/store/stores.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

async function run(program: string, ...args: string[]) {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(child.stdout);
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { signal, statements: Number(await output) };
}

const change = (folder: string, id: string, notes: string, at: number) =>
  run('./change-until-killed.ts', folder, id, notes, String(at));
const undo = (folder: string, id: string, at: number) => run('./undo-until-killed.ts', folder, id, String(at));

test('a change killed at any statement leaves both itself and its history, or neither', async () => {
  const folder = temporaryFolder();
  const open = () => openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const made = await open();
  const [id = ''] = await saveUrls(await made.open('local'), ['https://example.com/a']);
  await made.close();

  const { statements, signal } = await change(folder.path, id, 'whole', 0);
  expect([signal, statements > 10]).toEqual([null, true]);
  const outcomes: string[] = [];
  for (let at = 1; at <= statements; at += isThorough ? 2 : 3) {
    const killed = await change(folder.path, id, `killed${at}`, at);
    expect(killed.signal).toBe('SIGKILL');
    const stores = await open();
    const store = await stores.open('local');
    const { notes, tags } = (await store.getContentSummary(id))!;
    const { items } = (await store.listHistory({ id, scopes, limit: 100, offset: 0 }))!;
    const recorded = items.some(({ changes }) => changes.some(({ after }) => after === `killed${at}`));
    expect([at, recorded, tags.includes(`killed${at}`)]).toEqual([
      at,
      notes === `killed${at}`,
      notes === `killed${at}`,
    ]);
    outcomes.push(recorded ? 'both' : 'neither');
    await stores.close();
  }
  expect(outcomes).toContain('neither');
  await folder.remove();
});

test('an undo of many rows that is killed repeatedly continues, and nothing is undone in part', async () => {
  const folder = temporaryFolder();
  const open = () => openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const items = 2_500;
  const made = await open();
  const imported = newChange({ face: 'cli', by: null, operation: 'import', scopes: ['content:write'] });
  const importing = await made.open({ account: 'local', change: imported });
  for (let from = 0; from < items; from += 500)
    await importing.importContent(
      Array.from({ length: 500 }, (_, at) => {
        const url = `https://example.com/${from + at}`;
        const more = { title: null, notes: `Note ${from + at}`, createdAt: null, highlights: [] };
        return { url, canonicalUrl: url, tags: [`tag ${at % 7}`], ...more };
      }),
    );
  await made.close();

  const state = async () => {
    const stores = await open();
    const store = await stores.open('local');
    const { total } = await store.listContent({ limit: 1, offset: 0 });
    const tags = await store.listTags({ limit: 100, offset: 0 });
    const entry = (await store.listHistory({ id: imported.id, scopes, limit: 1, offset: 0 }))!.items[0]!;
    await stores.close();
    return { total, tagged: tags.items.reduce((sum, { count }) => sum + count, 0), undoneBy: entry.undoneBy };
  };
  /** Prunes as if the history were too large. */
  const prune = async () => {
    const history = { keptMs: Number.MAX_SAFE_INTEGER, maxBytes: 0 };
    const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock(), history });
    const store = await stores.open('local');
    while (await store.maintain());
    await stores.close();
  };
  expect(await state()).toEqual({ total: items, tagged: items, undoneBy: null });
  let before = items;
  const moments = fc.sample(fc.integer({ min: 1, max: 12_000 }), { seed, numRuns: isThorough ? 6 : 3 });
  for (const at of [3, ...moments]) {
    const { signal } = await undo(folder.path, imported.id, at);
    const now = await state();
    // What is left is whole: an item has its tag, or is in the trash.
    expect([at, now.tagged <= now.total, now.total <= before]).toEqual([at, true, true]);
    expect([at, now.undoneBy !== null], `TEST_SEED=${seed}`).toEqual([at, now.total === 0 && signal === null]);
    before = now.total;
    if (signal === null) break;
    await prune();
  }
  await undo(folder.path, imported.id, 0);
  expect(await state()).toMatchObject({ total: 0, tagged: 0, undoneBy: expect.any(String) as string });
  const stores = await open();
  const redoing = newChange({ face: 'cli', by: null, operation: 'undo', scopes: ['content:write'] });
  const store = await stores.open({ account: 'local', change: redoing });
  const history = (await store.listHistory({ scopes, limit: 100, offset: 0 }))!.items;
  for (const { id } of history.filter(({ operation, undoneBy }) => operation === 'undo' && undoneBy === null))
    expect(await store.undo(id, { force: false })).toMatchObject({ outcome: 'undone' });
  await stores.close();
  expect(await state()).toMatchObject({ total: items, tagged: items });
  await folder.remove();
});
