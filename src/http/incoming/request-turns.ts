import { FairQueue } from '../../domain/turns/fair-queue.ts';

/**
 * Requests started per turn of the event loop. Only one, because serialising the largest responses takes a tenth of a
 * second each.
 */
const maxPerTurn = 1;

interface WaitingRequest {
  readonly accountId: string;
  begin(): void;
}

/**
 * Spreads simultaneous requests over turns of the event loop. Hundreds of connections may become readable in one turn;
 * handled all at once, they would block everything else on this thread. Those who ask take turns, so that nobody waits
 * for all requests of another.
 */
export class RequestTurns {
  #begun = 0;
  #isScheduled = false;
  readonly #waiting = new FairQueue<WaitingRequest>();

  /**
   * Resolves when the caller may go on.
   * @param who the account; the client's address as long as the account is not known
   */
  next(who: string): Promise<void> {
    if (this.#begun < maxPerTurn && this.#waiting.isEmpty) {
      this.#begun += 1;
      this.#schedule();
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.add({ accountId: who, begin: resolve }));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#begun = 0;
      for (; this.#begun < maxPerTurn; this.#begun += 1) {
        const request = this.#waiting.next();
        if (request === undefined) break;
        request.begin();
      }
      if (this.#begun > 0) this.#schedule();
    });
  }
}
