import type { Page } from '../../store/records.ts';
import { countFitting, tokensOf } from '../../domain/text/token-budget.ts';
import { decodeCursor, encodeCursor } from '../../domain/cursor.ts';
import { shortenTexts } from '../../search/shorten.ts';

/** Token budget of a list; both absent when there is no limit. */
export interface ListBudget<T = never> {
  maxTokens?: number | undefined;
  cursor?: string | undefined;
  /** How the answer gives an item on: the budget counts that. Whole when absent. */
  show?: ((item: T) => unknown) | undefined;
}

export interface BudgetedPage<T> extends Page<T> {
  limit: number;
  offset: number;
  nextCursor?: string;
}

/** Tokens that the frame of a list costs beside its items. */
const frameTokens = 40;

/**
 * Reads one page of a list. When it costs more than the budget, it is cut after the items that fit, and `nextCursor`
 * continues it. Following the cursors gives the items of `offset … offset + limit` once each (`limit` undefined: to the end).
 * @param read returns `limit` items from `offset` on; when that is undefined, at least one while there are any
 */
export async function listWithinBudget<
  T,
  Q extends ListBudget<NoInfer<T>> & { limit?: number | undefined; offset: number },
>(question: string, query: Q, read: (page: Omit<Q, keyof ListBudget>) => Promise<Page<T>>): Promise<BudgetedPage<T>> {
  const { maxTokens, cursor, show = (item: T): unknown => item, ...asked } = query;
  const [given = 0] = decodeCursor(cursor, [question, asked], 1);
  const limit = asked.limit === undefined ? undefined : Math.max(0, asked.limit - given);
  const { items, total } = await read({ ...asked, limit, offset: asked.offset + given });
  const answer = { total, limit: asked.limit ?? total, offset: asked.offset + given };
  if (maxTokens === undefined) return { items, ...answer };
  const budget = maxTokens - frameTokens;
  // Show at least one item, so that a walk always advances. An item that alone exceeds the budget is shortened.
  const fitting = Math.max(1, countFitting(items.map(show), budget));
  const shown = items
    .slice(0, fitting)
    .map((item) => (tokensOf(show(item)) < budget ? item : shortenTexts(item, budget - 1)));
  const end = Math.min(total, asked.offset + (asked.limit ?? total));
  if (asked.offset + given + fitting >= end) return { items: shown, ...answer };
  return { items: shown, ...answer, nextCursor: encodeCursor([question, asked], [given + fitting]) };
}
