import { afterEach, beforeEach, expect, it } from 'vitest';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

let folder: ReturnType<typeof temporaryFolder>;
const schema = { sql: 'CREATE TABLE numbers (value INTEGER) STRICT;', migrations: [] };
const open = (readOnly = false) => SqliteFile.open({ path: join(folder.path, 'a.db'), schema, readOnly });

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(folder.path);
});
afterEach(() => folder.remove());

it('a count is repeated only after a write', () => {
  const [file, other] = [open(), open()];
  const reader = open(true);
  let counted = 0;
  const sum = (asked: SqliteFile) =>
    asked.remember('sum', () => {
      counted += 1;
      return asked.get<{ sum: number }>('SELECT coalesce(sum(value), 0) AS sum FROM numbers')?.sum;
    });
  const add = (by: SqliteFile, value: number) => by.write(() => by.run('INSERT INTO numbers VALUES (?)', value));

  expect([sum(file), sum(file), counted]).toEqual([0, 0, 1]);
  add(file, 1);
  expect([sum(file), sum(reader), counted]).toEqual([1, 1, 3]);
  add(other, 2);
  expect([sum(file), sum(file), sum(reader), sum(reader), counted]).toEqual([3, 3, 3, 3, 5]);
  expect(file.remember('other', () => 'another')).toBe('another');
  expect([sum(file), counted]).toEqual([3, 5]);
  expect(() =>
    file.write(() => {
      add(file, 4);
      throw new Error('given up');
    }),
  ).toThrow('given up');
  expect(sum(file)).toBe(3);
  expect(() =>
    file.write(() => {
      file.run('INSERT INTO numbers VALUES (8)');
      expect(sum(file)).toBe(11);
      throw new Error('given up');
    }),
  ).toThrow('given up');
  expect(sum(file)).toBe(3);
  for (const one of [file, other, reader]) one.close();
});
