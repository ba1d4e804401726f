import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanLine, cleanText, maskStrings, maskText } from '../../../src/domain/text/clean-text.ts';
import { tag } from '../../../src/domain/records/content.ts';
import { forAll } from '../../support/for-all.ts';

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
  ['क्\u200dष', 'क्\u200dष'],
  ['🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 👩🏽\u200d🔬', '🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 👩🏽\u200d🔬'],
  ['soft\u00adly, zero\u200b\u200d\u200cwidth, word\u2060joiner\ufeff', 'softly, zerowidth, wordjoiner'],
  ['tags\u{e0049}\u{e0067}\u{e007f} are gone', 'tags are gone'],
  ['a\ufe0f1\ufe0fb\ufe00\u{e0101}', 'a1b'],
  ['❤\ufe0f\ufe0f\ufe0e', '❤\ufe0f'],
  ['fill\u3164\u115f\uffa0er \ufff9an\ufffano\ufffbte', 'filler annote'],
  ['\u001b[31mred\u009b0m \u001b]8;;https://evil.example\u0007link', '[31mred0m ]8;;https://evil.examplelink'],
  ['one\u2028two\u2029three\u0085four\ffive', 'one two three four five'],
  ['half \ud83d a pair', 'half \ufffd a pair'],
  ['שלום \u200fעולם', 'שלום עולם'],
])('turns %j into one visible line', (text, line) => {
  expect(cleanLine(text)).toBe(line);
});

it('refuses an invisible tag', () => {
  expect(tag.safeParse('\u202e\u200b').success).toBe(false);
  expect(tag.parse('\u200bsleep\u200e')).toBe('sleep');
});

/** What is needed stands beside what is not: letters, emoji, joiners, selectors and controls in every order. */
const hostileUnit = fc.constantFrom(
  ...Array.from(
    'aमक❤🏽7漢 \n\r\u0001\u001b\u0085\u009b\u00ad\u200b\u200c\u200d\u200e\u202e\u2028\u2066\ufe0f\ufe00\u3164\ufeff\ufffa\u{e0041}',
  ),
  '\ud83d',
);
/** Written apart from the code: what must never reach a reader, whatever stands around it. */
const never =
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what must not come
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Cs}|[\u200c\u200d]{2}|[\u{fe00}-\u{fe0d}]/u;

it('removes terminal control characters and invisible text, and masks them without changing the length', () => {
  forAll(fc.string({ unit: hostileUnit }), (text) => {
    const clean = cleanText(text);
    expect(clean).not.toMatch(never);
    expect(cleanText(clean)).toBe(clean);
    const masked = maskText(text);
    expect(masked).not.toMatch(never);
    expect(masked).toHaveLength(text.length);
    expect(maskText(clean)).toBe(clean);
  });
});

it('masks all strings of an answer and leaves the rest unchanged', () => {
  const answer = { items: [{ id: 'c_1', tags: ['a\u202eb'], count: 2, none: null }] };
  expect(maskStrings(answer)).toEqual({ items: [{ id: 'c_1', tags: ['a b'], count: 2, none: null }] });
  const clean = { items: [{ id: 'c_1', tags: ['weiß', '👨\u200d👩\u200d👧'] }] };
  expect(maskStrings(clean)).toBe(clean);
});

it('keeps a soft hyphen within a word when lengths must not change', () => {
  expect(maskText('Donau\u00addampf\u00ad\u00adschiff')).toBe('Donau\u00addampf  schiff');
});

it('is idempotent', () => {
  forAll(fc.string({ unit: hostileUnit }), (text) => {
    const line = cleanLine(text);
    expect(cleanLine(line)).toBe(line);
    expect(line).toMatch(/^(?![\s\u200b\u2066]).*(?<![\s\u200b\u2066])$/u);
  });
});
