import { allOf } from '../../../domain/search/filter.ts';
import { JsonText, sql, type Sql, text } from '../../library/db.ts';
import { conditionOf, type FilterDb } from '../../library/items/filter.ts';
import type { PassageFilter } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { matchPhrase } from './match-expressions.ts';
import { indexedLanguages } from './words/indexed-languages.ts';

/** A table of these values, as `Db.texts` and `Db.numbers` make it. */
export const tableOf = (alias: string, values: readonly (string | number)[]): Sql =>
  sql`json_each(${new JsonText(values)}) AS ${text(alias)}`;

const everyRow = sql`true`;
const nothing = sql``;

/** SQL for filters on items, over the file of one account. */
export const filterDb = (file: SqliteFile): FilterDb => ({
  of: () => everyRow,
  texts: tableOf,
  numbers: tableOf,
  bytewise: nothing,
  positionIn: (column, found) => sql`instr(lower(${text(column)}), lower(${found}))`,
  instr: text('instr'),
  passagesWith(words) {
    const expression = matchPhrase(words, indexedLanguages(file));
    return sql`SELECT w.rowid FROM passage_words w WHERE w.passage_words MATCH ${expression ?? '""'}`;
  },
});

export function toParameter(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof JsonText ? value.text : value;
}

export interface Condition {
  sql: string;
  parameters: unknown[];
}

/** The condition on the item `i`, without the condition that it is not deleted; null when there is none. */
export function itemCondition(file: SqliteFile, { items, known }: PassageFilter): Condition | null {
  const filter = allOf(items, known && { items: known });
  if (filter === null) return null;
  const { sql: condition, values } = conditionOf(filterDb(file), filter);
  return { sql: condition, parameters: values.map(toParameter) };
}

/** For each of these, the keys of items that have these words in a row. */
export function itemsWithWords(file: SqliteFile, words: readonly string[]): number[][] {
  return words.map((word) => {
    const { sql: condition, values } = conditionOf(filterDb(file), { word });
    return file.all<{ seq: number }>(`SELECT i.seq FROM items i WHERE ${condition}`, ...values).map(({ seq }) => seq);
  });
}
