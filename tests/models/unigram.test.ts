import { Tokenizer } from '@huggingface/tokenizers';
import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createUnigram, unigramFile } from '../../src/models/embedding/tokenizers/unigram.ts';
import { forAll } from '../support/for-all.ts';

const pieces: [string, number][] = [
  ['<s>', 0],
  ['<pad>', 0],
  ['</s>', 0],
  ['<unk>', 0],
  ['▁', -3.1],
  ['▁the', -4.2],
  ['the', -6.7],
  ['▁cat', -8.3],
  ['cat', -9.1],
  ['s', -3.9],
  ['▁c', -7.4],
  ['at', -6.1],
  ['a', -5.2],
  ['t', -5.5],
  ['c', -6.3],
  ['h', -6.9],
  ['e', -5.1],
  ['fi', -8.8],
  ['f', -7.7],
  ['i', -5.9],
  ['图书馆', -10.4],
  ['图', -11.2],
  ['书', -11.3],
  ['〜', -11.9],
  ['～', -12.3],
  ['😀', -12.5],
];
const tokenizerJson = {
  added_tokens: [0, 1, 2, 3].map((id) => ({
    id,
    content: pieces[id]![0],
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: { type: 'Precompiled', precompiled_charsmap: '' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', replacement: '▁', add_prefix_space: true }],
  },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '<s>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '</s>', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] },
      '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] },
    },
  },
  decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true },
  model: { type: 'Unigram', unk_id: 3, vocab: pieces },
};
const ours = createUnigram(unigramFile.parse(tokenizerJson));
const theirs = new Tokenizer(tokenizerJson, {});

const expected = (text: string): number[] => Array.from(theirs.encode(text).ids, Number);

it.each([
  '',
  'the cats',
  'thecat the',
  '  cat\tthe\n',
  'ﬁ',
  'ｔｈｅ　cat',
  '图书馆的书',
  'zzz cat zz',
  'a～b 😀😁',
  '\u200bcat',
])('splits %j like the reference implementation', (text) => expect(ours.encode(text, 512)).toEqual(expected(text)));

it('splits any text like the reference implementation', () => {
  const piece = fc.constantFrom(
    ...pieces.slice(4).map(([text]) => text.replace('▁', ' ')),
    'z',
    'ß',
    'é',
    'ﬁ',
    '\t',
    '𝒜',
  );
  forAll(fc.array(piece, { maxLength: 30 }), (parts) => {
    const text = parts.join('');
    expect(ours.encode(text, 512)).toEqual(expected(text));
  });
});

it('splits a long word between characters', () => {
  for (const length of [1_023, 1_024, 1_025]) {
    const ids = ours.encode('a'.repeat(length) + '😀'.repeat(600), 4_000);
    expect(ids.filter((id) => id === 25)).toHaveLength(600);
    expect(ids).not.toContain(3);
  }
});

it('keeps at most the given number of tokens, the last of which is the end token', () => {
  const ids = ours.encode('the cat '.repeat(1_000), 10);
  expect(ids).toHaveLength(10);
  expect([ids[0], ids.at(-1)]).toEqual([0, 2]);
  expect(ours.encode('图'.repeat(100_000), 512)).toHaveLength(512);
});

it('splits texts in many languages as multilingual-e5-small was trained', () => {
  // The part of the published vocabulary that these texts need, and what sentencepiece makes of them:
  // scripts/check-e5/README.md.
  const path = new URL('../fixtures/e5/pieces.json', import.meta.url);
  const published: { pieces: [number, string, number][]; texts: [string, number[]][] } = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  const idOf = new Map(published.pieces.map(([id, piece]) => [piece, id]));
  const tokenizer = createUnigram({
    added_tokens: ['<s>', '<pad>', '</s>', '<unk>', '<mask>'].map((content) => ({
      content,
      id: published.pieces.findIndex(([, piece]) => piece === content),
    })),
    model: { type: 'Unigram', unk_id: 3, vocab: published.pieces.map(([, piece, score]) => [piece, score]) },
  });
  const publishedIds = (text: string) => tokenizer.encode(text, 512).map((at) => published.pieces[at]?.[0]);
  expect(published.texts).toHaveLength(34);
  for (const [text, ids] of published.texts) expect([text, publishedIds(text)]).toEqual([text, ids]);
  // "query", ":" and "passage", ":" of the two prefixes, as the published tokenizer has them.
  expect(['▁que', 'ry', ':', '▁passage'].map((piece) => idOf.get(piece))).toEqual([41, 1294, 12, 46692]);
});

it('keeps control characters that the vocabulary has, and drops the others', () => {
  const vocab: [string, number][] = [...pieces, ['\u0080', -7]];
  const tokenizer = createUnigram(unigramFile.parse({ ...tokenizerJson, model: { ...tokenizerJson.model, vocab } }));
  expect(tokenizer.encode('a\u0080\u0007\u007ft', 512)).toEqual([0, 4, 12, pieces.length, 13, 2]);
});

it('reads the names of special tokens in a text as text', () => {
  expect(ours.encode('a</s>t <mask><s>', 512).filter((id) => id === 2)).toHaveLength(1);
  expect(ours.encode('<s>', 512)).toEqual([0, 4, 3, 9, 3, 2]);
});
