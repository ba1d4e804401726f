import { literalsIn, literalsOf } from '../../../../domain/search/literals.ts';
import type { RankedPassage } from '../../../../domain/records/passage.ts';
import { idf, maxPerIdf } from './bm25.ts';
import { readPassageParts } from '../read-passages.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/** How many of the best passages are checked for words with symbols. */
const maxWithSigns = 400;
/**
 * The bonus for a word with symbols, in units of its idf: a little more than for a word that occurs once in a passage.
 */
const literalPerIdf = 1.5;

/**
 * Bonuses for passages that contain words of the query with their symbols (C++, $3.75), of which the index has only the
 * pieces. Null when the query has none, or no passage contains one.
 */
export function rankLiterals(
  file: SqliteFile,
  query: string,
  hits: readonly RankedPassage[],
  total: number,
): { bonus: Map<number, number>; ideal: number } | null {
  const literals = literalsOf(query);
  if (literals.length === 0) return null;
  const ids = hits.slice(0, maxWithSigns).map(({ passageId }) => passageId);
  const found = readPassageParts(file, ids).map(({ passageId, parts }) => ({
    passageId,
    literals: literalsIn(parts.join('\n'), literals),
  }));
  const bonus = new Map<number, number>();
  let ideal = 0;
  for (const literal of literals) {
    const having = found.filter((one) => one.literals.includes(literal));
    if (having.length === 0) continue;
    const rarity = idf(Math.max(total, having.length * 3), having.length);
    ideal += maxPerIdf * rarity;
    for (const { passageId } of having) bonus.set(passageId, (bonus.get(passageId) ?? 0) + literalPerIdf * rarity);
  }
  return bonus.size === 0 ? null : { bonus, ideal };
}
