import { mean, ndcg, percentile, recall, type Judgements } from './metrics.ts';
import type { RankBy } from '../../src/domain/search/query-language.ts';
import type { SearchAnswer, SearchQuery } from '../../src/services/search/search.ts';
import type { App } from '../../src/app/app.ts';
import { localAccountId } from '../../src/domain/records/account.ts';

/** A question with its relevance judgements. */
export interface JudgedQuery {
  query: string;
  filter?: SearchQuery['filter'];
  /** Grades by the keys that `keyOf` returns. */
  judgements: Judgements;
  /** Text that one of the shown passages must contain. */
  quote?: string | undefined;
}

export type KeyOf = (result: SearchAnswer['results'][number]) => string;

const depth = 100;
const shownItems = 10;

/** The rankings that are compared, and the search's name for each. */
const rankings = { lexical: 'words', dense: 'meaning', hybrid: 'both' } as const;
export type RankingName = keyof typeof rankings;

export interface Scores {
  ndcg10: number;
  recall10: number;
  recall100: number;
}

export interface QueryScores {
  query: string;
  scores: Partial<Record<RankingName, Scores>>;
  /** Whether a shown passage contains the quote; null without a quote. */
  showsQuote: boolean | null;
}

export interface MeasuredMode {
  mode: string;
  queries: QueryScores[];
  times: number[];
  /** The highest number of passages without a vector during the run. */
  passagesToEmbed: number;
}

/**
 * Runs every question with the default search, and then with each ranking alone. The dense and hybrid rankings are not
 * scored while too few passages have a vector, because search then uses words only.
 */
export async function measure(app: App, queries: readonly JudgedQuery[], keyOf: KeyOf): Promise<MeasuredMode> {
  const signal = new AbortController().signal;
  const { search } = app.services;
  const times: number[] = [];
  const asked: QueryScores[] = [];
  const modes = new Set<string>();
  let passagesToEmbed = 0;
  for (const { query, filter, judgements, quote } of queries) {
    const score = ({ results }: SearchAnswer): Scores => {
      const ranked = [...new Set(results.map(keyOf))];
      return {
        ndcg10: ndcg(ranked, judgements, 10),
        recall10: recall(ranked, judgements, 10),
        recall100: recall(ranked, judgements, depth),
      };
    };
    // Time the default search, which users wait for.
    const began = performance.now();
    const answer = await search.search(localAccountId, { query, limit: shownItems, filter }, signal);
    times.push(performance.now() - began);
    modes.add(answer.mode);
    passagesToEmbed = Math.max(passagesToEmbed, answer.coverage.passagesToEmbed ?? 0);
    const hasMeaning = answer.mode === 'hybrid' || (answer.coverage.passagesToEmbed ?? 0) === 0;
    const scores: QueryScores['scores'] = {};
    for (const [name, by] of Object.entries(rankings) as [RankingName, RankBy][]) {
      if (name !== 'lexical' && (app.config.embedder === 'none' || !hasMeaning)) continue;
      scores[name] = score(await search.search(localAccountId, { query, limit: depth, filter }, signal, by));
    }
    asked.push({
      query,
      scores,
      showsQuote: quote === undefined ? null : shows(answer, quote),
    });
  }
  return { mode: modes.size === 1 ? ([...modes][0] ?? '') : 'mixed', queries: asked, times, passagesToEmbed };
}

/** The scores of the ranking that users get. */
function scoresOf({ scores }: QueryScores): Scores {
  return scores.hybrid ?? scores.lexical ?? { ndcg10: 0, recall10: 0, recall100: 0 };
}

function shows({ results }: SearchAnswer, quote: string): boolean {
  const folded = fold(quote);
  return results.some(({ passages }) => passages.some(({ text }) => fold(text).includes(folded)));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function averages(queries: readonly QueryScores[]): Partial<Record<RankingName, Scores>> {
  const means: Partial<Record<RankingName, Scores>> = {};
  for (const name of Object.keys(rankings) as RankingName[]) {
    const of = queries.flatMap(({ scores }) => scores[name] ?? []);
    if (of.length > 0) means[name] = average(of);
  }
  return means;
}

function average(of: readonly Scores[]): Scores {
  return {
    ndcg10: mean(of.map((score) => score.ndcg10)),
    recall10: mean(of.map((score) => score.recall10)),
    recall100: mean(of.map((score) => score.recall100)),
  };
}

/** The share of questions with a quote whose answer shows it; null when no question has one. */
function quoteShare(queries: readonly QueryScores[]): number | null {
  const quoted = queries.flatMap(({ showsQuote }) => showsQuote ?? []);
  return quoted.length === 0 ? null : quoted.filter(Boolean).length / quoted.length;
}

function waits(times: readonly number[]): { queryMsP50: number; queryMsP95: number } {
  return { queryMsP50: percentile(times, 0.5), queryMsP95: percentile(times, 0.95) };
}

/** The change of one question's nDCG@10 between two runs. */
export interface Difference {
  query: string;
  before: number;
  after: number;
}

const maxShown = 5;

/** The questions that changed most, improved and worsened. */
function extremes(differences: readonly Difference[]): { gained: Difference[]; lost: Difference[] } {
  const changed = differences
    .filter(({ before, after }) => before !== after)
    .toSorted((a, b) => b.after - b.before - (a.after - a.before));
  return {
    gained: changed.filter(({ before, after }) => after > before).slice(0, maxShown),
    lost: changed
      .filter(({ before, after }) => after < before)
      .slice(-maxShown)
      .reverse(),
  };
}

export function summarise({ mode, queries, times, passagesToEmbed }: MeasuredMode) {
  return {
    queries: queries.length,
    mode,
    passagesToEmbed,
    rankings: averages(queries),
    quotesShown: quoteShare(queries),
    ...extremes(
      queries.flatMap(({ query, scores: { lexical, hybrid } }) =>
        lexical === undefined || hybrid === undefined ? [] : [{ query, before: lexical.ndcg10, after: hybrid.ndcg10 }],
      ),
    ),
    ...waits(times),
  };
}

/** The questions that changed most between two runs. */
export function differencesBetween(before: readonly QueryScores[], after: readonly QueryScores[]) {
  const differences = before.flatMap((one, position) => {
    const other = after[position];
    return other === undefined
      ? []
      : [{ query: one.query, before: scoresOf(one).ndcg10, after: scoresOf(other).ndcg10 }];
  });
  return extremes(differences);
}
