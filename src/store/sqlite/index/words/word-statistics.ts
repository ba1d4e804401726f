import { type FullText, fullTextOf } from '../full-text/full-text.ts';
import { unlessUnsupported } from '../full-text/unsupported-index-format.ts';
import type { QueryTerm } from '../../../../domain/search/index-terms.ts';
import {
  hyphened,
  isCompoundOf,
  reversedBeginning,
  reversedMark,
  splitsOf,
} from '../../../../domain/search/spellings.ts';
import { matchAny } from '../match-expressions.ts';
import { findWithin } from './words-within.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

export interface CountedTerm extends QueryTerm {
  /** In how many passages the term occurs. */
  passages: number;
}

/** Tells in how many passages a term occurs (its document frequency). */
export type DocumentFrequency = (term: QueryTerm) => CountedTerm;

/** Counting a common term reads its whole list, so counts of at least this many passages are cached. */
const keptFrom = 1_000;
const maxKept = 5_000;
/**
 * A cached count is used until the account has grown or shrunk by this share: idf is a logarithm, so it hardly changes.
 */
const keptWithin = 0.02;

const keptCounts = new WeakMap<SqliteFile, Map<string, { passages: number; total: number }>>();

/** Looks up each term once. Use within one transaction. */
export function createDocumentFrequency(file: SqliteFile, total: number): DocumentFrequency {
  const counted = new Map<string, CountedTerm>();
  const index = fullTextOf(file);
  return (term) => {
    const key = [matchAny([term]), term.parts, term.joined, term.ofFew].join(' ');
    const known =
      counted.get(key) ?? writtenOtherwise(file, index, { ...term, passages: count(file, index, term, total) });
    counted.set(key, known);
    return known;
  };
}

/** A word in more passages is an ordinary one, which nobody writes in another way. */
const ordinary = 10;

/** Texts are looked through for the words of a question with so many: each takes milliseconds. */
const fewEnough = 2;
/** What more words end in is an ending. */
const maxCompounds = 200;

/** Adds the other ways in which passages write a word, and counts those passages, too. */
function writtenOtherwise(file: SqliteFile, index: FullText | null, term: CountedTerm): CountedTerm {
  if (index === null || term.isPrefix) return term;
  return unlessUnsupported(() => withPassagesWithin(file, index, withOtherForms(index, term))) ?? term;
}

function withOtherForms(index: FullText, term: CountedTerm): CountedTerm {
  const { text, joined = [], parts, passages, ofFew } = term;
  const isRare = passages <= ordinary;
  const mayDiffer = ofFew !== undefined && isRare;
  const ways = [
    ...joined.flatMap((form) => [[form], [hyphened(form)]]),
    ...(isRare ? [[hyphened(text)]] : []),
    ...(parts !== undefined ? [parts] : mayDiffer ? splitsOf(text) : []),
    // In haste, đ is typed as d. Most texts have neither, so it is looked up for missing words alone.
    ...(mayDiffer && passages === 0 && text.includes('d')
      ? [[text.replace('d', 'đ')], [text.replaceAll('d', 'đ')]]
      : []),
  ];
  const phrases = ways.filter((phrase) => index.countPhrase(phrase) > 0);
  if (isRare && index.hasBeginning(reversedMark)) phrases.push(...compoundsOf(index, text));
  if (phrases.length === 0) return term;
  return { ...term, phrases, passages: index.count({ ...term, phrases }) };
}

/** The compounds of the account that end in a word. */
function compoundsOf(index: FullText, word: string): string[][] {
  const part = reversedBeginning(word);
  if (part === null) return [];
  const found = unlessUnsupported(() => index.wordsBeginning(part, maxCompounds)) ?? [];
  return found.filter((compound) => isCompoundOf(part, compound)).map((compound) => [compound]);
}

function withPassagesWithin(file: SqliteFile, index: FullText, term: CountedTerm): CountedTerm {
  if (term.ofFew === undefined || term.ofFew > fewEnough || term.passages > 0) return term;
  const within = findWithin(file, term.text);
  if (within.length === 0) return term;
  const all = { ...term, within };
  return { ...all, passages: index.count(all) };
}

function count(file: SqliteFile, index: FullText | null, term: QueryTerm, total: number): number {
  const kept = keptCounts.get(file) ?? new Map<string, { passages: number; total: number }>();
  keptCounts.set(file, kept);
  const expression = matchAny([term]);
  const known = kept.get(expression);
  if (known !== undefined && Math.abs(known.total - total) <= total * keptWithin) {
    return Math.min(known.passages, total);
  }
  const passages = countDirectly(index, term) ?? countByStatement(file, expression);
  if (passages >= keptFrom) {
    if (kept.size >= maxKept) kept.clear();
    kept.set(expression, { passages, total });
  }
  return Math.min(passages, total);
}

function countDirectly(index: FullText | null, term: QueryTerm): number | null {
  return index === null ? null : unlessUnsupported(() => index.count(term));
}

function countByStatement(file: SqliteFile, expression: string): number {
  const found = file.get<{ passages: number }>(
    'SELECT count(*) AS passages FROM passage_words WHERE passage_words MATCH ?',
    expression,
  );
  return found?.passages ?? 0;
}
