import { expect, test } from 'vitest';
import { factsOfFound, nameOf } from '../../web/library/item-facts.ts';

test('a result without a site is shown with its kind alone', () => {
  expect(factsOfFound({ contentType: 'article', url: 'https://www.example.com/a' })).toEqual([
    'Article',
    'example.com',
  ]);
  expect(factsOfFound({ contentType: 'article', url: 'file:///home/ada/essay.html' })).toEqual(['Article']);
  expect(factsOfFound({ contentType: 'text', url: null })).toEqual(['Note']);
});

test('what has no title is called by its site', () => {
  expect(nameOf('Bees', 'https://youtu.be/abc?t=1')).toBe('Bees');
  expect(nameOf(null, 'https://youtu.be/abc?t=1')).toBe('youtu.be');
  expect(nameOf(null, 'file:///home/ada/essay.html')).toBe('Untitled');
  expect(nameOf(null, null)).toBe('Untitled');
});
