import { expect, it } from 'vitest';
import { isListOfPlaces } from '../../src/search/passage-checks.ts';

const link = (name: string) => `[${name}](https://example.com/${name.length})`;

it.each([
  ['links alone', ['One', 'Two things', 'Three', 'Four'].map((name) => `- ${link(name)}`).join('\n'), true],
  ['links with their numbers', ['One', 'Two', 'Three', 'Four'].map((name) => `1. ${link(name)}`).join('\n'), false],
  [
    'long links with their numbers',
    ['First part', 'Second part', 'Third part', 'Fourth part'].map((name) => `1. ${link(name)}`).join('\n'),
    true,
  ],
  ['three links', ['One', 'Two', 'Three'].map(link).join('\n'), false],
  [
    'prose with links',
    `Sleep is said to be ${link('good')}, ${link('deep')}, ${link('long')} or ${link('short')}, and more.`,
    false,
  ],
  ['contents', 'Preface ........ 3\nSleep ........ 7\nLight . . . . . 12\nFood ......... 40', true],
  ['a sentence that trails off', 'And then .... 3\nHe left.', false],
  ['nothing', '', false],
])('%s', (_, text, isList) => {
  expect(isListOfPlaces(text)).toBe(isList);
});
