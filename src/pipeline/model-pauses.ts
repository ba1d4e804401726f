import { isoTime, type Clock } from '../domain/clock.ts';
import type { FailureCode } from '../errors.ts';
import type { Log } from '../workers/log.ts';

/** Pause after an error in the settings (rejected key, unknown model), which a quick retry cannot fix. */
const settingsPauseMs = 15 * 60_000;
/**
 * Pause of the whole queue after provider failures: the first one, and the longest. Repeated failures lengthen it even
 * when the provider asks for an immediate retry.
 */
const firstPauseMs = 1_000;
const maxPauseMs = 5 * 60_000;

/** Failures of the settings: they affect every item and say nothing about a single one. */
const ofTheSettings: ReadonlySet<string> = new Set<FailureCode>(['model_unauthorized', 'model_not_found']);
const ofTheProvider: ReadonlySet<string> = new Set<FailureCode>(['rate_limited', 'model_unavailable']);

/** So many refusals in a row may be caused by the texts; more are taken as caused by the settings. */
const maxRefusals = 2;
const refusedAgain =
  'request after request is refused, so the settings or the account of the API key may be at fault. The last time:';

export const pausedMessage = 'analyses by the model are paused:';

/** Whether the provider failed (unavailable or busy): the item is tried again for as long as that lasts. */
export function isOfTheProvider(code: string): boolean {
  return ofTheProvider.has(code);
}

/** Decides from the failures of a model when nothing is sent to it for a while, and says why. */
export class ModelPauses {
  readonly #clock: Clock;
  readonly #log: Log;
  /** On `Clock.elapsed`, so that a change of the system clock neither ends nor lengthens a pause. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #reason: string | null = null;
  /** Consecutive failures of the provider, over all items. */
  #failuresInARow = 0;
  /** Consecutive refused requests; an unavailable or busy provider in between does not reset the count. */
  #refusalsInARow = 0;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Why nothing is sent now; null when something may be sent. */
  get reason(): string | null {
    return this.#clock.elapsed() < this.#pausedUntil ? this.#reason : null;
  }

  noteSuccess(): void {
    this.#failuresInARow = 0;
    this.#refusalsInARow = 0;
  }

  /**
   * @param retryAfterMs when the provider asked to be asked again
   * @returns how long the item waits, in milliseconds, when the settings are the cause; null when the item or the
   *   provider is
   */
  noteFailure(code: string, message: string, retryAfterMs: number | undefined): number | null {
    this.#failuresInARow = isOfTheProvider(code) ? this.#failuresInARow + 1 : 0;
    if (isOfTheProvider(code)) this.#waitForProvider(retryAfterMs);
    return this.#pauseForSettings(code, message);
  }

  #pauseForSettings(code: string, message: string): number | null {
    if (code === 'model_request_refused') this.#refusalsInARow += 1;
    else if (!isOfTheProvider(code)) this.#refusalsInARow = 0;
    if (ofTheSettings.has(code)) {
      this.#pause(settingsPauseMs, message);
      return settingsPauseMs;
    }
    if (code !== 'model_request_refused' || this.#refusalsInARow <= maxRefusals) return null;
    this.#pause(settingsPauseMs, `${refusedAgain} ${message}`);
    // After the pause, other items go first: an item that is refused for its own text does not hold them up.
    return 2 * settingsPauseMs;
  }

  /** A single failure without a retry time may be caused by the item. From the second one on, the whole queue waits. */
  #waitForProvider(askedMs: number | undefined): void {
    if (askedMs === undefined && this.#failuresInARow < 2) return;
    const ownMs = Math.min(maxPauseMs, firstPauseMs * 4 ** (this.#failuresInARow - 1));
    const reason =
      askedMs === undefined ? 'the provider cannot be reached or is overloaded' : 'the provider asks to wait';
    this.#pause(Math.max(askedMs ?? 0, ownMs), reason);
  }

  #pause(ms: number, reason: string): void {
    const until = this.#clock.elapsed() + ms;
    // Keep the longest pause and its reason.
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#reason = reason;
    this.#log.warn({ until: isoTime(this.#clock.now() + ms) }, `${pausedMessage} ${reason}`);
  }
}
