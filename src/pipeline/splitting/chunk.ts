import type { PlacedBlock } from '../../domain/records/document.ts';
import type { TextSpan } from '../../domain/text/graphemes.ts';
import type { CountSliceTokens } from '../../models/embedding/index.ts';

/** A part of a block that is never split between passages. */
export interface Chunk extends TextSpan {
  tokens: number;
  block: PlacedBlock;
  /** Cost of starting a passage with this chunk, one of `seams`. */
  seam: number;
}

/** The limits of a passage. */
export interface PassageLimits {
  maxTokens: number;
  /**
   * Tokenizers count a word of hundreds of characters as one unknown token; without a bound on the characters a
   * line of base64 would be one passage. Running text has 3 to 6 characters a token.
   */
  maxChars: number;
  /** Infinity for a slice of more than `maxChars`. */
  countTokens: CountSliceTokens;
}

/** Costs in `packChunks`, where an empty passage costs 1. */
export const seams = {
  block: 0,
  item: 0.1,
  cue: 0.15,
  sentence: 0.25,
  clause: 0.6,
  word: 0.7,
  line: 0.8,
  grapheme: 1,
  /** More than any arrangement saves: a heading is parted from its text only when both do not fit into one passage. */
  afterHeading: 100,
} as const;
