import { datesIn } from '../domain/search/question-dates.ts';
import type { MatchFloors } from '../domain/search/match-floors.ts';
import { hasWords, signsOf } from '../domain/search/literals.ts';
import { allOf } from '../domain/search/filter.ts';
import { addressesIn, isListing, type ParsedQuery, type RankBy } from '../domain/search/query-language.ts';
import type { ItemSearch, ItemsFound, Preference } from './item-search.ts';
import type { PassageFilter, QuestionVector } from '../store/records/search-records.ts';
import {
  charactersShown,
  fillAnswer,
  maxPassagesPerItem,
  type SearchAnswer,
  type SearchParts,
  type SearchQuery,
} from './answer.ts';
import { findItems, rankWordsAhead } from './find-items.ts';
import { judgeMatch, weakWords, whatToDoFirst } from './match.ts';

/** A question's vector, and how many passages cannot be compared with it yet. */
export interface Meaning {
  /** Null when search uses words only. */
  vector: QuestionVector | null;
  /** Passages that still have no vector: until then only their words find them. */
  passagesToEmbed: number;
  /** The model is being loaded, and the question did not wait for it. */
  isLoading?: boolean;
  /** See `Embedder.matchFloors`. */
  floors?: MatchFloors;
  /** For a question in a language that the model does not know, where it is known how near its meaning must be. */
  foreign?: { floor: number; meaning?: ForeignMeaning };
}

/**
 * A question in a language that the model does not know still shares names and related words with texts in the model's language, so
 * where words find nothing close its vector is tried, and used from a floor on. In an account with texts in the question's
 * language, it only adds items after those found by words.
 */
export interface ForeignMeaning {
  isSpoken: boolean;
  /** Null when the model fails. */
  vector: QuestionVector | null;
}

/** A search as one message: the question, and the known facts about it. */
export interface Question {
  query: SearchQuery;
  /** The parsed query. Its filter, with that of the request, is one that the index can evaluate (`resolveFilter`). */
  parsed: ParsedQuery;
  /** Rank by words or meaning alone, for measurements; usually both. */
  by: RankBy;
  /** Milliseconds since the epoch, for "last week". */
  now: number;
  /** By the embedded text: that of `textToEmbed`, and others needed since. */
  meanings: ReadonlyMap<string, Meaning>;
  /** Advice about a model that does not know most of the account's languages; null when there is none. */
  advice: string | null;
}

/** Further data that a question needs for a second attempt. Most need none. */
export interface Need {
  kind: 'meaning' | 'foreign';
  text: string;
}

export type Answered =
  | { need: Need }
  | {
      answer: SearchAnswer;
      /** Whether the question has an answer that it may be suggested for. */
      isAnswered: boolean;
    };

/** Ends an attempt. */
class Missing extends Error {
  readonly need: Need;

  constructor(need: Need) {
    super('a question must be asked again');
    this.need = need;
  }
}

const loadingHint =
  'The sentence model is still loading, so only words were compared. Ask again to search by meaning, too.';
const wordsAlone: Meaning = { vector: null, passagesToEmbed: 0 };

/** Length of the two ranked lists that are fused: at first, and at most when a few long items fill them. */
const rankingDepth = 200;
const deepestRanking = 5_000;

/** The text of a query that is compared by meaning; null for a query that is not. */
export function textToEmbed(parsed: ParsedQuery, by: RankBy): string | null {
  const isCompared = by !== 'words' && !listsOnly(parsed) && hasWords(parsed.text);
  return isCompared ? parsed.text : null;
}

/** Whether items are listed and not ranked. */
function listsOnly(parsed: ParsedQuery): boolean {
  return isListing(parsed) || signsOf(parsed.text).length > 0;
}

/** Answers a question, or returns what it needs. Runs beside the index, on one state of the account. */
export function answerQuestion(question: Question, parts: SearchParts): Answered {
  try {
    return answerKnown(question, parts);
  } catch (error) {
    if (error instanceof Missing) return { need: error.need };
    throw error;
  }
}

/** Does what needs no vector, while a model makes one of the question: `answerQuestion` then finds it done. */
export function prepareQuestion(question: Question, { index }: Pick<SearchParts, 'index'>): void {
  rankWordsAhead(index, { ...searchOf(question), text: question.parsed.text, vector: null });
}

/** The first search of a question, without its text and vector. */
function searchOf({ query, parsed, by, now }: Pick<Question, 'query' | 'parsed' | 'by' | 'now'>) {
  return {
    wanted: parsed.wanted,
    filter: { items: parsed.filter, phrases: parsed.phrases, excluded: parsed.excluded },
    preferred: preferencesOf(parsed, now),
    nameFactor,
    by: listsOnly(parsed) ? null : by,
    signs: signsOf(parsed.text),
    items: query.limit,
    passagesOfEach: maxPassagesPerItem,
    offset: query.offset,
    distinct: true,
    placed: query.cursor === undefined ? charactersShown(query) : 0,
    facets: query.facets === true,
    isTyped: query.asWritten !== true && by !== 'meaning' && mayBeMisspelt(parsed),
    // Pages of one search rank the same passages.
    depth: query.offset === undefined ? rankingDepth : deepestRanking,
  };
}

/**
 * Finds what was saved under an address, corrects its spelling unless passages say
 * the same in other words, looks deeper when a few long items fill the list, and fills the answer.
 */
function answerKnown({ query, parsed, by, now, meanings, advice }: Question, parts: SearchParts): Answered {
  const { index, citations } = parts;
  const lists = listsOnly(parsed);
  const { isTyped: mayCorrect, depth: firstDepth, ...asked } = searchOf({ query, parsed, by, now });
  const isRead = textToEmbed(parsed, by) !== null;
  const read = (text: string): Meaning => {
    if (!isRead) return wordsAlone;
    const meaning = meanings.get(text);
    if (meaning === undefined) throw new Missing({ kind: 'meaning', text });
    return meaning;
  };
  let { text } = parsed;
  // Embed the query as it was typed: a model reads a misspelt word by its subword tokens. Among other words, that
  // works better than our correction.
  let { vector, passagesToEmbed, floors, foreign, isLoading } = read(text);
  let compared = text;
  const foreignMeaning = (): ForeignMeaning | null => {
    if (foreign !== undefined && foreign.meaning === undefined) throw new Missing({ kind: 'foreign', text: compared });
    return foreign?.meaning ?? null;
  };
  const findItemsFor = (search: ItemSearch) => findItems(index, search, citations);
  const counted = ({ total, isCut, isUpperBound }: Pick<ItemsFound, 'total' | 'isCut' | 'isUpperBound'>) =>
    query.offset !== undefined && {
      total,
      ...(isCut ? { hasMore: true as const } : isUpperBound && { isUpperBound: true as const }),
    };
  const { facets: _facets, remember: _remember, asWritten: _asWritten, ...asking } = query;
  const addresses = by === 'meaning' ? [] : addressesIn(query.query);
  if (addresses.length > 0) {
    const nothing = { text: '', vector: null, depth: firstDepth, isTyped: false };
    const filter = { items: allOf(parsed.filter, { addresses }) };
    const saved = findItemsFor({ ...asked, ...nothing, by: null, filter });
    const { items, coverage, facets } = saved;
    const about = { mode: 'lexical', coverage, ...(facets !== undefined && { facets }), ...counted(saved) } as const;
    if (saved.total > 0)
      return { answer: fillAnswer(parts, asking, { ...parsed, text: '' }, items, about), isAnswered: false };
  }
  const find = (text: string, depth: number, isTyped = false, { offset } = query) =>
    findItemsFor({ ...asked, text, vector, depth, isTyped, offset });
  /** For a question in a language that the model does not know: null when nothing is near it. */
  const findForeign = ({ offset } = query) => {
    const tried = foreignMeaning()?.vector ?? null;
    if (foreign === undefined || tried === null) return null;
    const near = findItemsFor({ ...asked, text, vector: tried, depth: firstDepth, isTyped: false, offset });
    if (near.bestScore < foreign.floor) return null;
    return { tried, near, floors: { weak: foreign.floor, doubtful: foreign.floor } };
  };
  let found = find(text, firstDepth, mayCorrect);
  if (found.correction !== null) {
    const { correction } = found;
    // A query that matches no passage is often spelt correctly: passages may say the same in other words. But a long word
    // that is spelt correctly is rarely one mistake away from one that passages have.
    if (!correction.nothingFound) ({ text } = correction);
    else {
      // Words of another language than the texts' look misspelt.
      const meant = by === 'both' && foreignMeaning()?.isSpoken === false ? findForeign() : null;
      if (meant === null && (correction.isNear || !hasSemanticMatch({ ...asked, vector }, findItemsFor))) {
        ({ text } = correction);
        ({ vector, passagesToEmbed, floors, foreign, isLoading } = read(text));
        compared = text;
      }
      if (meant === null) found = find(text, firstDepth);
      else ({ tried: vector, near: found, floors } = meant);
    }
  }
  const isForeign = foreign !== undefined && vector === null && by === 'both' && found.bestScore < weakWords(text);
  const isSpoken = isForeign && foreignMeaning()?.isSpoken === true;
  if (isForeign && (!isSpoken || found.first === null)) {
    const meant = findForeign();
    if (meant !== null) ({ tried: vector, near: found, floors } = meant);
  }
  let { items } = found;
  // A book can fill the list with its passages on a subject. A longer list finds the items ranked below them.
  const wanted = Math.min(query.limit, found.coverage.searchable);
  for (let depth = firstDepth * 5; items.length < wanted && found.isCut && depth <= deepestRanking; depth *= 5) {
    found = find(text, depth);
    ({ items } = found);
  }
  // Items by meaning only fill up the first page of those by words, so that no page repeats or lacks one.
  if (isSpoken && vector === null && found.total < query.limit) {
    const { offset = 0 } = query;
    const byWords = offset === 0 ? items : find(text, firstDepth, false, { ...query, offset: 0 }).items;
    const byMeaning = findForeign({ ...query, offset: 0 })?.near.items ?? [];
    const all = [...byWords, ...behind(byWords, byMeaning)].slice(0, query.limit);
    items = all.slice(offset);
    found = { ...found, total: all.length };
  }
  const phrases = [...parsed.phrases, ...parsed.preferredPhrases];
  const isJudged = by === 'both' && !lists;
  const best = {
    passage: found.first ?? undefined,
    score: found.bestScore,
    scoreByWords: found.bestByWords,
    scoreByMeaning: found.bestByMeaning,
    lacksRareWord: found.lacksRareWord,
    isNarrowed: isNarrowed(asked.filter),
  };
  const match = isJudged ? judgeMatch(best, vector === null ? weakWords(text) : floors, phrases) : null;
  const first = found.first !== null ? null : whatToDoFirst(found.coverage);
  const said = first ?? (isLoading === true ? loadingHint : (match?.hint ?? advice));
  const hint = [...(query.cursor === undefined ? parsed.hints : []), ...(said === null ? [] : [said])].join(' ');
  const answer = fillAnswer(parts, asking, { ...parsed, text, phrases, spellings: found.spellings }, items, {
    ...(match !== null && match),
    ...(hint !== '' && { hint }),
    mode: vector === null ? 'lexical' : 'hybrid',
    ...(text !== parsed.text && { searchedFor: text }),
    coverage: { ...found.coverage, ...(passagesToEmbed > 0 && { passagesToEmbed }) },
    ...(found.facets !== undefined && { facets: found.facets }),
    ...counted(found),
  });
  return { answer, isAnswered: items.length > 0 };
}

/** The further items, with scores that are no higher than those of the first ones. */
function behind<T extends { contentId: string; score: number }>(first: readonly T[][], further: readonly T[][]): T[][] {
  const known = new Set(first.map((passages) => passages[0]?.contentId));
  const last = first.at(-1)?.[0]?.score ?? 1;
  return further
    .filter((passages) => !known.has(passages[0]?.contentId))
    .map((passages) => passages.map((passage) => ({ ...passage, score: Math.min(passage.score, last) })));
}

/** A longer question was not typed, so its spelling is not corrected. Neither is text in quotation marks. */
const maxTypedLength = 200;

function mayBeMisspelt({ text, phrases, preferredPhrases }: ParsedQuery): boolean {
  return text !== '' && text.length <= maxTypedLength && phrases.length + preferredPhrases.length === 0;
}

/** Minimum cosine of a passage that is on the subject of a question but shares no word with it. */
const nearEnough = 0.35;

/** Whether a passage is on the subject of a question, whatever its words are. */
function hasSemanticMatch(
  asked: Omit<ItemSearch, 'text' | 'depth' | 'isTyped'> & { vector: QuestionVector | null },
  find: (search: ItemSearch) => ItemsFound,
): boolean {
  if (asked.vector === null) return false;
  const { items } = find({
    ...asked,
    preferred: [],
    nameFactor: 1,
    text: '',
    by: 'meaning',
    depth: 1,
    isTyped: false,
    items: 1,
    offset: 0,
    placed: 0,
    facets: false,
  });
  return (items[0]?.[0]?.score ?? 0) >= nearEnough;
}

/**
 * By how much a passage's score is raised that has words in quotation marks in a row. A greater factor costs more
 * questions than it helps (docs/decisions/searching-words.md).
 */
const phraseFactor = 1.25;

/** By how much scores are raised where the date, the author or the site is the one that the question names. */
const dateFactor = 1.5;
const nameFactor = 1.5;

/** Each preference costs a ranking. */
const maxPhrases = 4;

/** The question's preferences. */
function preferencesOf({ text, preferredPhrases }: ParsedQuery, now: number): Preference[] {
  const { published, saved } = datesIn(text, now);
  return [
    ...preferredPhrases.slice(0, maxPhrases).map((phrase) => ({ filter: { phrases: [phrase] }, factor: phraseFactor })),
    ...(published === undefined ? [] : [{ filter: { items: { published } }, factor: dateFactor }]),
    ...(saved === undefined ? [] : [{ filter: { items: { saved } }, factor: dateFactor }]),
  ];
}

/** Whether a filter may leave out anything. */
function isNarrowed(filter: PassageFilter): boolean {
  return filter.items !== null || (filter.phrases ?? []).length + (filter.excluded ?? []).length > 0;
}
