import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFile } from '../../../src/store/sqlite/checking/check-file.ts';
import { damageOften, liveRecords, makeLibrary } from './damages.ts';
import { randomOf } from './random.ts';

/* A small part of `npm run damages`. */

const scratch = mkdtempSync(join(tmpdir(), 'commonplace-damages-'));
const folder = join(scratch, 'library');
beforeAll(() => makeLibrary(folder, 12, randomOf(1)));
afterAll(() => rmSync(scratch, { recursive: true }));

test('nothing is found in an intact library with highlights, changed titles and deleted items', () => {
  expect(checkFile(join(folder, 'accounts', 'local.db'), 'account')).toEqual([]);
  expect(checkFile(join(folder, 'control.db'), 'control')).toEqual([]);
});

test('changed bytes of records are detected, in any table', () => {
  const records = liveRecords(join(folder, 'accounts', 'local.db'));
  expect(records.filter(({ table }) => table === 'items')).toHaveLength(12);
  expect(records.some(({ pieces }) => pieces.length > 1)).toBe(true);
  const unnoticed = damageOften({ folder, scratch, times: 60, random: randomOf(2) });
  expect(unnoticed.length).toBeLessThanOrEqual(1);
});
