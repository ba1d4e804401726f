import { z } from 'zod';
import type { Tokenizer } from './wordpiece.ts';

/** A SentencePiece tokenizer of the unigram kind, as used by XLM-R and multilingual-e5. */
export const unigramFile = z.object({
  added_tokens: z.array(z.object({ id: z.int(), content: z.string() })),
  model: z.object({
    type: z.literal('Unigram'),
    unk_id: z.int(),
    vocab: z.array(z.tuple([z.string(), z.number()])),
  }),
});

/** An unknown piece scores this much lower than the lowest-scoring known one: SentencePiece's own figure. */
const unknownPenalty = 10;
const space = '\u2581';
/**
 * Longer words are split, in UTF-16 units. Running text has none, and the search below holds a whole word in memory.
 */
const maxWordLength = 1_024;

// Characters that the normaliser (nmt_nfkc) treats as spaces, and those that it drops. It keeps most controls from
// U+0080 on: the vocabulary has words for them.
const spaces = /[\t\n\f\r\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2581\u3000\ufeff\ufffd]/g;
// oxlint-disable-next-line no-control-regex
const dropped = /[\0-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]/g;

export function createUnigram({ added_tokens: added, model }: z.infer<typeof unigramFile>): Tokenizer {
  const pieces = new Map<string, { id: number; score: number }>();
  let maxPieceLength = 1;
  let minScore = Number.POSITIVE_INFINITY;
  for (const [id, [piece, score]] of model.vocab.entries()) {
    pieces.set(piece, { id, score });
    maxPieceLength = Math.max(maxPieceLength, piece.length);
    minScore = Math.min(minScore, score);
  }
  const special = new Map(added.map(({ content, id }) => [content, id]));
  const [first, last] = [idOf(special, '<s>'), idOf(special, '</s>')];
  // Their names in a text are text: only `encode` puts them in.
  for (const name of special.keys()) pieces.delete(name);
  const unknownScore = minScore - unknownPenalty;

  /** The ids of the pieces with the largest sum of scores (Viterbi); consecutive unknown characters are one token. */
  function wordIds(word: string): number[] {
    const best: { score: number; from: number; id: number }[] = [{ score: 0, from: 0, id: model.unk_id }];
    for (let from = 0; from < word.length; from += 1) {
      const before = best[from];
      if (before === undefined) continue;
      const reach = (to: number, id: number, score: number): void => {
        const known = best[to];
        if (known === undefined || before.score + score > known.score) {
          best[to] = { score: before.score + score, from, id };
        }
      };
      const step = (word.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
      let isKnown = false;
      for (let to = from + 1; to <= Math.min(word.length, from + maxPieceLength); to += 1) {
        const piece = pieces.get(word.slice(from, to));
        if (piece === undefined) continue;
        reach(to, piece.id, piece.score);
        isKnown ||= to === from + step;
      }
      if (!isKnown) reach(from + step, model.unk_id, unknownScore);
    }
    const ids: number[] = [];
    for (let at = word.length; at > 0;) {
      const { from, id } = best[at] ?? { from: 0, id: model.unk_id };
      if (id !== model.unk_id || ids.at(-1) !== model.unk_id) ids.push(id);
      at = from;
    }
    return ids.reverse();
  }

  return {
    encode(text, maxTokens) {
      const ids = [first];
      const normal = text.replace(spaces, ' ').replace(dropped, '');
      // Exclude the full-width tilde from NFKC: Japanese uses it for "to".
      const parts = normal.split('\uff5e').map((part) => part.normalize('NFKC'));
      for (const [word] of parts.join('\uff5e').matchAll(/\S+/g)) {
        for (let from = 0, to = 0; from < word.length; from = to) {
          to = endOfPart(word, from);
          const part = (from === 0 ? space : '') + word.slice(from, to);
          ids.push(...wordIds(part).slice(0, maxTokens - 1 - ids.length));
        }
        if (ids.length >= maxTokens - 1) break;
      }
      ids.push(last);
      return ids;
    },
  };
}

/** The end of the part of a long word that begins at `from`. Both halves of a surrogate pair are in one part. */
function endOfPart(word: string, from: number): number {
  const to = Math.min(from + maxWordLength, word.length);
  return to < word.length && (word.codePointAt(to - 1) ?? 0) > 0xffff ? to - 1 : to;
}

function idOf(special: ReadonlyMap<string, number>, name: string): number {
  const id = special.get(name);
  if (id === undefined) throw new Error(`tokenizer.json names no ${name} token`);
  return id;
}
