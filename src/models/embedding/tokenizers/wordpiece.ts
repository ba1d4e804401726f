import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { CountTokens } from '../embedder.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The model's tokenizer: WordPiece over lower-cased, accent-stripped text (`BertTokenizer`, uncased). */
export interface WordPiece extends Tokenizer {
  /** Counts the tokens of `text` without special ones, in linear time (about 0.2 s for a megabyte). */
  countTokens: CountTokens;
}

export const wordPieceFile = z.object({
  added_tokens: z.array(z.object({ id: z.int(), content: z.string() })),
  model: z.object({
    type: z.literal('WordPiece'),
    unk_token: z.string(),
    continuing_subword_prefix: z.string(),
    max_input_chars_per_word: z.int(),
    // Its thirty thousand ids are checked while they are read: going through them once more takes as long as everything else here.
    vocab: z.custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    ),
  }),
});

/** Reads the tokenizer of the model in the package. */
export async function loadWordPiece(): Promise<WordPiece> {
  // `assets` is next to both `src` and `dist`.
  const path = new URL('../../../../assets/all-MiniLM-L6-v2/tokenizer.json', import.meta.url);
  return createWordPiece(wordPieceFile.parse(JSON.parse(await readFile(path, 'utf8'))));
}

// Whitespace as the model's normaliser defines it: \v, \f and U+FEFF are control characters, which are dropped inside a
// word.
const chunk = /[^\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
const ideograph = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;
const wordOrMark = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;
const plainWord = /^[a-z0-9]+$/;

/** Maximum number of cached words. Running text repeats its words, and the cache stays under 4 MB. */
const rememberedWords = 20_000;
const maxRememberedLength = 40;

export function createWordPiece({ added_tokens: added, model }: z.infer<typeof wordPieceFile>): WordPiece {
  // The file's own table of pieces would stay in memory with the functions that use `model`.
  const { continuing_subword_prefix: prefix, max_input_chars_per_word: maxWordLength } = model;
  const starts = new Map<string, number>();
  const continuations = new Map<string, number>();
  let maxPieceLength = 1;
  // `Object.entries` makes an array for each piece, which takes three times as long.
  for (const piece in model.vocab) {
    const id = model.vocab[piece];
    if (typeof id !== 'number' || !Number.isInteger(id))
      throw new Error(`tokenizer.json gives the piece ${piece} no id`);
    if (piece.startsWith(prefix) && piece.length > prefix.length) continuations.set(piece.slice(prefix.length), id);
    else starts.set(piece, id);
    maxPieceLength = Math.max(maxPieceLength, piece.length);
  }
  const special = new Map(added.map((token) => [token.content, token.id]));
  const unknown = idOf(special, model.unk_token);
  const [cls, sep] = [idOf(special, '[CLS]'), idOf(special, '[SEP]')];
  // The names of special tokens inside a text become those tokens, as in every other implementation of this tokenizer.
  const specialNames = new RegExp(`(${[...special.keys()].map((name) => name.replace(/[[\]]/g, '\\$&')).join('|')})`);

  /** Greedy, longest match first; a word that the vocabulary cannot cover fully becomes one unknown token. */
  function pieces(word: string): number[] {
    const whole = starts.get(word);
    if (whole !== undefined) return [whole];
    if (word.length > maxWordLength && [...word].length > maxWordLength) {
      return [unknown];
    }
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      const known = start === 0 ? starts : continuations;
      let end = Math.min(word.length, start + maxPieceLength);
      let id: number | undefined;
      while (end > start && (id = known.get(word.slice(start, end))) === undefined) end -= 1;
      if (id === undefined) return [unknown];
      ids.push(id);
      start = end;
    }
    return ids;
  }

  function normalised(text: string): string {
    const spaced = text.replace(dropped, '').replace(ideograph, ' $& ');
    return spaced
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '');
  }

  function chunkIds(text: string): number[] {
    if (plainWord.test(text)) return pieces(text);
    const parts = text.includes('[') ? text.split(specialNames) : [text];
    return parts.flatMap((part) => {
      const id = special.get(part);
      return id === undefined ? (normalised(part).match(wordOrMark) ?? []).flatMap(pieces) : [id];
    });
  }

  const remembered = new Map<string, number[]>();
  function idsOf(text: string): number[] {
    const before = remembered.get(text);
    if (before !== undefined) return before;
    const ids = chunkIds(text);
    if (text.length <= maxRememberedLength) {
      if (remembered.size >= rememberedWords) remembered.clear();
      remembered.set(text, ids);
    }
    return ids;
  }

  return {
    countTokens(text) {
      let count = 0;
      for (const [word] of text.matchAll(chunk)) count += idsOf(word).length;
      return count;
    },
    encode(text, maxTokens) {
      const ids = [cls];
      for (const [word] of text.matchAll(chunk)) {
        ids.push(...idsOf(word).slice(0, maxTokens - 1 - ids.length));
        if (ids.length >= maxTokens - 1) break;
      }
      ids.push(sep);
      return ids;
    },
  };
}

function idOf(special: ReadonlyMap<string, number>, name: string): number {
  const id = special.get(name);
  if (id === undefined) throw new Error(`tokenizer.json names no ${name} token`);
  return id;
}
