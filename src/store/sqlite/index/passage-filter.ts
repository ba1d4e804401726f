import type { IndexedLanguages } from '../../../domain/text/words/stems/word-forms.ts';
import type { PassageFilter } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { deletedPassages } from '../items/deleted.ts';
import { type Condition, itemCondition } from './item-filter.ts';
import { matchPhrase } from './match-expressions.ts';
import { indexedLanguages } from './words/indexed-languages.ts';

/** `AND …` for the passages that the filter lets through; passages of deleted items never pass. */
export function filterCondition(file: SqliteFile, passageId: string, filter: PassageFilter): Condition {
  const items = itemCondition(file, filter);
  const { having, without } = phrasesOf(filter, indexedLanguages(file));
  return joined([
    items === null
      ? { sql: `${passageId} NOT IN (${deletedPassages})`, parameters: [] }
      : { sql: `${passageId} IN (${passagesOfItems(items)})`, parameters: items.parameters },
    ...(having === null ? [] : [{ sql: `${passageId} IN (${matching})`, parameters: [having] }]),
    ...(without === null ? [] : [{ sql: `${passageId} NOT IN (${matching})`, parameters: [without] }]),
  ]);
}

const joined = (parts: readonly Condition[]): Condition => ({
  sql: parts.map(({ sql }) => `AND ${sql}`).join(' '),
  parameters: parts.flatMap(({ parameters }) => parameters),
});

/** A query of the ids of passages of items that are not deleted and meet the condition. */
export const passagesOfItems = ({ sql }: Condition): string =>
  `SELECT p.id FROM items i JOIN passages p ON p.item = i.seq WHERE i.deleted_at IS NULL AND ${sql}`;

/** FTS5 expressions that a passage must match, and must not match; null: no condition. */
export function phrasesOf(
  filter: PassageFilter,
  account: IndexedLanguages,
): { having: string | null; without: string | null } {
  return {
    having: matchAll(filter.phrases ?? [], ' AND ', account),
    without: matchAll(filter.excluded ?? [], ' OR ', account),
  };
}

/** Passages whose words match. */
export const matching = 'SELECT narrowing.rowid FROM passage_words narrowing WHERE narrowing.passage_words MATCH ?';

/** Null when there is nothing to match: a phrase without words is ignored. */
function matchAll(phrases: readonly string[], joint: string, account: IndexedLanguages): string | null {
  const expressions = phrases.flatMap((phrase) => matchPhrase(phrase, account) ?? []);
  return expressions.length === 0 ? null : expressions.join(joint);
}
