import type { QueryTerm } from '../../../../domain/search/index-terms.ts';
import {
  hyphened,
  isCompoundOf,
  reversedBeginning,
  splitsOf,
  mayBeWithin,
} from '../../../../domain/search/spellings.ts';
import { matchAny } from '../passage-filter.ts';
import { type FullText, fullTextOf } from './full-text.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';
import { narrowingOf } from '../narrowing.ts';

export interface CountedTerm extends QueryTerm {
  /** In how many passages the term occurs. */
  passages: number;
}

/** Tells in how many passages terms occur (their document frequencies). */
export type DocumentFrequency = (terms: readonly QueryTerm[]) => CountedTerm[];

/** Looks up each term once, and concurrent requests in few statements. Use within one transaction. */
export function createDocumentFrequency(file: SqliteFile, total: number): DocumentFrequency {
  const known = new Map<string, CountedTerm>();
  const keyOf = (term: QueryTerm) => [matchAny([term]), term.parts, term.joined, term.ofFew].join(' ');
  const index = fullTextOf(file);
  return (terms) => {
    const unknown = terms.filter((term) => !known.has(keyOf(term)));
    index.countAll(unknown);
    const counted = unknown.map((term) => ({ ...term, passages: Math.min(index.count(term), total) }));
    const words = counted.flatMap(otherWays).flat();
    index.countAll(words.map((text) => ({ text, isPrefix: false })));
    for (const [at, term] of counted.entries())
      known.set(keyOf(unknown[at] ?? term), withPassagesWithin(file, index, withOtherForms(index, term)));
    return terms.flatMap((term) => known.get(keyOf(term)) ?? []);
  };
}

/** A word in more passages is a common one, which has no second spelling. */
const ordinary = 10;

/** Texts are looked through for the words of a question with so many: each takes milliseconds. */
const fewEnough = 2;
/** The end of more words than this is an ending. */
const maxCompounds = 200;

/** Other ways to write a word, each as words in a row. */
function otherWays({ text, isPrefix, joined = [], parts, passages, ofFew }: CountedTerm): (readonly string[])[] {
  if (isPrefix) return [];
  const isRare = passages <= ordinary;
  const mayDiffer = ofFew !== undefined && isRare;
  return [
    ...joined.flatMap((form) => [[form], [hyphened(form)]]),
    ...(isRare ? [[hyphened(text)]] : []),
    ...(parts !== undefined ? [parts] : mayDiffer ? splitsOf(text) : []),
    // In haste, đ is typed as d. Most texts have neither, so it is looked up for missing words alone.
    ...(mayDiffer && passages === 0 && text.includes('d')
      ? [[text.replace('d', 'đ')], [text.replaceAll('d', 'đ')]]
      : []),
  ];
}

/** Adds the other ways in which passages write a word, and counts those passages, too. */
function withOtherForms(index: FullText, term: CountedTerm): CountedTerm {
  if (term.isPrefix) return term;
  const phrases = otherWays(term).filter((phrase) => index.findPhrase(phrase).length > 0);
  if (term.passages <= ordinary && index.hasCompounds()) phrases.push(...compoundsOf(index, term.text));
  if (phrases.length === 0) return term;
  return { ...term, phrases, passages: index.count({ ...term, phrases }) };
}

function compoundsOf(index: FullText, word: string): string[][] {
  const part = reversedBeginning(word);
  if (part === null) return [];
  const found = (index.wordsBeginning(part, maxCompounds) ?? '').split(' ');
  return found.filter((compound) => isCompoundOf(part, compound)).map((compound) => [compound]);
}

function withPassagesWithin(file: SqliteFile, index: FullText, term: CountedTerm): CountedTerm {
  if (term.isPrefix || term.ofFew === undefined || term.ofFew > fewEnough || term.passages > 0) return term;
  const within = findWithin(file, term.text);
  if (within.length === 0) return term;
  const all = { ...term, within };
  return { ...all, passages: index.count(all) };
}

/** How many of the newest passages are looked through: a thousand take about a millisecond. */
const newest = 20_000;
/** Passages that are read; further ones would not be shown. */
const maxRead = 200;

/**
 * The passages in which a long word that no passage has is a part of another one: silicovolcano. The index knows only how
 * words begin and how compounds end, so the texts are looked through.
 */
function findWithin(file: SqliteFile, word: string): Uint32Array {
  if (!mayBeWithin(word)) return new Uint32Array(0);
  const rows = file.all<{ id: number }>(
    `SELECT id FROM passages WHERE id > (SELECT max(id) FROM passages) - ? AND (instr(text, ?) > 0 OR instr(text, ?) > 0)
     ORDER BY id DESC LIMIT ?`,
    newest,
    word,
    word.charAt(0).toUpperCase() + word.slice(1),
    maxRead,
  );
  const passages = narrowingOf(file)?.passages;
  return Uint32Array.from(rows, ({ id }) => id)
    .filter((id) => passages?.has(id) !== false)
    .sort();
}
