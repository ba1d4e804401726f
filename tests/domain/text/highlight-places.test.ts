import { expect, test } from 'vitest';
import { createHighlightFinder } from '../../../src/domain/text/highlight-places.ts';

const markdown = `# A heading

The **first** sentence links to [a page about bread](https://example.com/bread_(food)) and says
more — with “quotes”, too.

> A quotation of _several_ words,
> over two lines.

Cat, category, cat.`;

function found(quote: string): string | null {
  const span = createHighlightFinder(markdown)(quote);
  return span === null ? null : markdown.slice(span.start, span.end);
}

test.each([
  ['as it stands', 'says\nmore — with', 'says\nmore — with'],
  ['with other spaces and marks', 'and says more - with "quotes", too', 'and says\nmore — with “quotes”, too'],
  [
    'without the addresses and marks of Markdown',
    'The first sentence links to a page about bread and says more',
    'first** sentence links to [a page about bread](https://example.com/bread_(food)) and says\nmore',
  ],
  ['over the marks of a quotation', 'of several words, over two lines', 'of _several_ words,\n> over two lines'],
  ['a word, not a part of another one', 'cat', 'cat'],
  ['a part of a word, when it is long', 'sentence links to [a pag', 'sentence links to [a pag'],
])('a highlight is found %s', (_, quote, slice) => {
  const span = found(quote);
  expect(span?.endsWith(slice)).toBe(true);
});

test('a single word does not match within a longer one, and two words are too few to ignore marks', () => {
  expect(createHighlightFinder(markdown)('cat')?.start).toBe(markdown.lastIndexOf('cat.'));
  expect(createHighlightFinder('one **two** three')('one two')).toBeNull();
  expect(found('bre')).toBeNull();
});

test('different words are not found, however similar', () => {
  for (const quote of ['The first sentence links to a page about cheese', 'sentence first the', '', ' \n ', '**'])
    expect(found(quote)).toBe(quote === '**' ? '**' : null);
});
