import { setImmediate } from 'node:timers/promises';
import type { PlaceQuotes } from '../domain/records/highlights/place.ts';
import { ProcessingError } from '../errors.ts';
import type { HighlightsToPlace } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Highlights that are looked for at once, in one text. */
const placedAtOnce = 100;

/**
 * Looks for highlights in texts that are new to them. The store records which are due, so a killed process continues where
 * it was.
 * @param contentId only of this item
 */
export async function placeHighlights(
  store: Store,
  placeQuotes: PlaceQuotes,
  signal: AbortSignal,
  contentId?: string,
): Promise<void> {
  for (;;) {
    const due = await store.nextHighlightsToPlace(placedAtOnce, contentId);
    if (due === null) return;
    const places = await placesOf(due, placeQuotes, signal, store.accountId);
    signal.throwIfAborted();
    await store.keepHighlightPlaces(
      due.contentId,
      due.documentId,
      due.highlights.map((highlight, n) => ({ ...highlight, place: places[n] ?? null })),
    );
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** If placing the quotes takes too long, none of them counts as found: a second try would take as long. */
async function placesOf(
  { highlights, transcript, item }: HighlightsToPlace,
  placeQuotes: PlaceQuotes,
  signal: AbortSignal,
  accountId: string,
): ReturnType<PlaceQuotes> {
  try {
    return await placeQuotes(
      highlights.map(({ quote }) => quote),
      transcript,
      item,
      signal,
      accountId,
    );
  } catch (error) {
    if (error instanceof ProcessingError && !error.retryable) return [];
    throw error;
  }
}
