import { day } from '../operations/answers/lean.ts';
import type { Services } from '../operations/operation.ts';

type WeeklyReview = Awaited<ReturnType<Services['review']['week']>>;

/**
 * The weekly review as a model needs it: without empty lists, with days instead of times, and with a `total` where a
 * list is cut.
 */
export function leanReview(review: WeeklyReview): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(review).flatMap(([name, value]): [string, unknown][] => {
      if (typeof value === 'string') return [[name, day(value)]];
      const { total, items } = value as { total: number; items: readonly object[] };
      if (total === 0) return [];
      const shown = items.map(leanRecord);
      return [[name, total > shown.length ? { total, items: shown } : shown]];
    }),
  );
}

/** The lists say themselves what is completed and what has failed. */
function leanRecord(record: object): object {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
      if (name === 'status' && (value === 'completed' || value === 'failed')) return [];
      return [[name, name.endsWith('At') && typeof value === 'string' ? day(value) : value]];
    }),
  );
}
