import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../../support/store/raw-database.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { fullTextOf } from '../../../src/store/sqlite/index/words/full-text.ts';
import { accountSchema } from '../../../src/store/sqlite/schema.ts';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { levelsOf } from '../../../src/store/sqlite/index/words/index-merge.ts';
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
  it('has no segments to merge where its structure names more levels or segments than exist', () => {
    fill([1]);
    const huge = Buffer.alloc(9, 0xff);
    const many = [
      [huge, Buffer.from([1, 0, 0])],
      [Buffer.from([1, 1, 0, 0]), huge],
      [Buffer.from([1, 1, 0, 0]), Buffer.from([0x81, 0x80, 0x80, 0x80, 0])],
    ];
    for (const numbers of many) {
      const record = Buffer.concat([Buffer.from('00000000ff000001', 'hex'), ...numbers]);
      damage('UPDATE passage_words_data SET block = ? WHERE id = 10', record);
      const file = open();
      expect(levelsOf(file, 'passage_words')).toEqual([]);
      file.close();
    }
  });

  it('reports in our own words that its records are missing', () => {
    fill([1]);
    expect(search()).toEqual([1]);
    damage('UPDATE passage_words_data SET block = NULL WHERE id > 10');
    expect(search).toThrow(AppError);
  });
});
