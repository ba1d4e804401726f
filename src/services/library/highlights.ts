import type { Highlight, HighlightChanges, NewHighlight } from '../../domain/records/highlight.ts';
import { AppError, noSuchItem } from '../../errors.ts';
import type { DeletedHighlight, HighlightQuery } from '../../store/highlights.ts';
import type { Store, Stores } from '../../store/store.ts';
import { type BudgetedPage, type ListBudget, listWithinBudget } from './listing.ts';

/** What people mark in saved items. */
export interface HighlightsService {
  /** Newest first, or in the order of the text of one item. */
  list(account: string, query: HighlightQuery & ListBudget<Highlight>): Promise<BudgetedPage<Highlight>>;
  /**
   * Looks for the words in the item's text at once. The same words again are the same highlight.
   * @throws {AppError} `not_found` when there is no such item
   */
  add(account: string, highlight: NewHighlight): Promise<Highlight>;
  update(account: string, id: string, changes: HighlightChanges): Promise<Highlight>;
  /** Deleting again gives the same answer. */
  delete(account: string, id: string): Promise<DeletedHighlight>;
}

/** @param place looks for the highlights of an item that are new to its text */
export function createHighlightsService(
  stores: Stores,
  place: (store: Store, contentId: string) => Promise<void>,
): HighlightsService {
  const placed = async (store: Store, highlight: Highlight): Promise<Highlight> => {
    await place(store, highlight.contentId);
    return (await store.getHighlight(highlight.id)) ?? highlight;
  };
  return {
    async list(account, query) {
      const store = await stores.open(account);
      if (query.contentId !== undefined && (await store.getContentSummary(query.contentId)) === null)
        throw noSuchItem();
      return listWithinBudget('list_highlights', query, (page) => store.listHighlights(page));
    },
    async add(account, highlight) {
      const store = await stores.open(account);
      const added = await store.addHighlight(highlight);
      if (added === null) throw noSuchItem();
      return placed(store, added);
    },
    async update(account, id, changes) {
      if (Object.values(changes).every((change) => change === undefined))
        throw new AppError('invalid_input', 'Nothing to change was given. Give quote, note or colour.');
      const store = await stores.open(account);
      const changed = await store.updateHighlight(id, changes);
      if (changed === null) throw noSuchHighlight();
      return placed(store, changed);
    },
    async delete(account, id) {
      const deleted = await (await stores.open(account)).deleteHighlight(id);
      if (deleted === null) throw noSuchHighlight();
      return deleted;
    },
  };
}

function noSuchHighlight(): AppError {
  return new AppError('not_found', 'There is no highlight with this id. The list of highlights shows the ids.');
}
