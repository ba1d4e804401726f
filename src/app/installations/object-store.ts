import type { Config } from '../../settings/config.ts';
import type { Clock } from '../../domain/clock.ts';
import { createProviderFetch } from '../../fetching/provider-fetch.ts';
import { objectStoreBase, parseObjectStoreUrl } from '../../store/postgres/blobs/object-store-options.ts';
import type { ObjectStore } from '../../store/postgres/blobs/object-store.ts';
import { openS3ObjectStore } from '../../store/postgres/blobs/s3-object-store.ts';

/** The object store bounds its attempts itself, by their bytes, and reads no more than it asked for. */
const maxSilenceMs = 300_000;
const unbounded = -1;

/**
 * Opens the object store that the settings name; undefined when they name none. Nothing is asked of it yet.
 * @param clock of this machine: requests are signed with its time
 * @throws {AppError} `invalid_input` when its address is incomplete
 */
export function openObjectStore(config: Config, clock: Clock): ObjectStore | undefined {
  const { objectStoreUrl } = config;
  if (objectStoreUrl === '') return undefined;
  const options = parseObjectStoreUrl(objectStoreUrl);
  const provider = createProviderFetch(objectStoreBase(options), maxSilenceMs, unbounded);
  const objects = openS3ObjectStore(options, { fetch: provider.fetch, clock });
  return {
    ...objects,
    async close() {
      await objects.close();
      await provider.close();
    },
  };
}
