import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNearDuplicates, hasWordsOf, wordsOf } from '../../../src/domain/duplicates/near-duplicates.ts';
import { forAll } from '../../support/for-all.ts';

function shinglesOf(text: string): Set<string> {
  const words =
    text.toLowerCase().match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(' ')));
}

/** As it is meant: every pair compared, 80 % of all shingles shared, short ones word by word. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [shinglesOf(one), shinglesOf(other)];
  if (Math.min(a.size, b.size) < 12) return one.trim() === other.trim();
  const shared = [...a].filter((shingle) => b.has(shingle)).length;
  return shared >= 0.8 * (a.size + b.size - shared);
}

/** A text of many words, and edits of it: so many of its words are changed, left away at its end, or said again. */
const words = 'sun rain Bread café well known a the of to and 図 書館 don’t x 42 naïve hop'.split(' ');
const base = fc.array(fc.constantFrom(...words), { minLength: 6, maxLength: 60 });
const texts = fc
  .tuple(
    base,
    fc.array(
      fc.record({ at: fc.nat(59), word: fc.constantFrom(...words), cut: fc.nat(14), times: fc.constantFrom(1, 1, 3) }),
      { maxLength: 9 },
    ),
  )
  .map(([original, edits]) => [
    original.join(' '),
    ...edits.map(({ at, word, cut, times }) => {
      const edited = original.with(at % original.length, word).slice(0, 60 - cut);
      return Array.from({ length: times }, () => edited.join(', ')).join(' ');
    }),
  ]);

it('a passage is mapped to the first stored passage that it nearly repeats', () => {
  let same = 0;
  forAll(300, texts, (all) => {
    const find = createNearDuplicates<number>();
    const remembered: number[] = [];
    for (const [at, text] of all.entries()) {
      const expected = remembered.find((index) => isSame(all[index] ?? '', text)) ?? null;
      expect(find(text, at)).toBe(expected);
      if (expected === null) remembered.push(at);
      else same += 1;
    }
  });
  expect(same).toBeGreaterThan(100);
});

it('very short texts are compared letter by letter', () => {
  for (const text of ['Yes', '🎉', '→ 4', 'Well known', 'Well known bread']) {
    const find = createNearDuplicates<string>();
    expect(find(`Not ${text}`, 'other')).toBeNull();
    expect(find(text, 'first')).toBeNull();
    expect(find(`${text}\n`, 'second')).toBe('first');
  }
});

const sentence = 'Sun and rain, then snow and wind, then fog over the lake until the sun comes back in May.';
const thai = 'ฝนตกตอนเช้าและแดดออกตอนบ่ายที่ริมทะเลสาบ';
it.each([
  ['itself', sentence, sentence, true],
  ['itself in another case and punctuation', sentence, sentence.toUpperCase().replaceAll(',', ' –'), true],
  ['itself within a longer one', `Menu. ${sentence} Read next.`, sentence, true],
  ['one with an edited end', sentence, sentence.replace('back in May', 'out'), true],
  ['one of other words of the same lengths', sentence, sentence.replaceAll(/[aeiou]/g, 'y'), false],
  ['one with as many further words', sentence, `${sentence} ${sentence.replaceAll(/[aeiou]/g, 'y')}`, false],
  ['a text without spaces, edited in one place', thai, thai.replace('แดดออก', 'ลมแรง'), true],
  ['few words', 'Sun and rain', ' Sun and rain\n', true],
  ['few words and one more', 'Sun and rain today', 'Sun and rain', false],
  ['nothing', '', '', true],
  ['nothing, while it says something', sentence, '', false],
])('a text has the words of %s', (_, text, asked, isThere) => {
  expect(hasWordsOf(wordsOf(text), wordsOf(asked))).toBe(isThere);
});
