import { expect, test } from 'vitest';
import { factsOfFound } from '../../web/library/item-facts.ts';

test('a result without a site is shown with its kind alone', () => {
  expect(factsOfFound({ contentType: 'article', url: 'https://www.example.com/a' })).toEqual([
    'Article',
    'example.com',
  ]);
  expect(factsOfFound({ contentType: 'article', url: 'file:///home/ada/essay.html' })).toEqual(['Article']);
  expect(factsOfFound({ contentType: 'text', url: null })).toEqual(['Note']);
});
