import type { Locator } from '../../../domain/records/texts/locator.ts';
import type { ContentType } from '../../../domain/records/content.ts';
import type { Transcript } from '../../../domain/records/texts/document.ts';
import type { RankedPassage } from '../../../domain/records/texts/passage.ts';
import type { IndexReader, PassageOrigin, IndexMethods } from '../../index-reader.ts';
import type { PassageFilter } from '../../records/search-records.ts';
import { narrowingOf, narrowedTo, coverage } from './narrowing.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { countFacets } from '../items/items.ts';
import { countPassages } from './passages.ts';
import {
  listNewestPassages,
  readPassageParts,
  readPassages,
  readSurroundings,
  storedFragment,
} from './read-passages.ts';
import { newestHasVector, passagesWithoutVector, searchVectors } from './vectors.ts';
import { asciiLowerCase } from '../../library/items/filter.ts';
import { indexedLanguages } from './words/indexed-languages.ts';
import { countWords, lacksRareWord, rankByWords } from './words/word-search.ts';
import { type CountedTerm, createDocumentFrequency, type DocumentFrequency } from './words/word-statistics.ts';
import { AttachedVectorCaches } from './vector-cache/vector-cache.ts';
import type { VectorMemory } from './vector-cache/vector-memories.ts';
import { fullTextOf } from './words/full-text.ts';

type SearchVectors = (
  embedderId: string,
  vector: Float32Array,
  filter: PassageFilter,
  limit: number,
) => RankedPassage[];

/** Opens files for reading their indexes. Create once for each thread. */
export class IndexReaders {
  /** Numbers the states of files: an id of a document means the same text within one state alone. */
  readonly #states = new WeakMap<SqliteFile, { schema: number; number: number }>();
  #lastState = 0;

  /** Use within one transaction. Every method answers at once. */
  open(file: SqliteFile, searchVectors: SearchVectors): IndexReader {
    const narrowing = narrowingOf(file);
    const items = narrowing && (JSON.parse(narrowing.items) as number[]);
    const narrowed = (filter: PassageFilter) => (items === undefined ? filter : { ...filter, known: items });
    const known = (passageIds: readonly number[]) =>
      narrowing === undefined ? passageIds : passageIds.filter((id) => narrowing.passages.has(id));
    let counted: DocumentFrequency | undefined;
    const documentFrequency = () => (counted ??= createDocumentFrequency(file, countPassages(file)));
    const kept = <T>(name: string, key: string, work: () => T): T => {
      const last = file.remember(`last ${name}`, (): { key?: string; result?: unknown } => ({}));
      const whole = `${narrowing?.items ?? ''} ${key}`;
      if (last.key !== whole) Object.assign(last, { result: work(), key: whole });
      return last.result as T;
    };
    const wordsOf = (query: string): readonly CountedTerm[] =>
      kept('counted', query, () => countWords(file, query, documentFrequency()));
    return {
      kept,
      coverage: () => coverage(file),
      countPassages: () => countPassages(file),
      indexedLanguages: () => indexedLanguages(file),
      searchWords: (query, filter, limit) =>
        kept('words', JSON.stringify([query, filter, limit]), () =>
          rankByWords(file, query, narrowed(filter), limit, wordsOf(query)),
        ),
      spellingsOf: (query) => wordsOf(query).flatMap(({ phrases = [] }) => phrases),
      lacksRareWord: (query, contentId) => lacksRareWord(file, wordsOf(query), contentId),
      searchVectors: (embedderId, vector, filter, limit) => searchVectors(embedderId, vector, narrowed(filter), limit),
      listNewest: (filter, limit, signs) => listNewestPassages(file, narrowed(filter), limit, signs),
      listWithoutVector: (passageIds, embedderIds, hadAll) =>
        hadAll && newestHasVector(file) ? [] : passagesWithoutVector(file, known(passageIds), embedderIds),
      countPassagesWith: (terms) => documentFrequency()(terms).map(({ passages }) => passages),
      termsBeginning: (beginnings) => Array.from(beginnings, openVocabulary(file).termsBeginning),
      findTerms(terms, limit) {
        const vocabulary = openVocabulary(file);
        return terms.map((term) => vocabulary.count(term, limit));
      },
      readPassages: (passageIds) => readPassages(file, known(passageIds)),
      readWording: (passageIds) => readPassageParts(file, known(passageIds)),
      readTextsWith: (part, passageIds) => readTextsWith(file, part, known(passageIds)),
      readOrigins: (passageIds) => readOrigins(file, known(passageIds), this.#stateOf(file)),
      readSurroundings: (passageIds, distance) => readSurroundings(file, known(passageIds), distance),
      readSource: (sourceKey) => readSource(file, sourceKey),
      namesIn: (text) => namesIn(file, text),
      countFacets: (contentIds) => countFacets(file, contentIds),
    };
  }

  #stateOf(file: SqliteFile): number {
    const schema = file.schema();
    const known = this.#states.get(file);
    if (known?.schema === schema) return known.number;
    this.#lastState += 1;
    this.#states.set(file, { schema, number: this.#lastState });
    return this.#lastState;
  }
}

/** Both selections read an index from its beginning to its end. In the table every name is on another page. */
function namesIn(file: SqliteFile, text: string): string[] {
  const narrowing = narrowingOf(file);
  const rows =
    narrowing === undefined
      ? file.all<{ name: string }>(
          `SELECT name FROM (SELECT DISTINCT author AS name FROM documents WHERE author <> ''
       UNION SELECT DISTINCT site_name FROM documents WHERE site_name <> '')
     WHERE instr(?, lower(name)) > 0 AND EXISTS (
       SELECT 1 FROM documents d JOIN items c ON c.visible_document = d.id WHERE d.author = name
       UNION ALL SELECT 1 FROM documents d JOIN items c ON c.visible_document = d.id WHERE d.site_name = name)`,
          asciiLowerCase(text),
        )
      : file.all<{ name: string }>(
          `WITH shown AS (SELECT d.author, d.site_name FROM json_each(?) kept CROSS JOIN items c ON c.seq = kept.value
       JOIN documents d ON d.id = c.visible_document)
     SELECT name FROM (SELECT author AS name FROM shown UNION SELECT site_name FROM shown)
     WHERE name <> '' AND instr(?, lower(name)) > 0`,
          narrowing.items,
          asciiLowerCase(text),
        );
  return rows.map(({ name }) => name);
}

function readTextsWith(
  file: SqliteFile,
  part: string,
  passageIds: readonly number[],
): { passageId: number; text: string }[] {
  return file.all(
    `SELECT p.id AS passageId, p.text FROM json_each(?) asked JOIN passages p ON p.id = asked.value
     WHERE instr(p.text, ?) > 0`,
    JSON.stringify(passageIds),
    part,
  );
}

function readOrigins(file: SqliteFile, passageIds: readonly number[], state: number): PassageOrigin[] {
  const rows = file.all<{
    passageId: number;
    documentId: number;
    contentType: ContentType;
    start: number;
    end: number;
    locator: string;
    fragment: string | null;
  }>(
    `SELECT p.id AS passageId, p.document AS documentId, d.content_type AS contentType, p.start_at AS start,
       p.end_at AS "end", p.locator, p.fragment
     FROM json_each(?) wanted JOIN passages p ON p.id = wanted.value JOIN documents d ON d.id = p.document
     JOIN items c ON c.seq = p.item AND c.deleted_at IS NULL`,
    JSON.stringify(passageIds),
  );
  return rows.map(({ documentId, locator, fragment, ...row }) => ({
    ...row,
    locator: JSON.parse(locator) as Locator,
    ...storedFragment(fragment),
    sourceKey: `${state} ${documentId}`,
  }));
}

function readSource(file: SqliteFile, sourceKey: string): Transcript {
  const row = file.get<{ text: string; blocks: string }>(
    'SELECT text, blocks FROM documents WHERE id = ?',
    Number(sourceKey.slice(sourceKey.indexOf(' ') + 1)),
  );
  return row === undefined
    ? { text: '', blocks: [] }
    : { text: row.text, blocks: JSON.parse(row.blocks) as Transcript['blocks'] };
}

/** By the embedder's id. */
type Memories = Readonly<Record<string, VectorMemory | null>>;

/**
 * The reads that cache data between calls: views of vectors in memory, and the methods' own caches. Each reads one state of the
 * file. Create once for each thread.
 */
export function createSearchReads(methods: IndexMethods) {
  const caches = new AttachedVectorCaches();
  const readers = new IndexReaders();
  return {
    askIndex: (
      file: SqliteFile,
      _asked: unknown,
      name: string,
      argument: unknown,
      memories: Memories,
      items?: readonly number[],
    ) => {
      const method = methods[name] as ((index: IndexReader, argument: unknown) => unknown) | undefined;
      if (method === undefined) throw new Error(`an index has no method ${name}`);
      return file.read(() =>
        narrowedTo(file, items, () => {
          const index = readers.open(file, (embedderId, vector, filter, limit) => {
            const cacheOf = (embedder: number) => caches.of(memories[embedderId] ?? null, embedder);
            return searchVectors(file, embedderId, vector, filter, limit, cacheOf);
          });
          return method(index, argument);
        }),
      );
    },
    searchVectors: (
      file: SqliteFile,
      _asked: unknown,
      embedderId: string,
      query: Float32Array,
      filter: PassageFilter,
      limit: number,
      memory: VectorMemory | null,
    ) => searchVectors(file, embedderId, query, filter, limit, (embedder) => caches.of(memory, embedder)),
  };
}

/** The words of an account, in the form that they have in the index. */
interface Vocabulary {
  /** The terms that begin so, separated by spaces. */
  termsBeginning(beginning: string): string;
  /** How many passages have a term, and the first `limit` of them. */
  count(term: string, limit: number): { passages: number; first: number[] };
}

/** Use within one transaction. */
function openVocabulary(file: SqliteFile): Vocabulary {
  const index = fullTextOf(file);
  return {
    termsBeginning: (beginning) =>
      narrowingOf(file) !== undefined
        ? ''
        : file.remember(`words beginning ${beginning}`, () => index.wordsBeginning(beginning) ?? ''),
    count(term, limit) {
      const { ids } = index.findToken(term);
      return { passages: ids.length, first: [...ids.subarray(0, limit)] };
    },
  };
}
