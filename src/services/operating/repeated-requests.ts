import { hash } from 'node:crypto';
import { conflict } from '../../errors.ts';
import type { KeptAnswer } from '../../store/records.ts';
import type { Stores } from '../../store/store.ts';
import type { TokenCaller } from '../access.ts';

/** A request that its client may send again, because it does not know whether the first one arrived. */
export interface RepeatedRequest {
  caller: TokenCaller;
  /** Chosen by the client, for this request alone. */
  key: string;
  fingerprint: string;
}

export type RepeatedRequestsService = ReturnType<typeof createRepeatedRequests>;

export function createRepeatedRequests(stores: Stores) {
  return {
    /**
     * Runs a request once; the same request with the same key gets the first answer. Only answers are kept, not errors.
     * @throws {AppError} `conflict` when the key was used for another request, or its first request is still under way or was cut off: it may
     * have been done, and is not done twice
     */
    async once(
      { caller, key: chosen, fingerprint }: RepeatedRequest,
      run: () => Promise<KeptAnswer>,
    ): Promise<{ answer: KeptAnswer; isRepeated: boolean }> {
      // Two tokens of an account may choose the same key. A key may be long, and may be a secret of the client.
      const key = `${caller.tokenId}:${hash('sha256', chosen, 'base64url')}`;
      const store = await stores.open(caller.accountId);
      const begun = await store.beginRequest(key, fingerprint);
      if (begun.state === 'answered') return { answer: begun.answer, isRepeated: true };
      if (begun.state === 'other')
        throw conflict('This idempotency key was used for another request. Send a new key with a new request.');
      if (begun.state === 'under way')
        throw conflict('The first request with this idempotency key is still under way. Ask again later.');
      if (begun.state === 'cut off')
        throw conflict(
          'The first request with this idempotency key was cut off when the program ended. Look whether it was done; if it was not, send it with a new key.',
        );
      let answer: KeptAnswer | null = null;
      try {
        answer = await run();
        return { answer, isRepeated: false };
      } finally {
        await store.endRequest(key, answer);
      }
    },
  };
}
