import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { createUnigram, unigramFile } from './unigram.ts';
import { createWordPiece, wordPieceFile } from './wordpiece.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Reads a `tokenizer.json` of one of the two kinds that the supported models use. */
export async function loadTokenizer(path: string): Promise<Tokenizer> {
  const json: unknown = JSON.parse(await readFile(path, 'utf8'));
  const { type } = z.object({ model: z.object({ type: z.string() }) }).parse(json).model;
  return type === 'Unigram' ? createUnigram(unigramFile.parse(json)) : createWordPiece(wordPieceFile.parse(json));
}
