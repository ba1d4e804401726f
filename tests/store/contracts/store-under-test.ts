import type { Store, Stores } from '../../../src/store/store.ts';
import type { ManualClock } from '../../support/clock.ts';

/** How a suite reaches the engine: an empty data folder, newly opened for each test. */
export interface StoreUnderTest {
  readonly clock: ManualClock;
  readonly stores: Stores;
  /** The store of the account `local`. */
  readonly store: Store;
  /** False for an engine that has no search yet. */
  readonly hasSearch: boolean;
}
