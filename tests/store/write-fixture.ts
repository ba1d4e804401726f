import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../support/raw-database.ts';
import { openDataFolder } from '../../src/app/installations/data-folder.ts';
import { saveAndProcess, saving } from '../contracts/store-items.ts';
import { ManualClock } from '../support/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

/*
 * Writes a small data folder of today's schema as SQL text, once for each released version of it:
 * `node tests/store/write-fixture.ts version-1`. Written fixtures are never written again.
 */

const quoted = (column: string) => `quote("${column}")`;

function dump(path: string): string {
  const db = openRaw(path, { readonly: true });
  const schema = db
    .prepare<[], { name: string; type: string; sql: string }>(
      `SELECT name, type, sql FROM sqlite_schema
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'passage_words_%' ORDER BY rowid`,
    )
    .all();
  const statements = schema.map(({ sql }) => sql);
  for (const { name } of schema.filter(({ type }) => type === 'table')) {
    // The full-text index keeps no text: its rows are written again from the passages'.
    if (name === 'passage_words') {
      statements.push(`INSERT INTO passage_words (rowid, title, text) SELECT id, '', text FROM passages`);
      continue;
    }
    const columns = db.prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)').all(name);
    const names = columns.map((column) => column.name);
    const values = names.map(quoted).join(` || ', ' || `);
    for (const { row } of db.prepare<[], { row: string }>(`SELECT ${values} AS row FROM "${name}"`).all()) {
      statements.push(`INSERT INTO ${name} (${names.join(', ')}) VALUES (${row})`);
    }
  }
  const version = db.pragma('user_version', { simple: true });
  db.close();
  return ['PRAGMA foreign_keys = OFF', ...statements, `PRAGMA user_version = ${String(version)}`, ''].join(';\n');
}

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('usage: write-fixture.ts version-<number>');
const target = new URL(`fixtures/${version}/`, import.meta.url);
const folder = temporaryFolder();
const stores = await openDataFolder({ folder: folder.path, clock: new ManualClock() });
const store = await stores.open('local');
const text = 'Feed the fox.';
await store.addGoal({ title: 'Sleep', category: 'Health' });
await saveAndProcess(store, 'https://example.org/done', {
  text,
  document: { title: 'Foxes' },
  save: { tags: ['Animals'], notes: 'From Ann.' },
  actions: [text],
});
const [action] = (await store.listActions({ offset: 0 })).items;
const [passage] = await store.listPassagesToEmbed('e', 1);
if (action === undefined || passage === undefined) throw new Error('the item was not processed');
await store.updateAction(action.id, { state: 'done' });
await store.keepVectors('e', [{ passageId: passage.passageId, vector: new Float32Array([0.6, 0.8]) }]);
await store.saveContent(saving('https://example.org/waiting'));
await stores.close();
mkdirSync(target, { recursive: true });
for (const name of ['control', 'local']) {
  const path = name === 'control' ? 'control.db' : join('accounts', 'local.db');
  writeFileSync(new URL(`${name}.sql`, target), dump(join(folder.path, path)), { flag: 'wx' });
}
await folder.remove();
