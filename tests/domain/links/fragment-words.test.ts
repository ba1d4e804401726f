import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { closingWords, wordsIn } from '../../../src/domain/links/fragment-words.ts';
import { runs } from '../../support/vitest/thorough.ts';
import { forAll } from '../../support/for-all.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const byIcu = (text: string) =>
  [...segmenter.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ start: index, end: index + segment.length }));
const places = (text: string, from?: number, to?: number) =>
  wordsIn(text, from, to).map(({ start, end }) => ({ start, end }));

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(' ', 'word', 'Über', 'naïve', '42', 'x') },
  fc.constantFrom("don't", 'a.b', '3,5', 'snake_case', '_x_', 'e\u0301', '\u0301', '\u200d', '’', '\n', '\t', '  '),
  fc.constantFrom(
    '-',
    '—',
    '“x”',
    '„',
    'a-b',
    '(a/b)',
    'l’été',
    '’',
    "'",
    ':',
    ';',
    ',',
    '.',
    '#',
    '@',
    '%',
    '$',
    '5',
    '&',
  ),
  fc.constantFrom('図書館', 'สวัสดี', '한국어', 'שלום', 'ﬁn', 'ª', 'µ', '🦊', '👩‍👧', '\u00a0', '\u00ad', '٣', 'ǀ', 'ƻ'),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.string({ unit: 'binary-ascii', maxLength: 3 }),
);
const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

it('words are the ones that ICU finds, whatever surrounds them', () => {
  forAll(runs(4_000), text, (whole) => {
    expect(places(whole)).toEqual(byIcu(whole));
  });
});

it('words of a part have their offsets in the whole', () => {
  forAll(text, fc.nat(30), fc.nat(30), (whole, from, length) => {
    const part = whole.slice(from, from + length);
    expect(places(whole, from, from + length)).toEqual(
      byIcu(part).map(({ start, end }) => ({ start: start + from, end: end + from })),
    );
  });
});

it('the last words of a long line are the ones before the place, however far away the next space is', () => {
  for (const unit of ['図書館で本を読む。', '在图书馆看书，', 'อ่านหนังสือที่ห้องสมุด']) {
    const line = unit.repeat(80);
    const whole = `${line} AI ${line}`;
    for (const to of [line.length - 1, line.length, whole.length]) {
      for (const enough of [3, undefined]) {
        const words = closingWords(whole, 0, to, enough);
        expect(words.length).toBeGreaterThan(3);
        expect(words[0]!.start).toBeGreaterThanOrEqual(to - 400);
        const expected = byIcu(whole.slice(0, to)).slice(-3);
        expect(words.slice(-3).map(({ start, end }) => ({ start, end }))).toEqual(expected);
      }
    }
  }
  expect(closingWords('x'.repeat(1_000), 0, 900, 3)).toEqual([]);
});
