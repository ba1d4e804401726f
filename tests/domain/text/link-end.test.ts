// Second stage, alone.
import { expect, it } from 'vitest';
import { linkEnd } from '../../../src/domain/text/link-end.ts';
import { inlineText } from '../../../src/domain/text/inline-text.ts';
import { growthOf, maxGrowth } from '../../support/texts/growth.ts';

it.each([
  '](x)',
  '](<x y>)',
  '](<x>y)',
  '](a_(b)_c)',
  String.raw`](a\)b)`,
  '](x "a title")',
  `](x 'it "is"')`,
  '](x (a title))',
  '](  "a title")',
  '](\nx\n)',
  '](x "two\nlines" )',
  ']()',
  '][reference]',
])('%j is a link to its end', (link) => {
  expect(linkEnd(`${link})]`, 0)).toBe(link.length);
});

it.each([
  '] (x)',
  '](x',
  '](x y)',
  '](a(b(c)))',
  '](x "a title)',
  '](x(a title))',
  '](x "a" "b")',
  '](x (a (b)))',
  '](\\\n)',
  `](${' '.repeat(30)}x)`,
])('%j is not a link', (text) => {
  expect(linkEnd(text, 0)).toBeUndefined();
});

it.each(['[](', '[](a ', '[](<', '[](<a ', '[](a(b', '[](a(b)', '[](a "', `[](a '`, '[](a (', '[](\\(', '![](a "b'])(
  'links of %j take time in proportion to their number',
  (piece) => {
    const growth = growthOf((size) => `${piece.repeat(size)} !`, inlineText, 4_000);
    expect(growth).toBeLessThan(maxGrowth);
  },
);
