import { ByteBudget } from '../../requests/byte-budget.ts';
import { requireCaller, type HttpContext } from '../context.ts';
import { HttpRefusal } from '../problem.ts';

/** Of one account, answered at the same time. */
const maxRequests = 256;
/** Of answers that clients have not taken yet, in bytes. */
const unsentLimits = { maxBytes: 128 * 2 ** 20, maxOwnerBytes: 48 * 2 ** 20 };
/** What the system's own buffers hold anyway. */
const minUnsentBytes = 64 * 1024;
/** A client takes its answer at this rate at least, after a while; a slower one is cut off. */
const minBytesPerMs = 64;
const firstMs = 20_000;
const retryAfterSeconds = 5;

/** Counts what is done for each account just now: requests that are being answered, and answers that nobody reads. */
export class RequestsUnderWay {
  readonly #unsent = new ByteBudget(unsentLimits);
  readonly #requests = new Map<string, number>();

  /**
   * Counts a request until its answer is sent or its connection is gone.
   * @throws {HttpRefusal} `rate_limited` when the account has too many of them, or does not take its answers
   */
  begin(context: HttpContext): void {
    const { accountId } = requireCaller(context);
    const requests = this.#requests.get(accountId) ?? 0;
    if (requests >= maxRequests) throw refusal('This account has too many requests under way.');
    if (this.#unsent.isFull(accountId)) throw refusal('Answers to this account are not being read.');
    const outgoing = context.env?.outgoing;
    if (outgoing === undefined) return;
    this.#requests.set(accountId, requests + 1);
    const reservation = this.#unsent.open(accountId);
    let timer: NodeJS.Timeout | undefined;
    // All of the answer has been handed over now; what the system did not take waits in our memory.
    outgoing.once('prefinish', () => {
      const unsent = outgoing.writableLength;
      if (unsent < minUnsentBytes) return;
      // The answer is there: counted even beyond the limit, it keeps further ones from being made.
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
}

function refusal(what: string): HttpRefusal {
  return new HttpRefusal('rate_limited', `${what} Read what was answered, then try again in ${retryAfterSeconds} s.`, {
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
