import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { forAll } from '../../support/for-all.ts';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { nameItems } from '../../../src/store/sqlite/items/items.ts';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runs } from '../../support/vitest/thorough.ts';

const folder = temporaryFolder();
mkdirSync(folder.path);
afterAll(() => folder.remove());
let made = 0;

function openFile() {
  made += 1;
  const path = join(folder.path, `${made}.db`);
  const open = (readOnly: boolean) => SqliteFile.open({ path, schema: accountSchema, readOnly });
  const [writer, reader] = [open(false), open(true)];
  return { path, writer, reader, close: () => [writer, reader].forEach((file) => file.close()) };
}

function addItem(writer: SqliteFile, passages: number, firstPassage: number | null = null): void {
  writer.write(() => {
    const { rowId: item } = writer.run(
      `INSERT INTO items (id, url, canonical_url, created_at, updated_at)
       VALUES ('c_' || hex(randomblob(8)), hex(randomblob(8)), hex(randomblob(8)), 0, 0)`,
    );
    const { rowId: document } = writer.run(
      `INSERT INTO documents (item, version, content_type, word_count, warnings, text_hash, created_at, text, blocks)
       VALUES (?, 1, 'article', 0, '[]', x'00', 0, '', '[]')`,
      item,
    );
    addPassages(writer, { item, document, from: 0, passages, firstPassage });
  });
}

interface Added {
  item: number;
  document: number;
  from: number;
  passages: number;
  firstPassage?: number | null;
}

function addPassages(writer: SqliteFile, { item, document, from, passages, firstPassage = null }: Added): void {
  for (let ordinal = 0; ordinal < passages; ordinal += 1) {
    writer.run(
      `INSERT INTO passages (id, document, item, ordinal, start_at, end_at, heading_path, locator, text)
       VALUES (?, ?, ?, ?, 0, 0, '[]', '{}', '')`,
      firstPassage === null ? null : firstPassage + ordinal,
      document,
      item,
      from + ordinal,
    );
  }
}

interface Row {
  passageId: number;
  item: number;
  contentId: string;
}

const rowsOf = (reader: SqliteFile) =>
  reader.all<Row>(
    'SELECT p.id AS passageId, c.seq AS item, c.id AS contentId FROM passages p JOIN items c ON c.seq = p.item',
  );

/** What is said of those passages that are there or never were, and what is so. */
function ask(reader: SqliteFile, wanted: readonly number[]) {
  return reader.read(() => {
    const rows = new Map(rowsOf(reader).map((row) => [row.passageId, row]));
    const last = reader.get<{ seq: number }>(`SELECT seq FROM sqlite_sequence WHERE name = 'passages'`)?.seq ?? 0;
    const found = wanted
      .filter((passageId) => rows.has(passageId) || passageId > last)
      .map((passageId, at) => ({ passageId, score: at }));
    const there = found.flatMap((one) => {
      const row = rows.get(one.passageId);
      return row === undefined ? [] : [{ ...row, ...one }];
    });
    const expected = there.map(({ passageId, contentId, score }) => ({ passageId, contentId, score }));
    return { expected, named: nameItems(reader, found) };
  });
}

describe('the items of passages', () => {
  const change = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ add: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 30 }) }),
    },
    { weight: 2, arbitrary: fc.record({ purge: fc.integer({ min: 2, max: 9 }) }) },
    { weight: 1, arbitrary: fc.record({ again: fc.integer({ min: 2, max: 9 }) }) },
  );

  it('are those of the file, whatever was requested before', () => {
    forAll(
      runs(60),
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.array(fc.array(fc.nat(99), { maxLength: 12 }), { minLength: 8, maxLength: 8 }),
      (changes, questions) => {
        const { writer, reader, close } = openFile();
        for (const [at, done] of changes.entries()) {
          if ('add' in done) for (const passages of done.add) addItem(writer, passages);
          else if ('purge' in done)
            writer.write(() => {
              for (const table of ['passages', 'documents'])
                writer.run(`DELETE FROM ${table} WHERE item % ? = 0`, done.purge);
              writer.run('DELETE FROM items WHERE seq % ? = 0', done.purge);
            });
          else {
            // Passages that are not numbered in a row.
            const [item, document] = [writer.get<{ n: number }>('SELECT min(item) AS n FROM documents')?.n ?? 0, 0];
            const own = writer.get<{ id: number }>('SELECT id FROM documents WHERE item = ?', item)?.id ?? document;
            if (own > 0)
              writer.write(() => addPassages(writer, { item, document: own, from: 100 + at * 10, passages: 2 }));
          }
          const { expected, named } = ask(reader, questions[at] ?? []);
          expect(named).toEqual(expected);
        }
        close();
      },
    );
  });

  it('are known for passages with distant numbers', () => {
    const { writer, reader, close } = openFile();
    addItem(writer, 2, 5);
    addItem(writer, 2, 2 ** 40);
    const wanted = [2 ** 40 + 1, 6, 2 ** 40, 7];
    for (const _time of [1, 2]) {
      const { expected, named } = ask(reader, wanted);
      expect(named).toEqual(expected);
      expect(named).toHaveLength(3);
    }
    close();
  });

  it('are read again when a backup is restored over the open file', async () => {
    const { path, writer, reader, close } = openFile();
    addItem(writer, 1);
    const backup = join(folder.path, 'backup.db');
    openRaw(path).exec(`VACUUM INTO '${backup}'`).close();
    addItem(writer, 3);
    expect(ask(reader, [1, 2, 3]).named).toHaveLength(3);
    await openRaw(backup).backup(path);
    for (const passages of [1, 2]) addItem(writer, passages);
    const { expected, named } = ask(reader, [1, 2, 3, 4]);
    expect(named).toEqual(expected);
    expect(new Set(named.map(({ contentId }) => contentId)).size).toBe(3);
    close();
  });
});
