import { afterEach, beforeEach, describe } from 'vitest';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Stores } from '../../../src/store/store.ts';
import { ManualClock } from '../../support/clock.ts';
import { accountContract } from './items/store-accounts.ts';
import { actionContract } from './records/store-actions.ts';
import { llmAnalysisContract } from './records/store-llm-analyses.ts';
import { cardContract } from './items/store-cards.ts';
import { contentContract } from './items/store-content.ts';
import { correctionContract } from './records/store-corrections.ts';
import { filterContract } from './items/store-filters.ts';
import { findItemsContract } from './records/store-find-items.ts';
import { heldContract } from './records/store-held.ts';
import { highlightHistoryContract } from './records/store-highlight-history.ts';
import { highlightContract } from './records/store-highlights.ts';
import { historyContract } from './records/store-history.ts';
import { importContract } from './records/store-import.ts';
import { listContract } from './items/store-lists.ts';
import { jobContract } from './items/store-jobs.ts';
import { changesContract } from './records/store-changes.ts';
import { mergingContract } from './records/store-merging.ts';
import { namesContract } from './records/store-names.ts';
import { placesContract } from './records/store-places.ts';
import { refreshingContract } from './items/store-refreshing.ts';
import { reprocessingContract } from './items/store-reprocessing.ts';
import { requestsContract } from './items/store-requests.ts';
import { searchContract } from './records/store-search.ts';
import { shelvesContract } from './items/store-shelves.ts';
import { sourcesContract } from './items/store-sources.ts';
import { tagProposalsContract } from './items/store-tag-proposals.ts';
import { textContract } from './items/store-texts.ts';
import { transferContract } from './records/store-transfer.ts';
import { vectorContract } from './records/store-vectors.ts';
import type { StoreUnderTest } from './store-under-test.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

export interface StoreEngine {
  /**
   * Opens new, empty storage.
   * @param skip for an engine that does not have every port yet: ends a test that needs one of the others
   */
  open(clock: Clock, skip: (note: string) => never): Promise<Stores>;
  /** Tests that look at a search besides do without it. */
  lacksSearch?: boolean;
  /** Takes away what `open` made, after it was closed. */
  remove(): Promise<void>;
}

type Part = (underTest: () => StoreUnderTest) => void;

/** What searches, reads passages, or writes what may be large. */
export const searchingAndWriting: readonly Part[] = [
  contentContract,
  importContract,
  highlightContract,
  transferContract,
  historyContract,
  textContract,
  refreshingContract,
  reprocessingContract,
  searchContract,
  findItemsContract,
  filterContract,
  cardContract,
  placesContract,
  vectorContract,
  changesContract,
  namesContract,
  heldContract,
  tagProposalsContract,
];

/**
 * The search by words is one code on one kind of index, wherever that is asked: `store.sqlite.test.ts` tries all of it, and in the gate the
 * others find items alone.
 */
export const withoutRepeatedSearches = (parts: readonly Part[]): readonly Part[] =>
  isThorough ? parts : parts.filter((part) => part !== searchContract);

/** The rest. */
export const records: readonly Part[] = [
  accountContract,
  highlightHistoryContract,
  listContract,
  jobContract,
  requestsContract,
  correctionContract,
  actionContract,
  llmAnalysisContract,
  mergingContract,
  shelvesContract,
  sourcesContract,
];

/** What every engine behind the `Store` port must do, or some parts of it. */
export function storeContract(
  name: string,
  createEngine: () => StoreEngine,
  parts: readonly Part[] = [...searchingAndWriting, ...records],
): void {
  describe(`store: ${name}`, () => {
    let engine: StoreEngine;
    let opened: StoreUnderTest;

    beforeEach(async (test) => {
      engine = createEngine();
      const clock = new ManualClock();
      const stores = await engine.open(clock, (note) => test.skip(note));
      opened = { clock, stores, store: await stores.open('local'), hasSearch: engine.lacksSearch !== true };
    });

    afterEach(async () => {
      await opened.stores.close();
      await engine.remove();
    });

    for (const part of parts) part(() => opened);
  });
}
