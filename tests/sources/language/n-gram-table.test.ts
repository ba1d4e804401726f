import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type NGramTable, openNGrams, packNGrams } from '../../../src/sources/language/n-gram-table.ts';

const file = join(import.meta.dirname, '../../../node_modules/eld/src/ngrams/extrasmall.js');
const { ngramsData } = (await import(pathToFileURL(file).href)) as { ngramsData: { ngrams: NGramTable } };

test('the packed table of the language detector has all numbers of its source', () => {
  const packed = openNGrams(packNGrams(ngramsData.ngrams));
  const keys = Object.keys(ngramsData.ngrams);
  expect(keys.length).toBeGreaterThan(40_000);
  const wrong = keys.filter((key) => JSON.stringify(packed[key]) !== JSON.stringify(ngramsData.ngrams[key]));
  expect(wrong).toEqual([]);
});

test('an n-gram outside the table has no numbers, whatever its beginning', () => {
  const packed = openNGrams(packNGrams({ ab: { 1: 200 }, abcd: { 2: 90, 59: 64 }, ' é': { 0: 255 } }));
  expect(packed['abcd']).toEqual({ 2: 90, 59: 64 });
  expect(packed[' é']).toEqual({ 0: 255 });
  for (const key of ['', 'a', 'abc', 'abcde', 'zz', '\0', '__proto__', 'toString'])
    expect(packed[key], key).toBeUndefined();
});
