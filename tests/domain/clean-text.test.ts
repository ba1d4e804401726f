import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanLine } from '../../src/domain/clean-text.ts';
import { tag } from '../../src/domain/content.ts';

it.each([
  ['  two\n words\u0000 ', 'two words'],
  ['\u202e\u200bright\u2069 ', 'right'],
  ['turned\u202e round', 'turned round'],
  ['\u200b \u202e', ''],
  ['\u200d\ufe0f', ''],
  ['❤\ufe0f', '❤\ufe0f'],
  ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['ه\u200d', 'ه\u200d'],
])('makes %j one visible line', (text, line) => {
  expect(cleanLine(text)).toBe(line);
});

it('refuses a tag that nobody could see', () => {
  expect(tag.safeParse('\u202e\u200b').success).toBe(false);
  expect(tag.parse('\u200bsleep\u200e')).toBe('sleep');
});

it('is the same when it is cleaned again', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '\u200b', '\u200d', '\u202e', '\u2066', '\ufe0f', '\n', '\u0001') }),
      (text) => {
        const line = cleanLine(text);
        expect(cleanLine(line)).toBe(line);
        expect(line).toMatch(/^(?![\s\u200b\u2066]).*(?<![\s\u200b\u2066])$/u);
      },
    ),
  );
});
