import { expect, it } from 'vitest';
import { inlineText } from '../../src/domain/text/inline-text.ts';
import { readInline } from '../../web/reading/inline.ts';

it.each([
  String.raw`The sum $\{a_1, *b*, c\}$ is *small*, and $$x * y * z_{1}$$ is not.`,
  'It costs $5 or *about* $10 a day.',
])('shows the text that a search finds, formulas as they are written: %s', (markdown) => {
  const shown = readInline(markdown)
    .map(({ text }) => text)
    .join('');
  expect(shown).toBe(inlineText(markdown));
});
