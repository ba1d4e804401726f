import { afterEach, beforeEach, describe } from 'vitest';
import type { Clock } from '../../../../src/domain/clock.ts';
import { ManualClock } from '../../../support/clock.ts';
import { accountsContract } from './accounts.ts';
import { oauthContract } from './oauth.ts';
import { signInContract } from './sign-in.ts';
import { tokenContract } from './tokens.ts';
import { controlTransferContract } from './transfer.ts';
import type { ControlStores, ControlUnderTest } from './under-test.ts';
import { workContract } from './work.ts';

export interface ControlEngine {
  /** Opens new, empty storage. */
  open(clock: Clock): Promise<ControlStores>;
  /** Takes away what `open` made, after it was closed. */
  remove(): Promise<void>;
}

/** What every engine behind the `Control` port must do. */
export function controlContract(name: string, createEngine: () => ControlEngine): void {
  describe(`accounts, tokens and sign-in: ${name}`, () => {
    let engine: ControlEngine;
    let opened: ControlUnderTest;

    beforeEach(async () => {
      engine = createEngine();
      const clock = new ManualClock();
      opened = { clock, stores: await engine.open(clock) };
    });

    afterEach(async () => {
      await opened.stores.close();
      await engine.remove();
    });

    const underTest = (): ControlUnderTest => opened;
    accountsContract(underTest);
    workContract(underTest);
    tokenContract(underTest);
    signInContract(underTest);
    oauthContract(underTest);
    controlTransferContract(underTest);
  });
}
