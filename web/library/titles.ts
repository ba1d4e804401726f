import { useEffect, useState } from 'preact/hooks';
import type { PassedItem, Titles } from '../records.ts';
import { useStore } from '../store.ts';
import { listInput, rowsAtOnce, titlesAtOnce } from './questions.ts';

/** The first view, and what it loads, comes first. After a change of the list, what follows it is waited for. */
const waitMs = { first: 300, again: 3_000 };
const operation = 'list_titles';

/**
 * The titles of the whole list, loaded ahead in little, so that no place is empty wherever somebody drags the scroll bar to. A list
 * of few rows needs none, and whoever saves data gets them as they come by.
 * @returns what is known of the item at a place
 */
export function useTitles(query: URLSearchParams, total: number): (place: number) => PassedItem | undefined {
  const store = useStore();
  const [, draw] = useState(0);
  const inputs = (place: number): object =>
    listInput(query, Math.floor(place / titlesAtOnce) * titlesAtOnce, titlesAtOnce);
  const answerAt = (place: number): Titles | undefined => store.get<Titles>(operation, inputs(place))?.answer;

  useEffect(() => {
    if (total <= 2 * rowsAtOnce || savesData()) return undefined;
    const over = new AbortController();
    const loadAll = async (): Promise<void> => {
      for (let place = 0; place < total && !over.signal.aborted; place += titlesAtOnce) {
        // Another total: items came or went, and places with them.
        if (answerAt(place)?.total === total) continue;
        await store.load(operation, inputs(place), true);
        draw((count) => count + 1);
      }
    };
    const timer = setTimeout(() => void loadAll(), answerAt(0) === undefined ? waitMs.first : waitMs.again);
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [store, query, total]);

  return (place) => answerAt(place)?.items[place % titlesAtOnce];
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
