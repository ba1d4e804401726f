import { readFile } from 'node:fs/promises';
import { requireObject } from '../model-json.ts';
import { checkWordPieceFile, createWordPiece } from './wordpiece.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Reads a `tokenizer.json` of one of the two kinds that the supported models use. */
export async function loadTokenizer(path: string): Promise<Tokenizer> {
  const json: unknown = JSON.parse(await readFile(path, 'utf8'));
  const { type } = requireObject(requireObject(json, 'tokenizer.json')['model'], 'model');
  if (type !== 'Unigram') return createWordPiece(checkWordPieceFile(json));
  const { createUnigram, unigramFile } = await import('./unigram.ts');
  return createUnigram(unigramFile.parse(json));
}
