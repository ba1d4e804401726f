import { expect, test } from 'vitest';
import { lenientInput } from '../../src/mcp/lenient-input.ts';
import { search } from '../../src/operations/search.ts';
import { updateContents } from '../../src/operations/content/change-content.ts';
import { growthOf, maxGrowth } from '../support/texts/growth.ts';

/* A message of a megabyte is read on the main thread, so the time must be in proportion to its length. */

const hostile: [what: string, make: (size: number) => object][] = [
  ['brackets in a text', (size) => ({ ids: '['.repeat(size), addTags: '{"a":'.repeat(size / 5) })],
  ['quotes in a text', (size) => ({ ids: `["${'\\"'.repeat(size / 2)}`, addTags: `'${'"'.repeat(size)}'` })],
  ['commas in a text', (size) => ({ ids: ','.repeat(size), addTags: '0,'.repeat(size / 2) })],
  ['ids in a text', (size) => ({ ids: ['c_aaaaaaaaaaaaaaaa '.repeat(size / 19)], addTags: ['c_'.repeat(size / 2)] })],
  ['lists in a list', (size) => ({ titles: Array.from({ length: size / 4 }, () => '[,]') })],
  ['blanks', (size) => ({ notes: ' '.repeat(size), addTags: ['\u200b'.repeat(size)], titles: '\n'.repeat(size) })],
  ['digits', (size) => ({ ids: '1'.repeat(size), clear: ' '.repeat(size / 2) + '-'.repeat(size / 2) })],
  [
    'names that do not exist',
    (size) => Object.fromEntries(Array.from({ length: size / 12 }, (_, at) => [`name${at}`, '{}'])),
  ],
];

test.each(hostile)('%s take time in proportion to their number', (_, make) => {
  for (const operation of [updateContents, search])
    expect(growthOf(make, (input) => lenientInput(operation, input), 6_000)).toBeLessThan(maxGrowth);
});

test('JSON in a text is read up to the depth and length of a call', () => {
  const titles = JSON.stringify([{ id: 'c_aaaaaaaaaaaaaaaa', title: 'Own' }]);
  const read = (text: unknown) => (lenientInput(updateContents, { titles: text }) as { titles?: unknown }).titles;
  expect(read(titles)).toEqual([{ id: 'c_aaaaaaaaaaaaaaaa', title: 'Own' }]);
  expect(read(JSON.stringify(titles))).toEqual([{ id: 'c_aaaaaaaaaaaaaaaa', title: 'Own' }]);
  const twice = JSON.stringify(JSON.stringify(titles));
  expect(read(twice)).toEqual([twice]);
  const long = JSON.stringify([{ id: 'c_aaaaaaaaaaaaaaaa', title: 'a'.repeat(100_000) }]);
  expect(read(long)).toEqual([long]);
  const deep = `${'['.repeat(600)}"a"${']'.repeat(600)}`;
  expect(read(deep)).toEqual([deep]);
});
