import { accountOf, type Writer } from '../../domain/records/change.ts';
import type { Highlight, HighlightChanges, NewHighlight } from '../../domain/records/highlights/highlight.ts';
import { type AppError, invalidInput, noSuchItem, notFound } from '../../errors.ts';
import type { DeletedHighlight, HighlightQuery } from '../../store/records.ts';
import type { Store, Stores } from '../../store/store.ts';
import { type BudgetedPage, type ListBudget, listWithinBudget } from './listing.ts';

export type HighlightsService = ReturnType<typeof createHighlightsService>;

/** @param place looks for the highlights of an item that are new to its text */
export function createHighlightsService(stores: Stores, place: (store: Store, contentId: string) => Promise<void>) {
  const placed = async (writer: Writer, highlight: Highlight): Promise<Highlight> => {
    const store = await stores.open(accountOf(writer));
    await place(store, highlight.contentId);
    return (await store.getHighlight(highlight.id)) ?? highlight;
  };
  return {
    /** Newest first, or in the order of the text of one item. */
    async list(account: string, query: HighlightQuery & ListBudget<Highlight>): Promise<BudgetedPage<Highlight>> {
      const store = await stores.open(account);
      if (query.contentId !== undefined && (await store.getContentSummary(query.contentId)) === null)
        throw noSuchItem();
      return listWithinBudget('list_highlights', query, (page) => store.listHighlights(page));
    },
    /** The same words again are the same highlight. @throws {AppError} `not_found` when there is no such item */
    async add(writer: Writer, highlight: NewHighlight): Promise<Highlight> {
      const added = await (await stores.open(writer)).addHighlight(highlight);
      if (added === null) throw noSuchItem();
      return placed(writer, added);
    },
    async update(writer: Writer, id: string, changes: HighlightChanges): Promise<Highlight> {
      if (Object.values(changes).every((change) => change === undefined))
        throw invalidInput('Nothing to change was given. Give `quote`, `note` or `colour`.');
      const changed = await (await stores.open(writer)).updateHighlight(id, changes);
      if (changed === null) throw noSuchHighlight();
      return placed(writer, changed);
    },
    /** Deleting again gives the same answer. */
    async delete(writer: Writer, id: string): Promise<DeletedHighlight> {
      const deleted = await (await stores.open(writer)).deleteHighlight(id);
      if (deleted === null) throw noSuchHighlight();
      return deleted;
    },
  };
}

function noSuchHighlight(): AppError {
  return notFound('There is no highlight with this id. The list of highlights shows the ids.');
}
