import type { Clock } from '../domain/clock.ts';
import { FairQueue } from '../domain/turns/fair-queue.ts';
import { ProcessingError } from '../errors.ts';

export interface HostLimits {
  /** Requests to one host at once, of all accounts together. */
  maxAtOnce: number;
  /** Requests to one host that one account has under way or waiting; a further one is refused, so that it holds no place meanwhile. */
  maxPerAccount: number;
  /** After a request, before the next one may take its turn. */
  pauseMs: number;
  /** A host that asks for a longer time to be left alone is not believed. */
  maxHoldMs: number;
  /** A host that is to be left alone for no longer than this is waited for. */
  maxWaitMs: number;
}

const usualHostLimits: HostLimits = {
  maxAtOnce: 2,
  maxPerAccount: 4,
  pauseMs: 250,
  maxHoldMs: 15 * 60_000,
  maxWaitMs: 2_000,
};

/** The account has enough requests at this host: what needs another one is to come back when there is room. It says nothing of the page. */
export class HostBusyError extends Error {
  readonly host: string;

  constructor(host: string) {
    super('an account has as many requests at one host as it may');
    this.host = host;
  }
}

/** The host has asked to be left alone for a while, whichever of its pages is meant. */
export class HostHeldError extends ProcessingError {
  constructor(retryAfterMs: number) {
    super(
      'rate_limited',
      'The site asks to be visited less often. Nothing is wrong with the address: it needs more time.',
      { retryable: true, retryAfterMs },
    );
  }
}

/** The right to send requests to one host, one after the other. */
export interface HostTurn {
  readonly host: string;
  /** The pause begins. */
  end(): void;
}

interface Waiting {
  readonly accountId: string;
  resolve(): void;
}

interface Host {
  /** Turns that are taken: a request is under way, or the pause after it. */
  taken: number;
  readonly waiting: FairQueue<Waiting>;
  /** By account: turns that are taken, and those that are waited for. */
  readonly byAccount: Map<string, number>;
}

/**
 * Who may ask which host, and when. Accounts take turns at each host. Everything is counted in this process alone: another one
 * on the same data folder has turns of its own.
 */
export class HostTurns {
  readonly #clock: Clock;
  readonly #limits: HostLimits;
  readonly #onRoom: () => void;
  /** Only hosts with turns that are taken. */
  readonly #hosts = new Map<string, Host>();
  /** When hosts that asked to be left alone may be asked again (`Clock.elapsed`). */
  readonly #heldUntil = new Map<string, number>();
  readonly #closing = new AbortController();

  /** @param onRoom called when an account may ask a host again that `busyHosts` named */
  constructor(clock: Clock, limits: Partial<HostLimits> = {}, onRoom: () => void = () => {}) {
    this.#clock = clock;
    this.#limits = { ...usualHostLimits, ...limits };
    this.#onRoom = onRoom;
  }

  /** Hosts at which this account has as many requests as may be under way at once. */
  busyHosts(accountId: string): string[] {
    return [...this.#hosts]
      .filter(([, { byAccount }]) => (byAccount.get(accountId) ?? 0) >= this.#limits.maxAtOnce)
      .map(([name]) => name);
  }

  /**
   * Waits for a turn at the host.
   * @throws {HostBusyError}
   * @throws {HostHeldError}
   * Aborting rejects with the signal's reason.
   */
  async take(name: string, accountId: string, signal: AbortSignal): Promise<HostTurn> {
    signal.throwIfAborted();
    this.#refuseHeld(name);
    const host = this.#hosts.get(name) ?? { taken: 0, waiting: new FairQueue<Waiting>(), byAccount: new Map() };
    const count = host.byAccount.get(accountId) ?? 0;
    if (count >= this.#limits.maxPerAccount) throw new HostBusyError(name);
    this.#hosts.set(name, host);
    host.byAccount.set(accountId, count + 1);
    let isTaken = false;
    try {
      if (host.taken >= this.#limits.maxAtOnce) await waitForTurn(host, accountId, signal);
      else host.taken += 1;
      isTaken = true;
      await this.#waitWhileHeld(name, signal);
    } catch (error) {
      if (isTaken) this.#free(name, host);
      this.#forget(host, accountId);
      throw error;
    }
    let hasEnded = false;
    return {
      host: name,
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        void this.#endAfterPause(name, host, accountId);
      },
    };
  }

  /** The host asked to be left alone. */
  hold(name: string, ms: number): void {
    const now = this.#clock.elapsed();
    // Names of hosts come from pages: what is over is not kept.
    for (const [other, until] of this.#heldUntil) if (until <= now) this.#heldUntil.delete(other);
    const until = now + Math.min(ms, this.#limits.maxHoldMs);
    this.#heldUntil.set(name, Math.max(until, this.#heldUntil.get(name) ?? until));
  }

  /** Ends all pauses. */
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

  async #endAfterPause(name: string, host: Host, accountId: string): Promise<void> {
    const { pauseMs } = this.#limits;
    if (pauseMs > 0) await this.#clock.sleep(pauseMs, this.#closing.signal).catch(() => undefined);
    this.#free(name, host);
    this.#forget(host, accountId);
  }

  /** Gives the turn to who waits, if anybody does. */
  #free(name: string, host: Host): void {
    const next = host.waiting.next();
    if (next !== undefined) return next.resolve();
    host.taken -= 1;
    if (host.taken === 0) this.#hosts.delete(name);
  }

  #forget(host: Host, accountId: string): void {
    const count = (host.byAccount.get(accountId) ?? 0) - 1;
    if (count > 0) host.byAccount.set(accountId, count);
    else host.byAccount.delete(accountId);
    if (count === this.#limits.maxAtOnce - 1) this.#onRoom();
  }
}

async function waitForTurn(host: Host, accountId: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiting: Waiting = { accountId, resolve };
  const leave = (): void => {
    if (host.waiting.remove(waiting)) reject(signal.reason as Error);
  };
  host.waiting.add(waiting);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
