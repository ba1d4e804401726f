import { expect, test } from 'vitest';
import { factsOf, nameOf } from '../../../web/items/item-facts.ts';

test('what stands first is what a narrow row has room for, and a file has no site', () => {
  const item = {
    siteName: null,
    author: null,
    publishedAt: '2025-03-01T00:00:00.000Z',
    createdAt: '2026-11-02T00:00:00.000Z',
    wordCount: 460,
  };
  const facts = { ...item, contentType: 'article', url: 'https://www.example.com/a' } as const;
  expect(factsOf(facts)).toEqual(['Article', 'saved 2 Nov 2026', 'example.com', '2 min read']);
  expect(factsOf({ ...facts, url: 'file:///home/ada/essay.html' }, true)).toEqual([
    'Article',
    'published 1 Mar 2025',
    '2 min read',
  ]);
});

test('an item without a title is named by its site', () => {
  expect(nameOf('Bees', 'https://youtu.be/abc?t=1')).toBe('Bees');
  expect(nameOf(null, 'https://youtu.be/abc?t=1')).toBe('youtu.be');
  expect(nameOf(null, 'file:///home/ada/essay.html')).toBe('Untitled');
  expect(nameOf(null, null)).toBe('Untitled');
});
