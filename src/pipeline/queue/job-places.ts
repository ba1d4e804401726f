import { SharedPlaces, type HeldPlace } from '../../domain/turns/shared-places.ts';
import type { MaintenanceParts } from './maintenance-turns.ts';
import type { Work } from '../../domain/records/stages.ts';
import type { HostTurns } from '../../fetching/host-turns.ts';

/** A fetch mostly waits. A third of the places is for accounts that fetch nothing yet. */
const fetchPlaces = { total: 24, reserved: 8 };
/**
 * Items of one account whose vectors and analysis are made at once. It is enough to keep the sentence model busy while
 * others are stored or analysed. With more, an item that was just saved would wait for the passages of more others.
 */
const maxEnriched = 4;

/** The places that all jobs of a worker share. */
export function placesFor(settings: { concurrency: number; isOneAtATime?: boolean | undefined }): WorkPlaces {
  const { concurrency, isOneAtATime = false } = settings;
  const fetch = new SharedPlaces(fetchPlaces);
  if (isOneAtATime) {
    const only = new SharedPlaces({ total: 1, reserved: 0 });
    return { fetch, read: only, enrich: only };
  }
  return {
    fetch,
    read: new SharedPlaces({ total: concurrency + 1, reserved: 1 }),
    enrich: new SharedPlaces({ total: Math.min(concurrency, maxEnriched) + 1, reserved: 1 }),
  };
}

/** A separate place for maintenance, which can take minutes and would hold the only other place. */
export function withPlaceOfItsOwn(parts: MaintenanceParts): MaintenanceParts {
  const places = new SharedPlaces({ total: 1, reserved: 0 });
  return {
    ...parts,
    async doMaintenance(store, signal) {
      const place = await places.take(store.accountId, signal);
      try {
        await parts.doMaintenance(store, signal);
      } finally {
        place.leave();
      }
    },
  };
}

export type WorkPlaces = Readonly<Record<Work, SharedPlaces>>;

/** Runs work that waits for the network. */
export type OnNetwork = <T>(work: () => Promise<T>) => Promise<T>;

/** The place of one job. While it waits for the network, it holds a network place instead. */
export class JobPlace {
  readonly work: Work;
  readonly #places: WorkPlaces;
  readonly #accountId: string;
  readonly #onRoom: () => void;
  #place: HeldPlace;
  #isWaiting = false;

  private constructor(places: WorkPlaces, work: Work, accountId: string, place: HeldPlace, onRoom: () => void) {
    this.#places = places;
    this.work = work;
    this.#accountId = accountId;
    this.#place = place;
    this.#onRoom = onRoom;
  }

  /** Null when the account may not have one now. @param onRoom called when the job gives up its place and goes on */
  static tryTake(places: WorkPlaces, work: Work, accountId: string, onRoom: () => void): JobPlace | null {
    const place = places[work].tryTake(accountId);
    return place === null ? null : new JobPlace(places, work, accountId, place, onRoom);
  }

  /** One after the other: a job has one place. Aborting rejects with the signal's reason. */
  async onNetwork<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.work === 'fetch') return work();
    if (this.#isWaiting) throw new Error('a job waits for the network twice at once');
    this.#isWaiting = true;
    try {
      // No deadlock: a holder of a network place never waits for a place of another kind.
      const network = await this.#places.fetch.take(this.#accountId, signal);
      this.#place.leave();
      this.#onRoom();
      try {
        return await work();
      } finally {
        network.leave();
        this.#place = await this.#places[this.work].take(this.#accountId, signal);
      }
    } finally {
      this.#isWaiting = false;
    }
  }

  leave(): void {
    this.#place.leave();
  }
}

/** Fetches of one account at one host. A further job would only hold a place while it waits for the host. */
const maxFetchesAtHost = 2;

/** Running fetches, including those that have not sent a request to their host yet. */
export class HostFetches {
  readonly #hosts: Pick<HostTurns, 'busyHosts'>;
  readonly #running = new Set<{ accountId: string; host: string }>();

  constructor(hosts: Pick<HostTurns, 'busyHosts'>) {
    this.#hosts = hosts;
  }

  /** @returns to be called when the fetch has ended */
  begin(accountId: string, host: string): () => void {
    const fetch = { accountId, host };
    this.#running.add(fetch);
    return () => void this.#running.delete(fetch);
  }

  /** Hosts from which the account is to fetch nothing more for now. */
  busyHosts(accountId: string): string[] {
    const counts = new Map<string, number>();
    for (const one of this.#running)
      if (one.accountId === accountId) counts.set(one.host, (counts.get(one.host) ?? 0) + 1);
    const own = [...counts].filter(([, count]) => count >= maxFetchesAtHost).map(([host]) => host);
    return [...new Set([...own, ...this.#hosts.busyHosts(accountId)])];
  }
}
