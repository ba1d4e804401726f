import { existsSync, mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../settings/config.ts';
import { databaseName } from '../../domain/links/configured-addresses.ts';
import { AppError, invalidInput, unavailable } from '../../errors.ts';
import { openPostgresStores } from '../../store/postgres/open.ts';
import type { Stores } from '../../store/store.ts';
import { type DataFolderOptions, type Installation, placesOfLibraries, type TakeTurn } from './data-folder.ts';
import type { Clock } from '../../domain/clock.ts';
import { createProviderFetch } from '../../fetching/provider-fetch.ts';
import { type ObjectStore, objectStoreBase, parseObjectStoreUrl } from '../../store/postgres/blobs/object-store.ts';
import { openS3ObjectStore } from '../../store/postgres/blobs/s3-object-store.ts';

/* An installation with its records in PostgreSQL. The data folder has only the node's own files. */

/**
 * Space for search index replicas, about 4 kB per passage; the least recently used ones are removed first. Another process on the
 * same data folder may use as much, so it is a quarter of a small disk.
 */
function maxCopyBytes(folder: string): number {
  const { blocks, bsize } = statfsSync(folder);
  return Math.min(20 * 1024 ** 3, blocks > 0 ? (blocks * bsize) / 4 : Number.MAX_SAFE_INTEGER);
}

/** As often as servers look for accounts to remove (`cli/commands/serve.ts`). */
const betweenRemovalsMs = 10 * 60_000;
/** A readiness probe that waits longer gets the answer that the database does not respond. */
const maxProbeMs = 5_000;

/** Opens the database that `databaseUrl` names. @throws {AppError} like `openPostgresStores`, naming the database */
export async function openPostgresInstallation(
  config: Config,
  { folder, clock, log, history, libraryThreads, vectors }: DataFolderOptions,
): Promise<Installation> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = databaseName(config.databaseUrl);
  const hasLibrary = existsSync(join(folder, 'control.db'));
  if (hasLibrary)
    log?.warn(
      { database: name },
      'the data folder has its own library, which is not used while databaseUrl is set; `commonplace move --to database` copies it',
    );
  const postgres = await openPostgresStores({
    url: config.databaseUrl,
    maxConnections: config.databaseConnections,
    clock,
    usesDatabaseTime: true,
    history,
    objects: openObjectStore(config, clock),
    log,
    index: {
      folder: join(folder, 'index-copies'),
      maxBytes: maxCopyBytes(folder),
      ...placesOfLibraries(libraryThreads),
      vectors,
    },
  }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `${name}: ${error.message}`, { cause: error });
  });
  const { makeLimiter, onWork } = postgres;
  const takeTurn = turnsBy(makeLimiter);
  const stores: Stores = {
    control: postgres.control,
    open: postgres.open,
    removeAccount: postgres.removeAccount,
    setAsideAccount: postgres.setAsideAccount,
    bringBackAccount: postgres.bringBackAccount,
    listSetAside: postgres.listSetAside,
    async removeExpiredAccounts() {
      // One server removes them; each forgets what it has of them.
      if (await takeTurn('accounts removed', betweenRemovalsMs)) await postgres.removeExpiredAccounts();
      await postgres.forgetRemovedAccounts();
    },
    copiesPutAside: () => [],
    adoptLibrary: () =>
      refuse(
        'A file cannot become an account of a database. Adopt it in a data folder of its own (without databaseUrl), then `commonplace move --to database`.',
      ),
    startEmpty: () => refuse('Libraries of a database are not files: none is missing. The account has its own.'),
    checkLibraries: () => Promise.resolve({ unusable: [], unknown: [] }),
    checkWritable: () => withinTime(postgres.checkWritable()),
    close: postgres.close,
  };
  const readDatabase = async () => ({ ...(await postgres.readFacts()), name, hasLibrary });
  return { stores, clock: postgres.clock, onWork, makeLimiter, takeTurn, readDatabase };
}

function refuse(message: string): Promise<never> {
  return Promise.reject(invalidInput(message));
}

/** Turns are points of a limit that all nodes share: one per interval, for the first that asks. */
export function turnsBy(makeLimiter: NonNullable<Installation['makeLimiter']>): TakeTurn {
  const limits = new Map<string, ReturnType<typeof makeLimiter>>();
  return async (name, everyMs) => {
    // A node looks every `everyMs`: its next look must not come just before the span ends.
    const duration = Math.ceil((everyMs * 0.9) / 1_000);
    const limit = limits.get(name) ?? makeLimiter({ name: 'turn', points: 1, duration });
    limits.set(name, limit);
    return limit.consume(name).then(
      () => true,
      (refused: unknown) => {
        if (refused instanceof Error) throw refused;
        return false;
      },
    );
  };
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(unavailable(`The database has not answered for ${maxProbeMs / 1_000} seconds.`)),
    maxProbeMs,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

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
