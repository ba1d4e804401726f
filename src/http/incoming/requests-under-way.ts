import { SharedPlaces } from '../../domain/turns/shared-places.ts';
import { AppError } from '../../errors.ts';
import { ByteBudget } from '../../requests/byte-budget.ts';
import { type HttpContext, accountOfCaller } from '../context.ts';
import { HttpRefusal } from '../problem.ts';
import { FairQueue } from '../../domain/turns/fair-queue.ts';

/** Maximum concurrent requests of one account. */
const maxRequests = 256;
/** Maximum bytes of responses that clients have not read yet, for all accounts and for one account. */
const unsentLimits = { maxBytes: 128 * 2 ** 20, maxOwnerBytes: 48 * 2 ** 20 };
/** Smaller unsent amounts are not counted: the operating system's buffers hold as much anyway. */
const minUnsentBytes = 64 * 1024;
/** Minimum rate at which a client must read its response, after the first `firstMs`. A slower connection is closed. */
const minBytesPerMs = 64;
const firstMs = 20_000;
const retryAfterSeconds = 5;
/** Answers of many megabytes that are made at once; one account alone makes one. */
const largeAnswers = { total: 4, reserved: 3 };

/** Counts, for each account, the requests in progress and the bytes of responses not yet read. */
export class RequestsUnderWay {
  readonly #unsent = new ByteBudget(unsentLimits);
  readonly #requests = new Map<string, number>();
  readonly #largeAnswers = new SharedPlaces(largeAnswers);

  /**
   * Counts a request until its response is sent or its connection is closed.
   * @throws {HttpRefusal} `rate_limited` when the account has too many requests in progress, or too many unread responses
   * @throws {AppError} `cancelled` when the client has already disconnected
   */
  begin(context: HttpContext): void {
    const accountId = accountOfCaller(context);
    const requests = this.#requests.get(accountId) ?? 0;
    const outgoing = context.env?.outgoing;
    // Its `close` event is over, and would never end the count.
    if (outgoing?.destroyed === true) throw new AppError('cancelled', 'The client did not wait for the answer.');
    if (requests >= maxRequests) throw refusal('This account has too many requests under way.');
    this.requireRoom(context);
    if (outgoing === undefined) return;
    this.#requests.set(accountId, requests + 1);
    const reservation = this.#unsent.open(accountId);
    let timer: NodeJS.Timeout | undefined;
    // The whole response has been written now; what the operating system did not accept is still in our memory.
    outgoing.once('prefinish', () => {
      const unsent = outgoing.writableLength;
      if (unsent < minUnsentBytes) return;
      // The response exists already, so count it even above the limit: it then blocks further requests.
      reservation.force(unsent);
      timer = setTimeout(() => outgoing.destroy(), firstMs + unsent / minBytesPerMs).unref();
    });
    outgoing.once('close', () => {
      clearTimeout(timer);
      reservation.release();
      const left = (this.#requests.get(accountId) ?? 1) - 1;
      if (left === 0) this.#requests.delete(accountId);
      else this.#requests.set(accountId, left);
    });
  }

  /**
   * Waits until the bytes of an answer of many megabytes may be read into memory. Asked for at once, all of them would be there before the
   * first one counts as unread.
   * @throws {HttpRefusal} `rate_limited` when the account has too many unread responses by then
   */
  async beginLarge(context: HttpContext): Promise<void> {
    const accountId = accountOfCaller(context);
    const place = await this.#largeAnswers.take(accountId, context.req.raw.signal);
    const leave = (): void => place.leave();
    const outgoing = context.env?.outgoing;
    if (outgoing === undefined || outgoing.destroyed) leave();
    // The unread part of the answer is counted by then, because `begin` registered its listener earlier.
    else outgoing.once('prefinish', leave).once('close', leave);
    this.requireRoom(context);
  }

  /**
   * Checked again when an answer has been read: meanwhile other unread ones may have been sent.
   * @throws {HttpRefusal} `rate_limited` when the account has too many unread responses
   */
  requireRoom(context: HttpContext): void {
    const accountId = accountOfCaller(context);
    if (this.#unsent.isFull(accountId)) throw refusal('Answers to this account are not being read.');
  }
}

function refusal(what: string): HttpRefusal {
  return new HttpRefusal('rate_limited', `${what} Read what was answered, then try again in ${retryAfterSeconds} s.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

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
 * Spreads simultaneous requests over turns of the event loop. Hundreds of connections may become readable in one turn; handled all
 * at once, they would block everything else on this thread. Callers take turns, so that none waits for all requests of another.
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
