import type { Stores } from '../../../../src/store/store.ts';
import type { ManualClock } from '../../../support/clock.ts';

/** What does not belong to one account. */
export type ControlStores = Pick<
  Stores,
  | 'control'
  | 'removeAccount'
  | 'setAsideAccount'
  | 'bringBackAccount'
  | 'listSetAside'
  | 'removeExpiredAccounts'
  | 'close'
>;

export interface ControlUnderTest {
  readonly clock: ManualClock;
  readonly stores: ControlStores;
}
