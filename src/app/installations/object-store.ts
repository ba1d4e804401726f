import { type Config, environmentName } from '../../settings/config.ts';
import type { Clock } from '../../domain/clock.ts';
import { AppError } from '../../errors.ts';
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
 * @throws {AppError} `invalid_input` when its address or its key is incomplete
 */
export function openObjectStore(config: Config, clock: Clock): ObjectStore | undefined {
  const { objectStoreUrl, objectStoreKeyId, objectStoreSecret } = config;
  if (objectStoreUrl === '') return undefined;
  if (objectStoreKeyId === '' || objectStoreSecret === '')
    throw new AppError(
      'invalid_input',
      `The object store needs a key: set ${environmentName('objectStoreKeyId')} and ${environmentName('objectStoreSecret')}.`,
    );
  const place = parseObjectStoreUrl(objectStoreUrl);
  const provider = createProviderFetch(objectStoreBase(place), maxSilenceMs, unbounded);
  const objects = openS3ObjectStore(
    { ...place, accessKeyId: objectStoreKeyId, secretAccessKey: objectStoreSecret },
    { fetch: provider.fetch, clock },
  );
  return {
    ...objects,
    async close() {
      await objects.close();
      await provider.close();
    },
  };
}
