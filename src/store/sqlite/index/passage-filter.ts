import { type IndexedLanguages, indexedWord } from '../../../domain/text/words/stems/word-forms.ts';
import type { PassageFilter } from '../../records/search-records.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { deletedPassages } from '../items/items.ts';
import { indexedLanguages } from './words/indexed-languages.ts';
import { allOf } from '../../../domain/search/filter.ts';
import { JsonText, sql, type Sql, text } from '../../library/db.ts';
import { conditionOf, type FilterDb } from '../../library/items/filter.ts';
import { type QueryTerm, termsOf } from '../../../domain/search/index-terms.ts';
import { normalizedText, pairsOf, withRaisedApart, type Word, wordsOf } from '../../../domain/text/words/words.ts';

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

export const matching = 'SELECT narrowing.rowid FROM passage_words narrowing WHERE narrowing.passage_words MATCH ?';

/** Null when there is nothing to match: a phrase without words is ignored. */
function matchAll(phrases: readonly string[], joint: string, account: IndexedLanguages): string | null {
  const expressions = phrases.flatMap((phrase) => matchPhrase(phrase, account) ?? []);
  return expressions.length === 0 ? null : expressions.join(joint);
}

/** A table of these values, as `Db.texts` and `Db.numbers` make it. */
export const tableOf = (alias: string, values: readonly (string | number)[]): Sql =>
  sql`json_each(${new JsonText(values)}) AS ${text(alias)}`;

const everyRow = sql`true`;
const nothing = sql``;

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

interface Condition {
  sql: string;
  parameters: unknown[];
}

/** The condition on the item `i`, without the condition that it is not deleted; null without one. */
export function itemCondition(file: SqliteFile, { items, known }: PassageFilter): Condition | null {
  const filter = allOf(items, known && { items: known });
  if (filter === null) return null;
  const { sql: condition, values } = conditionOf(filterDb(file), filter);
  return { sql: condition, parameters: values.map(toParameter) };
}

export function itemsWithWords(file: SqliteFile, words: readonly string[]): number[][] {
  return words.map((word) => {
    const { sql: condition, values } = conditionOf(filterDb(file), { word });
    return file.all<{ seq: number }>(`SELECT i.seq FROM items i WHERE ${condition}`, ...values).map(({ seq }) => seq);
  });
}

/**
 * An FTS5 expression that matches passages with any of the terms. Terms hold no quotation marks, so none are escaped.
 */
export function matchAny(terms: readonly QueryTerm[]): string {
  return terms.flatMap(formsOf).join(' OR ');
}

/** The forms of a term, each as an FTS5 expression. */
function formsOf({ text, forms = [], phrases = [], isPrefix }: QueryTerm): string[] {
  const words = [text, ...forms].map((form) => (isPrefix ? `"${form}"*` : `"${form}"`));
  return [...words, ...phrases.map((phrase) => `"${phrase.join(' ')}"`)];
}

/** An FTS5 expression that matches passages in which one word is right before another. */
export function matchPair(first: QueryTerm, second: QueryTerm): string {
  const pairs = [first.text, ...(first.forms ?? [])].flatMap((before) =>
    [second.text, ...(second.forms ?? [])].map((after) => `"${before} ${after}"`),
  );
  return pairs.join(' OR ');
}

/**
 * An FTS5 expression that matches the words of a phrase in sequence, in the form that they have in passages of each of
 * the account's languages; null when the phrase has no word. A run of characters that is not the last word is followed by
 * its last character, as in the index.
 */
function matchPhrase(phrase: string, languages: IndexedLanguages): string | null {
  const words = wordsOf(normalizedText(withRaisedApart(phrase)));
  if (words.length === 0) return null;
  const expressions = new Set(
    [null, ...languages].map((language) => phraseIn(words, (word) => indexedWord(word, language))),
  );
  return expressions.size === 1 ? ([...expressions][0] ?? null) : `(${[...expressions].join(' OR ')})`;
}

function phraseIn(words: readonly Word[], formOf: (word: string) => string): string {
  const terms = words.flatMap(({ text, isRun }, index): QueryTerm[] => {
    if (!isRun) return [{ text: formOf(text).toLowerCase(), isPrefix: false }];
    if (index === words.length - 1) return termsOf(text, isRun);
    const characters = [...text.toLowerCase()];
    return [...pairsOf(characters), ...characters.slice(-1)].map((term) => ({ text: term, isPrefix: false }));
  });
  return `"${terms.map(({ text }) => text).join(' ')}"${terms.at(-1)?.isPrefix === true ? '*' : ''}`;
}

/**
 * Returns a function that tells whether a passage is left out, by the filter or because its item is deleted.
 */
export function passagesLeftOut(file: SqliteFile, filter: PassageFilter): (passageId: number) => boolean {
  const { having, without } = phrasesOf(filter, indexedLanguages(file));
  const items = itemCondition(file, filter);
  const within: ((id: number) => boolean)[] = [];
  const outside: ((id: number) => boolean)[] = [];
  const read = (sql: string, ...parameters: unknown[]) => among(readIds(file, sql, parameters));
  if (having !== null) within.push(read(matching, having));
  if (without !== null) outside.push(read(matching, without));
  if (items === null) outside.push(read(deletedPassages));
  else within.push(read(passagesOfItems(items), ...items.parameters));
  return (passageId) => within.some((has) => !has(passageId)) || outside.some((has) => has(passageId));
}

function readIds(file: SqliteFile, sql: string, parameters: readonly unknown[]): number[] {
  const row = file.get<{ ids: string }>(
    `WITH found(id) AS (${sql}) SELECT json_group_array(id) AS ids FROM found`,
    ...parameters,
  );
  return JSON.parse(row?.ids ?? '[]') as number[];
}

/** Above this id, an array with a place for each id would take too much memory. */
const maxId = 2 ** 27;

function among(ids: readonly number[]): (id: number) => boolean {
  let last = -1;
  for (const id of ids) if (id > last) last = id;
  if (last > maxId) {
    const all = new Set(ids);
    return (id) => all.has(id);
  }
  const flags = new Uint8Array(last + 1);
  for (const id of ids) flags[id] = 1;
  return (id) => flags[id] === 1;
}
