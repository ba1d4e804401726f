import { readFile } from 'node:fs/promises';
import type { CountSliceTokens, CountTokens } from '../embedder.ts';
import { madeWhenUsed } from '../../../domain/lazily.ts';
import { type JsonObject, requireObject, requireRight } from '../model-json.ts';

/** Turns text into the token ids that a model reads. */
export interface Tokenizer {
  /** Token ids with the special tokens before and after, truncated to `maxTokens` in all. */
  encode(text: string, maxTokens: number): number[];
}

/** The model's tokenizer: WordPiece over lower-cased, accent-stripped text (`BertTokenizer`, uncased). */
export interface WordPiece extends Tokenizer {
  /** Counts the tokens of `text` without special ones, in linear time (about 0.2 s for a megabyte). */
  countTokens: CountTokens;
  /**
   * Reads a text once, in linear time, and counts the tokens of its slices then. A slice that begins and ends at white
   * space costs two binary searches; any other is read again.
   */
  countSlicesOf(text: string): CountSliceTokens;
}

/** The part of a `tokenizer.json` that is read. */
export interface WordPieceFile {
  added_tokens: readonly { id: number; content: string }[];
  model: {
    type: 'WordPiece';
    unk_token: string;
    continuing_subword_prefix: string;
    max_input_chars_per_word: number;
    /** Its thirty thousand ids are checked when they are used: going through them takes as long as everything else here. */
    vocab: JsonObject;
  };
}

/** @throws when the file is not of this kind */
export function checkWordPieceFile(json: unknown): WordPieceFile {
  const { added_tokens: added, model: described } = requireObject(json, 'tokenizer.json');
  const isToken = (token: unknown): boolean => {
    const { id, content } = requireObject(token, 'an added token');
    return Number.isSafeInteger(id) && typeof content === 'string';
  };
  requireRight(Array.isArray(added) && added.every(isToken), 'added_tokens');
  const model = requireObject(described, 'model');
  requireRight(model['type'] === 'WordPiece', 'type');
  requireRight(typeof model['unk_token'] === 'string', 'unk_token');
  requireRight(typeof model['continuing_subword_prefix'] === 'string', 'continuing_subword_prefix');
  requireRight(Number.isSafeInteger(model['max_input_chars_per_word']), 'max_input_chars_per_word');
  requireObject(model['vocab'], 'vocab');
  return json as WordPieceFile;
}

/** Reads the tokenizer of the model in the package. */
export async function loadWordPiece(): Promise<WordPiece> {
  // `assets` is next to both `src` and `dist`.
  const path = new URL('../../../../assets/all-MiniLM-L6-v2/tokenizer.json', import.meta.url);
  return createWordPiece(checkWordPieceFile(JSON.parse(await readFile(path, 'utf8'))));
}

/**
 * White space as the model's normaliser defines it: \v, \f and U+FEFF are control characters, which are dropped inside a
 * word.
 */
function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
  if (code < 0x1680) return code === 0xa0;
  if (code > 0x200a) {
    return code === 0x3000 || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f;
  }
  return code >= 0x2000 || code === 0x1680;
}

/** Visits the runs without white space of a text, in order, until `visit` returns false. */
function eachRun(text: string, visit: (start: number, end: number) => boolean): void {
  for (let at = 0; at < text.length; at += 1) {
    if (isSpace(text.charCodeAt(at))) continue;
    const start = at;
    while (at < text.length && !isSpace(text.charCodeAt(at))) at += 1;
    if (!visit(start, at)) return;
  }
}

const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
const ideograph = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;
const wordOrMark = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;
const plainWord = /^[a-z0-9]+$/;
/** The names of special tokens inside a text, such as `[SEP]`, become those tokens, as in every other implementation of this tokenizer. */
const bracketed = /(\[[^[\]]+\])/;

function isAsciiWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

/** Maximum number of cached words. Running text repeats its words, and the cache stays under 4 MB. */
const rememberedWords = 20_000;
const maxRememberedLength = 40;

export function createWordPiece({ added_tokens: added, model }: WordPieceFile): WordPiece {
  const { continuing_subword_prefix: prefix, max_input_chars_per_word: maxWordLength } = model;
  // Pieces are looked up in the object that the file was parsed to: to put them into a map takes longer than parsing them, and the
  // first question waits for it. Its prototype has names, too, such as "constructor".
  const vocab = Object.setPrototypeOf(model.vocab, null) as JsonObject;
  function idOfPiece(piece: string): number | undefined {
    const id = vocab[piece];
    if (id === undefined || Number.isInteger(id)) return id as number | undefined;
    throw new Error(`tokenizer.json gives the piece ${piece} no id`);
  }
  /** Found out when the first word is no piece. */
  const maxPieceLength = madeWhenUsed(() => {
    let max = 1;
    // `Object.keys` would make an array of all.
    for (const piece in vocab) max = Math.max(max, piece.length);
    return max;
  });
  const special = new Map(added.map((token) => [token.content, token.id]));
  const unknown = idOf(special, model.unk_token);
  const [cls, sep] = [idOf(special, '[CLS]'), idOf(special, '[SEP]')];

  /** Greedy, longest match first; a word that the vocabulary cannot cover fully becomes one unknown token. */
  function pieces(word: string): number[] {
    const whole = idOfPiece(word);
    if (whole !== undefined) return [whole];
    if (word.length > maxWordLength && [...word].length > maxWordLength) {
      return [unknown];
    }
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      const before = start === 0 ? '' : prefix;
      let end = Math.min(word.length, start + maxPieceLength());
      let id: number | undefined;
      while (end > start && (id = idOfPiece(before + word.slice(start, end))) === undefined) end -= 1;
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
    const lower = text.toLowerCase();
    if (plainWord.test(lower)) return pieces(lower);
    const parts = text.includes('[') ? text.split(bracketed) : [text];
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

  /** Tokens of a run without white space, from `start` to before `end`. */
  function countRun(text: string, start: number, end: number): number {
    let tokens = 0;
    let wordStart = start;
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      // Characters other than printable ASCII have to be normalised, and `[` may begin the name of a special token.
      if (code < 0x21 || code > 0x7e || code === 0x5b) return idsOf(text.slice(start, end)).length;
      if (isAsciiWord(code)) continue;
      if (at > wordStart) tokens += idsOf(text.slice(wordStart, at)).length;
      tokens += 1;
      wordStart = at + 1;
    }
    return end > wordStart ? tokens + idsOf(text.slice(wordStart, end)).length : tokens;
  }

  function countTokens(text: string): number {
    let tokens = 0;
    eachRun(text, (start, end) => {
      tokens += countRun(text, start, end);
      return true;
    });
    return tokens;
  }

  return {
    countTokens,
    countSlicesOf(text) {
      /** The start of each run without white space, and the number of tokens of all runs before it. */
      const starts = new Uint32Array((text.length >> 1) + 2).fill(text.length, -1);
      const tokensBefore = new Uint32Array(starts.length);
      let runs = 0;
      let tokens = 0;
      eachRun(text, (start, end) => {
        starts[runs] = start;
        tokensBefore[runs] = tokens;
        tokens += countRun(text, start, end);
        runs += 1;
        return true;
      });
      tokensBefore[runs] = tokens;

      /** The first run that begins at `offset` or later. */
      function runFrom(offset: number): number {
        let [low, high] = [0, runs];
        while (low < high) {
          const middle = (low + high) >> 1;
          if ((starts[middle] ?? 0) < offset) low = middle + 1;
          else high = middle;
        }
        return low;
      }
      const isBetweenRuns = (offset: number): boolean =>
        offset <= 0 ||
        offset >= text.length ||
        isSpace(text.charCodeAt(offset - 1)) ||
        isSpace(text.charCodeAt(offset));
      return (start, end) =>
        isBetweenRuns(start) && isBetweenRuns(end)
          ? (tokensBefore[runFrom(end)] ?? 0) - (tokensBefore[runFrom(start)] ?? 0)
          : countTokens(text.slice(start, end));
    },
    encode(text, maxTokens) {
      const ids = [cls];
      eachRun(text, (start, end) => {
        ids.push(...idsOf(text.slice(start, end)).slice(0, maxTokens - 1 - ids.length));
        return ids.length < maxTokens - 1;
      });
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
