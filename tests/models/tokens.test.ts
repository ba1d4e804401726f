import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkWordPieceFile, createWordPiece, loadWordPiece } from '../../src/models/embedding/tokenizers/wordpiece.ts';
import { runs } from '../support/vitest/thorough.ts';
import { forAll } from '../support/for-all.ts';

const wordPiece = await loadWordPiece();
const file = new URL('../../assets/all-MiniLM-L6-v2/tokenizer.json', import.meta.url);
const reference = new Tokenizer(JSON.parse(readFileSync(file, 'utf8')), {});

const cls = 101;
const sep = 102;

interface Tokens {
  count: number;
  ids: number[];
}

function ours(text: string): Tokens {
  return { count: wordPiece.countTokens(text), ids: wordPiece.encode(text, Infinity) };
}

function theirs(text: string): Tokens {
  const { ids } = reference.encode(text, { add_special_tokens: false });
  return { count: ids.length, ids: [cls, ...ids, sep] };
}

const awkward = fc.constantFrom(
  ' ',
  '\n',
  '\t',
  '\r',
  '\v',
  '\f',
  '\u0000',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u200d',
  '\u2028',
  '\u3000',
  '\ufeff',
  '\ufffd',
  '\ud83d',
  '\ude00',
  '[SEP]',
  '[CLS]',
  '[MASK]',
  '[unk]',
  '##ing',
  '[',
  ']',
  "don't",
  'İstanbul',
  'ΟΔΥΣΣΕΥΣ',
  'Σ',
  'ß',
  'ﬁnance',
  'café',
  'cafe\u0301',
  'naïveté',
  'Ω',
  '漢字',
  'ひらがな',
  'カタカナ',
  '한국어',
  '\u{20000}',
  '豈',
  'हिन्दी',
  'ไทย',
  'עִבְרִית',
  'العربية',
  '👩‍👩‍👧',
  '🇨🇭',
  '½',
  '…',
  '—',
  '$',
  '¿',
  '℃',
  'constructor',
  '__proto__',
  'a'.repeat(100),
  'b'.repeat(101),
  '𝒳'.repeat(100),
);

describe('the tokenizer agrees with @huggingface/tokenizers', () => {
  test.each([
    ['nothing', ''],
    ['a sentence', 'Retrieval-augmented generation isn’t unaffable, is it?'],
    ['code', 'for (const x of xs) { await fetch(`https://example.com/a_b?c=${x}#d`) } // TODO'],
    ['a hundred letters, and one more', `${'q'.repeat(100)} ${'q'.repeat(101)}`],
    ['the names of special tokens', 'a[SEP]b [MASK][MASK] [sep] [S EP] [[CLS]]'],
  ])('%s', (_, text) => expect(ours(text)).toEqual(theirs(text)));

  test('any mixture of scripts, controls, emoji and special names', () => {
    const text = fc.array(fc.oneof(awkward, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), {
      maxLength: 30,
    });
    forAll(runs(2_000), text, (parts) => {
      expect(ours(parts.join(''))).toEqual(theirs(parts.join('')));
    });
  });

  test('words of any length over the letters of the vocabulary', () => {
    const word = fc.string({ unit: fc.constantFrom(...'aeinorst1é漢-'), maxLength: 130 });
    forAll(runs(500), fc.array(word, { maxLength: 8 }), (words) => {
      expect(ours(words.join(' '))).toEqual(theirs(words.join(' ')));
    });
  });
});

test('truncation keeps the first tokens and ends with [SEP]', () => {
  const text = 'unaffable '.repeat(300);
  const all = wordPiece.encode(text, Infinity);
  const cut = wordPiece.encode(text, 256);
  expect(cut).toHaveLength(256);
  expect(cut).toEqual([...all.slice(0, 255), sep]);
});

test('slices of a text have as many tokens as the same texts alone', () => {
  const texts = fc
    .array(fc.oneof(awkward, fc.lorem(), fc.string(), fc.constantFrom(' ', 'U.S.A.', "don't", '[SEP]', 'x[MASK]y')))
    .map((parts) => parts.join(''));
  forAll(runs(1_000), texts, fc.nat(), fc.nat(), (text, one, other) => {
    const [start = 0, end = 0] = [one % (text.length + 1), other % (text.length + 1)].toSorted((a, b) => a - b);
    const countSlice = wordPiece.countSlicesOf(text);
    expect(countSlice(start, end)).toBe(wordPiece.countTokens(text.slice(start, end)));
    expect(countSlice(0, text.length)).toBe(wordPiece.countTokens(text));
  });
});

test('a text has as many tokens as its words', () => {
  const words = fc.array(fc.oneof(awkward, fc.lorem()), { maxLength: 40 });
  forAll(words, (parts) => {
    const sum = parts.reduce((count, part) => count + wordPiece.countTokens(part), 0);
    expect(wordPiece.countTokens(parts.join('\n'))).toBe(sum);
  });
});

test.each([
  [['[CLS]', '[SEP]'], 'vocab is not what a model has there'],
  [[1, 2], 'vocab is not what a model has there'],
  [null, 'vocab is not what a model has there'],
  [{ cat: 1, dog: '2' }, 'tokenizer.json gives the piece dog no id'],
  [{ cat: 1.5 }, 'tokenizer.json gives the piece cat no id'],
])('the vocabulary %j is refused', (vocab, message) => {
  const json = JSON.parse(readFileSync(file, 'utf8')) as { model: object };
  const broken = { ...json, model: { ...json.model, vocab } };
  expect(() => createWordPiece(checkWordPieceFile(broken)).encode('cat dog', 9)).toThrow(message);
});
