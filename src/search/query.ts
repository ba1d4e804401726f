import { datesIn } from '../domain/search/question-dates.ts';
import type { RankBy } from '../domain/search/search-query.ts';
import type { MatchFloors } from '../domain/search/match-floors.ts';
import { hasWords, signsOf } from '../domain/search/literals.ts';
import { addressesIn, isListing, parseSearchQuery, type ParsedQuery } from '../domain/search/search-query.ts';
import type {
  ItemSearch,
  ItemsFound,
  PassageFilter,
  Preference,
  QuestionVector,
} from '../store/records/search-records.ts';
import type { Store } from '../store/store.ts';
import { charactersShown, fillAnswer, maxPassagesPerItem, type SearchAnswer, type SearchQuery } from './answer.ts';
import { judgeMatch, weakWords, whatToDoFirst } from './match.ts';
import { savedWithin } from './preferences.ts';

/** A question's vector, and how many passages cannot be compared with it yet. */
export interface Meaning {
  /** Null when search uses words only. */
  vector: QuestionVector | null;
  /** Passages that still have no vector: until then only their words find them. */
  passagesToEmbed: number;
  /** See `Embedder.matchFloors`. */
  floors?: MatchFloors;
  /** For a question in a language that the model does not know, where it is known how near its meaning must be. */
  foreign?: ForeignMeaning;
}

/**
 * A question in a language that the model does not know still shares names and related words with texts in the model's
 * language, so where words find nothing close its vector is tried, and used from `floor` on. In an account that has
 * texts in the question's language, it only adds items behind those that words found.
 */
export interface ForeignMeaning {
  floor: number;
  isSpoken(): Promise<boolean>;
  /** Null when the model fails. */
  read(): Promise<QuestionVector | null>;
}

/** What a search needs besides the store. */
export interface QueryParts {
  /** @param text null when the search does not use vectors */
  embed(text: string | null): Promise<Meaning>;
  /** Milliseconds since the epoch, for "last week". */
  now: number;
  /** What to do about a model that does not know most of the account's languages; null when there is nothing to say. */
  adviceOnModel?: () => Promise<string | null>;
  /** Called when a question has an answer. */
  noteAnswered?: () => void;
}

/** Length of the two ranked lists that are fused: at first, and at most when a few long items fill them. */
const rankingDepth = 200;
const deepestRanking = 5_000;

/**
 * Answers a query: reads its operators, finds what was saved under an address, corrects its spelling unless passages say
 * the same in other words, looks deeper when a few long items fill the list, and fills the answer.
 * @param by rank by words or meaning alone, for measurements
 */
export async function answerQuery(
  store: Store,
  query: SearchQuery,
  parts: QueryParts,
  signal: AbortSignal,
  by: RankBy,
): Promise<SearchAnswer> {
  const parsed = parseSearchQuery(query.query);
  const signs = signsOf(parsed.text);
  const lists = isListing(parsed) || signs.length > 0;
  const isRead = by !== 'words' && !lists && hasWords(parsed.text);
  const read = (text: string) => parts.embed(isRead ? text : null);
  // Embed the query as it was typed: a model reads a misspelt word by its subword tokens. Among other words, that
  // works better than our correction.
  let { vector, passagesToEmbed, floors, foreign } = await read(parsed.text);
  const counted = ({ total, isCut, isUpperBound }: Pick<ItemsFound, 'total' | 'isCut' | 'isUpperBound'>) =>
    query.offset !== undefined && {
      total,
      ...(isCut ? { hasMore: true as const } : isUpperBound && { isUpperBound: true as const }),
    };
  const asked = {
    filter: narrowed(query.filters, parsed),
    preferred: preferencesOf(parsed, parts.now),
    nameFactor,
    by: lists ? null : by,
    signs,
    items: query.limit,
    passagesOfEach: maxPassagesPerItem,
    offset: query.offset,
    distinct: true,
    placed: query.cursor === undefined ? charactersShown(query) : 0,
    facets: query.facets === true,
  };
  const { facets: _facets, remember: _remember, asWritten: _asWritten, ...asking } = query;
  // Pages of one search rank the same passages.
  const firstDepth = query.offset === undefined ? rankingDepth : deepestRanking;
  const addresses = by === 'meaning' ? [] : addressesIn(query.query);
  if (addresses.length > 0) {
    const nothing = { text: '', vector: null, depth: firstDepth, isTyped: false };
    const filter = { ...query.filters, addresses };
    const saved = await store.findItems({ ...asked, ...nothing, by: null, filter });
    const { items, coverage, facets } = saved;
    const about = { mode: 'lexical', coverage, ...(facets !== undefined && { facets }), ...counted(saved) } as const;
    if (saved.total > 0) return fillAnswer(store, asking, { ...parsed, text: '' }, items, about);
  }
  const find = (text: string, depth: number, isTyped = false, { offset } = query) =>
    store.findItems({ ...asked, text, vector, depth, isTyped, offset });
  let { text } = parsed;
  /** For a question in a language that the model does not know: null when nothing is near it. */
  const findForeign = async ({ offset } = query) => {
    const tried = (await foreign?.read()) ?? null;
    if (foreign === undefined || tried === null) return null;
    const near = await store.findItems({ ...asked, text, vector: tried, depth: firstDepth, isTyped: false, offset });
    if (near.bestScore < foreign.floor) return null;
    return { tried, near, floors: { weak: foreign.floor, doubtful: foreign.floor } };
  };
  let found = await find(text, firstDepth, query.asWritten !== true && by !== 'meaning' && mayBeMisspelt(parsed));
  if (found.correction !== null) {
    const { correction } = found;
    // A query that matches no passage is often spelt correctly: passages may say the same in other words. But a long word
    // that is spelt correctly is rarely one mistake away from one that passages have.
    if (!correction.nothingFound) ({ text } = correction);
    else {
      // Words of another language than those of the texts look like misspelt ones.
      const meant = by === 'both' && (await foreign?.isSpoken()) === false ? await findForeign() : null;
      if (meant === null && (correction.isNear || !(await hasSemanticMatch(store, { ...asked, vector })))) {
        ({ text } = correction);
        ({ vector, passagesToEmbed, floors, foreign } = await read(text));
      }
      if (meant === null) found = await find(text, firstDepth);
      else ({ tried: vector, near: found, floors } = meant);
    }
  }
  const isForeign = foreign !== undefined && vector === null && by === 'both' && found.bestScore < weakWords(text);
  const isSpoken = isForeign && (await foreign?.isSpoken()) === true;
  if (isForeign && (!isSpoken || found.first === null)) {
    const meant = await findForeign();
    if (meant !== null) ({ tried: vector, near: found, floors } = meant);
  }
  let { items } = found;
  // A book can fill the list with its passages on a subject. A longer list finds the items ranked below them.
  const wanted = Math.min(query.limit, found.coverage.searchable);
  for (let depth = firstDepth * 5; items.length < wanted && found.isCut && depth <= deepestRanking; depth *= 5) {
    signal.throwIfAborted();
    found = await find(text, depth);
    ({ items } = found);
  }
  // Items by meaning only fill up the first page of those by words, so that no page repeats or lacks one.
  if (isSpoken && vector === null && found.total < query.limit) {
    const { offset = 0 } = query;
    const byWords = offset === 0 ? items : (await find(text, firstDepth, false, { ...query, offset: 0 })).items;
    const byMeaning = (await findForeign({ ...query, offset: 0 }))?.near.items ?? [];
    const all = [...byWords, ...behind(byWords, byMeaning)].slice(0, query.limit);
    items = all.slice(offset);
    found = { ...found, total: all.length };
  }
  signal.throwIfAborted();
  if (items.length > 0) parts.noteAnswered?.();
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
  const hint = first ?? match?.hint ?? (query.cursor === undefined ? await parts.adviceOnModel?.() : null) ?? null;
  return fillAnswer(store, asking, { ...parsed, text, phrases, spellings: found.spellings }, items, {
    ...(match !== null && match),
    ...(hint !== null && { hint }),
    mode: vector === null ? 'lexical' : 'hybrid',
    ...(text !== parsed.text && { searchedFor: text }),
    coverage: { ...found.coverage, ...(passagesToEmbed > 0 && { passagesToEmbed }) },
    ...(found.facets !== undefined && { facets: found.facets }),
    ...counted(found),
  });
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
async function hasSemanticMatch(
  store: Store,
  asked: Omit<ItemSearch, 'text' | 'depth' | 'isTyped'> & { vector: QuestionVector | null },
): Promise<boolean> {
  if (asked.vector === null) return false;
  const { items } = await store.findItems({
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

/** What the question asks for without insisting on it. */
function preferencesOf({ text, preferredPhrases }: ParsedQuery, now: number): Preference[] {
  const { published, saved } = datesIn(text, now);
  return [
    ...preferredPhrases.slice(0, maxPhrases).map((phrase) => ({ filter: { phrases: [phrase] }, factor: phraseFactor })),
    ...(published === undefined ? [] : [{ filter: published, factor: dateFactor }]),
    ...(saved === undefined
      ? []
      : [{ filter: { savedSince: saved.since, savedBefore: saved.before }, factor: dateFactor }]),
  ];
}

/** Combines the filters of the request with the operators of the query. */
function narrowed(filters: PassageFilter = {}, parsed: ParsedQuery): PassageFilter {
  const { phrases, excluded, sites, types, since, before } = parsed;
  return {
    ...filters,
    phrases,
    excluded,
    sites,
    types,
    since,
    before,
    ...savedWithin(filters, parsed),
    tags: [...(filters.tags ?? []), ...parsed.tags],
  };
}

/** Whether a filter may leave out anything. */
function isNarrowed(filter: PassageFilter): boolean {
  return Object.values(filter).some((wanted) => (Array.isArray(wanted) ? wanted.length > 0 : wanted !== undefined));
}
