import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRaw } from '../support/raw-database.ts';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { fullTextOf } from '../../src/store/sqlite/index/full-text/full-text.ts';
import { UnsupportedIndexFormat } from '../../src/store/sqlite/index/full-text/unsupported-index-format.ts';
import { accountSchema } from '../../src/store/sqlite/schema.ts';
import { SqliteFile } from '../../src/store/sqlite/files/sqlite-file.ts';
import { levelsOf } from '../../src/store/sqlite/index/words/index-merge.ts';
import { temporaryFolder } from './temporary-folder.ts';

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
/** What the index read directly says; null: FTS5 has to be asked. */
const ask = (): number | null => {
  const file = open();
  try {
    return file.read(() => {
      const index = fullTextOf(file);
      if (index === null) return null;
      const found = index.find({ text: 'common', isPrefix: false });
      return index.rank([found], [], { limit: 9, isLeftOut: () => false }).length;
    });
  } catch (error) {
    if (error instanceof UnsupportedIndexFormat) return null;
    throw error;
  } finally {
    file.close();
  }
};

beforeEach(() => {
  made += 1;
  path = join(folder.path, `${made}.db`);
});

describe('an index that cannot be read directly', () => {
  it('is left to FTS5 where ids are so far apart that numbers cannot be kept by them', () => {
    fill([1, 2 ** 32 - 1]);
    expect(ask()).toBeNull();
    fill([2, 2 ** 40]);
    expect(ask()).toBeNull();
  });

  it('is left to FTS5 at once where its structure names more levels or segments than it has', () => {
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
      expect(ask()).toBeNull();
      const file = open();
      expect(levelsOf(file, 'passage_words')).toEqual([]);
      file.close();
    }
  });

  it('is left to FTS5 where a record is none, which says so in our words', () => {
    fill([1]);
    expect(ask()).toBe(1);
    damage('UPDATE passage_words_data SET block = NULL WHERE id > 10');
    expect(ask()).toBeNull();
    damage('UPDATE passage_words_data SET block = NULL WHERE id = 1');
    expect(ask()).toBeNull();
    const file = open();
    const search = () => file.all(`SELECT rowid FROM passage_words WHERE passage_words MATCH 'common'`);
    expect(search).toThrow(AppError);
    file.close();
  });
});
