import { expect, it } from 'vitest';
import { inlineText } from '../../../src/domain/text/inline-text.ts';
import { plain, readInline } from '../../../web/reading/inline.ts';

it.each([
  String.raw`The sum $\{a_1, *b*, c\}$ is *small*, and $$x * y * z_{1}$$ is not.`,
  'It costs $5 or *about* $10 a day.',
])('shows the searchable text, with formulas as written: %s', (markdown) => {
  const shown = readInline(markdown)
    .map(({ text }) => text)
    .join('');
  expect(shown).toBe(inlineText(markdown));
});

it('shows the number of a footnote in place and before the note, and not as a word of the text', () => {
  const numbers = (markdown: string) =>
    readInline(markdown).map(({ text, styles, start, end }) => (styles.has('sup') ? [text, start, end] : text));
  expect(numbers('As said.[^1] Or not.')).toEqual(['As said.', ['1', 8, 12], ' Or not.']);
  expect(numbers('[^1]: See [^2]: there.')).toEqual([['1', 0, 5], ' See ', ['2', 10, 14], ': there.']);
  expect([plain('As said.[^1] Or not.'), plain('[^1]: See there.')]).toEqual(['As said. Or not.', 'See there.']);
});

it('an address within a link leads to what it says', () => {
  const links = readInline('[see <https://a.example/> and [b](y) too](z)').map(({ text, href }) => [text, href]);
  expect(links).toEqual([
    ['see ', 'z'],
    ['https://a.example/', 'https://a.example/'],
    [' and ', 'z'],
    ['b', 'y'],
    [' too', 'z'],
  ]);
});

it('keeps the link around a picture', () => {
  const [picture, after] = readInline('[![The pier](/p.png) big](/page)');
  expect(picture).toMatchObject({ text: 'The pier', image: '/p.png', href: '/page' });
  expect(after).toMatchObject({ text: ' big', href: '/page' });
  expect(readInline('![The pier](/p.png)')[0]).not.toHaveProperty('href');
});
