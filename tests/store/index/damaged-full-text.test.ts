import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { fullTextOf } from '../../../src/store/sqlite/index/words/full-text.ts';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
mkdirSync(folder.path);
afterAll(() => folder.remove());
let made = 0;
let path = '';

const open = () => SqliteFile.open({ path, schema: accountSchema, readOnly: false });
const fill = (ids: readonly number[]) => {
  const file = open();
  file.write(() => {
    for (const id of ids)
      file.run('INSERT INTO passage_words (rowid, title, text) VALUES (?, ?, ?)', id, 'a', 'common');
  });
  file.close();
};
const damage = (sql: string, ...parameters: unknown[]) => {
  const db = openRaw(path).unsafeMode();
  db.prepare(sql).run(...parameters);
  db.close();
};
const search = () => {
  const file = open();
  try {
    return file.read(() => [...fullTextOf(file).find({ text: 'common', isPrefix: false }).ids]);
  } finally {
    file.close();
  }
};

beforeEach(() => {
  made += 1;
  path = join(folder.path, `${made}.db`);
});

describe('a damaged index', () => {
  it('reports in our own words that its records are missing', () => {
    fill([1]);
    expect(search()).toEqual([1]);
    damage('UPDATE passage_words_data SET block = NULL WHERE id > 10');
    expect(search).toThrow(AppError);
  });
});
