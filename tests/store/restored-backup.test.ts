import { join } from 'node:path';
import { openRaw } from '../support/store/raw-database.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ItemSearch } from '../../src/search/item-search.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import type { Store, Stores } from '../../src/store/store.ts';
import { findItems, saveAndProcess } from './contracts/items/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

const clock = new ManualClock();
let folder: ReturnType<typeof temporaryFolder>;
let opened: Stores[];

beforeEach(() => {
  folder = temporaryFolder();
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  await folder.remove();
});

async function open(): Promise<Store> {
  const stores = await openDataFolder({ folder: folder.path, clock, vectors: { few: 0 } });
  opened.push(stores);
  return stores.open('local');
}

/** Each passage has its own vector, whatever its number is. */
async function save(store: Store, url: string, text: string, angle: number): Promise<void> {
  await saveAndProcess(store, url, { text, passageLength: 40, document: { title: url } });
  const passages = await store.listPassagesToEmbed('e', 100);
  const turned = passages.map((_, at) => angle + at / 10);
  await store.keepVectors(
    'e',
    passages.map(({ passageId }, at) => ({
      passageId,
      vector: Float32Array.of(Math.cos(turned[at]!), Math.sin(turned[at]!)),
    })),
  );
}

it('a backup restored over the open file leaves nothing of the previous data', async () => {
  const warm = await open();
  const path = join(folder.path, 'accounts', 'local.db');
  const backup = join(folder.path, 'backup.db');
  await save(warm, 'https://a.example', 'The fox sleeps beside the river every single night.', 0);
  openRaw(path).exec(`VACUUM INTO '${backup}'`).close();
  const vector = { embedderId: 'e', values: Float32Array.of(1, 0), unrelatedCosine: -1, everyPassage: true };
  /** In memory and in the file a cosine is not the same to the last digit. */
  const ask = async (store: Store, by: ItemSearch['by']) =>
    (await findItems(store, 'fox', { vector, by, placed: 1e6 })).items.map((passages) =>
      passages.map((passage) => ({ ...passage, score: passage.score.toFixed(5) })),
    );
  const all = ['both', 'words', 'meaning', null] as const;
  const lists = async (store: Store) => Promise.all(all.map((by) => ask(store, by)));

  await save(warm, 'https://b.example', 'A fox in the snow hears a mouse that nobody else would ever hear.', 1);
  expect((await lists(warm)).map((items) => items.length)).toEqual([2, 2, 2, 2]);
  await openRaw(backup).backup(path);
  expect(await lists(warm)).toEqual(await lists(await open()));
  for (const nth of ['c', 'd', 'e']) {
    await save(
      warm,
      `https://${nth}.example`,
      `The ${nth} fox has another text, of as many words as ever, and dens.`,
      2,
    );
    // The memory that was given up is asked for once more, then rebuilt.
    for (let i = 0; i < 2; i += 1) expect(await lists(warm)).toEqual(await lists(await open()));
  }
});
