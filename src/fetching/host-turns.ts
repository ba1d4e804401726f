import type { Clock } from '../domain/clock.ts';
import { type HeldPlace, SharedPlaces } from '../domain/turns/shared-places.ts';
import { ProcessingError } from '../errors.ts';

export interface HostLimits {
  /** From all accounts together. */
  maxAtOnce: number;
  /** Running and waiting requests of one account. Further ones are refused: they would hold a place elsewhere. */
  maxPerAccount: number;
  /** After a request. */
  pauseMs: number;
  /** A host that asks for longer is left alone for this time. */
  maxHoldMs: number;
  /** A request waits for a held host if the remaining time is no longer than this; otherwise it is refused. */
  maxWaitMs: number;
}

const usualHostLimits: HostLimits = {
  maxAtOnce: 2,
  maxPerAccount: 4,
  pauseMs: 250,
  maxHoldMs: 15 * 60_000,
  maxWaitMs: 2_000,
};

/** To be retried when there is room. It says nothing about the page. */
export class HostBusyError extends Error {
  readonly host: string;

  constructor(host: string) {
    super('an account has as many requests at one host as it may');
    this.host = host;
  }
}

/** The host has asked for fewer requests (HTTP 429 or 503). This holds for all of its pages. */
export class HostHeldError extends ProcessingError {
  constructor(retryAfterMs: number) {
    super(
      'rate_limited',
      'The site asks for fewer requests. Nothing is wrong with the address; it can be read later.',
      { retryable: true, retryAfterMs },
    );
  }
}

export interface HostTurn {
  readonly host: string;
  end(): void;
}

interface HostState {
  /** A place is held while a request runs, and during the pause after it. */
  readonly places: SharedPlaces;
  /** By account: turns in use and turns that are waited for. */
  readonly byAccount: Map<string, number>;
}

/**
 * Decides which account may send a request to which host, and when. Accounts take turns at each host. Everything is
 * counted in this process only: another process on the same data folder has its own turns.
 */
export class HostTurns {
  readonly #clock: Clock;
  readonly #limits: HostLimits;
  readonly #onRoom: () => void;
  readonly #hosts = new Map<string, HostState>();
  /** When each host that asked to be left alone may be contacted again (`Clock.elapsed`). */
  readonly #heldUntil = new Map<string, number>();
  readonly #closing = new AbortController();

  /** @param onRoom called when an account may again send requests to a host that `busyHosts` listed */
  constructor(clock: Clock, limits: Partial<HostLimits> = {}, onRoom: () => void = () => {}) {
    this.#clock = clock;
    this.#limits = { ...usualHostLimits, ...limits };
    this.#onRoom = onRoom;
  }

  /** Hosts at which this account already has the maximum number of simultaneous requests. */
  busyHosts(accountId: string): string[] {
    return [...this.#hosts]
      .filter(([, { byAccount }]) => (byAccount.get(accountId) ?? 0) >= this.#limits.maxAtOnce)
      .map(([name]) => name);
  }

  /**
   * @throws {HostBusyError}
   * @throws {HostHeldError}
   * Aborting rejects with the signal's reason.
   */
  async take(name: string, accountId: string, signal: AbortSignal): Promise<HostTurn> {
    signal.throwIfAborted();
    this.#refuseHeld(name);
    const { maxAtOnce, maxPerAccount } = this.#limits;
    const places = () => new SharedPlaces({ total: maxAtOnce, reserved: 0 });
    const host = this.#hosts.get(name) ?? { places: places(), byAccount: new Map<string, number>() };
    const count = host.byAccount.get(accountId) ?? 0;
    if (count >= maxPerAccount) throw new HostBusyError(name);
    this.#hosts.set(name, host);
    host.byAccount.set(accountId, count + 1);
    let place: HeldPlace | undefined;
    try {
      place = await host.places.take(accountId, signal);
      await this.#waitWhileHeld(name, signal);
    } catch (error) {
      place?.leave();
      this.#forget(name, host, accountId);
      throw error;
    }
    const held = place;
    let hasEnded = false;
    return {
      host: name,
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        void this.#endAfterPause(name, host, accountId, held);
      },
    };
  }

  /** Blocks requests to a host that asked to be left alone, for `ms` milliseconds. */
  hold(name: string, ms: number): void {
    const now = this.#clock.elapsed();
    // Host names come from pages, so remove expired entries to keep the map small.
    for (const [other, until] of this.#heldUntil) if (until <= now) this.#heldUntil.delete(other);
    const until = now + Math.min(ms, this.#limits.maxHoldMs);
    this.#heldUntil.set(name, Math.max(until, this.#heldUntil.get(name) ?? until));
  }

  close(): void {
    this.#closing.abort();
  }

  #heldMs(name: string): number {
    return (this.#heldUntil.get(name) ?? Number.NEGATIVE_INFINITY) - this.#clock.elapsed();
  }

  #refuseHeld(name: string): void {
    const heldMs = this.#heldMs(name);
    if (heldMs > this.#limits.maxWaitMs) throw new HostHeldError(heldMs);
  }

  async #waitWhileHeld(name: string, signal: AbortSignal): Promise<void> {
    for (let heldMs = this.#heldMs(name); heldMs > 0; heldMs = this.#heldMs(name)) {
      this.#refuseHeld(name);
      await this.#clock.sleep(heldMs, signal);
    }
  }

  async #endAfterPause(name: string, host: HostState, accountId: string, place: HeldPlace): Promise<void> {
    const { pauseMs } = this.#limits;
    if (pauseMs > 0) await this.#clock.sleep(pauseMs, this.#closing.signal).catch(() => undefined);
    place.leave();
    this.#forget(name, host, accountId);
  }

  #forget(name: string, host: HostState, accountId: string): void {
    const count = (host.byAccount.get(accountId) ?? 0) - 1;
    if (count > 0) host.byAccount.set(accountId, count);
    else host.byAccount.delete(accountId);
    if (host.byAccount.size === 0) this.#hosts.delete(name);
    if (count === this.#limits.maxAtOnce - 1) this.#onRoom();
  }
}
