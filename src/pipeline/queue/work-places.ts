import { SharedPlaces } from '../../domain/turns/shared-places.ts';
import type { WorkPlaces } from './job-place.ts';
import type { MaintenanceParts } from './maintenance-turns.ts';

/**
 * Pages fetched at once; a fetch mostly waits. A third of the places is reserved for accounts that fetch nothing yet.
 */
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

/**
 * The same parts, with a separate place for maintenance, at which accounts wait for their turn. Maintenance of one account can
 * take minutes, and would hold the only other place all that time.
 */
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
