import type { Clock } from '../../domain/clock.ts';
import { leastPagesMinutes, usualPagesMinutes } from '../../domain/records/sources/source.ts';
import { parseQuery } from '../../domain/search/query-language.ts';
import { AppError, invalidInput } from '../../errors.ts';
import type { CheckSource } from './run-check.ts';

const maxPagesAtOnce = 300;
const minuteMs = 60_000;
const looksPerRhythm = 12;
const shortestLookMs = 5 * minuteMs;
const longestLookMs = 6 * 60 * minuteMs;

/**
 * Queues pages found by a query for refetching, each at the source's interval. It checks more often than that, because items were
 * saved at different times, and queues pages that would be due before the next check.
 */
export function createPagesCheck(clock: Pick<Clock, 'now'>): CheckSource {
  return async (store, { address: query, everyMinutes }) => {
    const everyMs = Math.max(leastPagesMinutes, everyMinutes ?? usualPagesMinutes) * minuteMs;
    const lookMs = Math.min(longestLookMs, Math.max(shortestLookMs, everyMs / looksPerRhythm));
    const now = clock.now();
    try {
      const { condition } = parseQuery(query, now);
      if (condition === null) throw invalidInput('The query has nothing to look for.');
      const asked = { filter: condition, limit: maxPagesAtOnce, offset: 0, maxTotal: 0 };
      const { items } = await store.listTitles({ ...asked, fetchedBefore: now - everyMs + lookMs });
      const ids = items.map(({ id }) => id);
      if (ids.length > 0) await store.refreshPages(ids, { isBackground: true });
      const nextCheckInMs = ids.length < maxPagesAtOnce ? lookMs : shortestLookMs;
      return { nextCheckInMs, hasChanged: false, problem: null };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      const message = `Its pages cannot be looked up. ${error.message} Then resume it, or remove it and refresh with another query.`;
      return { nextCheckInMs: 0, hasChanged: false, state: 'paused', problem: { code: error.code, message } };
    }
  };
}
