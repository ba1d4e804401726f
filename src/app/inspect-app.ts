import { type Config, proxiesOf } from '../settings/config.ts';
import { type Proxies, ProxyError, proxyUrl } from '../domain/links/proxies.ts';
import type { Clock } from '../domain/clock.ts';
import { localAccountId } from '../domain/records/account.ts';
import type { Embedder } from '../models/embedding/index.ts';
import { type Check, checkLibraryFiles, databaseCheck, inspect } from '../services/operating/inspection.ts';
import type { Installation } from './installations/data-folder.ts';
import type { QueueCounter } from '../services/operating/queue-figures.ts';
import type { Stores } from '../store/store.ts';
import { describeEmbedder } from './choose-embedder.ts';
import type { LlmAnalysis } from './open-llm-analysis.ts';
import type { LlmAnalysisQueue } from '../pipeline/llm-analysis-queue.ts';
import { existsSync, realpathSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { whyMailboxIsShut } from '../pipeline/sources/mailbox.ts';
import { mailboxOf } from './processing.ts';

interface InspectedParts {
  stores: Stores;
  readDatabase: Installation['readDatabase'];
  clock: Clock;
  queues: QueueCounter;
  embedder: Embedder | null;
  llm: Pick<LlmAnalysis, 'analyst' | 'queue'>;
  /** Memory that the machine, or the container, has. */
  megabytes: number;
}

/** A person waits for `doctor` while the queues of all accounts are counted. */
const maxCountingMs = 5_000;

export async function inspectApp(config: Config, parts: InspectedParts): Promise<Check[]> {
  const { stores, readDatabase, clock, queues, embedder, megabytes } = parts;
  const { analyst, queue } = parts.llm;
  const libraries = await checkLibraryFiles(stores);
  // All other checks read this library.
  if (libraries.unusable.includes(localAccountId)) return [libraries.check];
  const checks = await inspect(stores, {
    account: localAccountId,
    now: clock.now(),
    nodeVersion: process.versions.node,
    dataFolder: config.data,
    dataPlace: dataPlaceOf(config.data),
    allowPrivateAddresses: config.allowPrivateAddresses,
    queues: await queues.count(maxCountingMs),
    memoryMegabytes: megabytes,
    embedder: embedder === null ? null : await describeEmbedder(config, embedder),
    llm:
      analyst === null || queue === null
        ? null
        : {
            model: analyst.model,
            waitsFor: await queue.whyWaiting(),
            dollarsPerDay: config.claudeDollarsPerDay,
          },
    recognition: {
      wanted: config.ocr === 'on',
      missing: (await import('../sources/host/index.ts')).missingPackages(),
    },
  });
  const storage = readDatabase === undefined ? libraries.check : databaseCheck(await readDatabase());
  return [...checks, storage, ...(await proxyChecks(proxiesOf(config))), ...(await mailboxChecks(config))];
}

const maxMailboxMs = 15_000;

async function mailboxChecks(config: Config): Promise<Check[]> {
  const mailbox = mailboxOf(config);
  if (mailbox === null) return [];
  const failure = await whyMailboxIsShut(mailbox, AbortSignal.timeout(maxMailboxMs));
  const name = 'Mailbox';
  return failure === null
    ? [{ name, state: 'ok', detail: 'its folder can be opened.' }]
    : [{ name, state: 'error', detail: failure }];
}

const maxProxyMs = 3_000;

async function proxyChecks({ proxy: text, exceptions, resolves }: Proxies): Promise<Check[]> {
  if (text === '') return [];
  const name = 'Proxy';
  const proxy = proxyUrl(text);
  if (proxy === null) return [{ name, state: 'error', detail: 'its address cannot be read.' }];
  try {
    (await (await import('../fetching/tunnel.ts')).connectToProxy(proxy, maxProxyMs)).destroy();
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    return [{ name, state: 'error', detail: error.message }];
  }
  const without = exceptions.length === 0 ? '' : `, except for ${exceptions.join(', ')}`;
  const names = resolves
    ? 'it looks names up, so one that leads into its network is not noticed'
    : 'names are looked up here';
  return [{ name, state: 'ok', detail: `${proxy.host}${without}; ${names}` }];
}

interface ReadinessParts {
  stores: Stores;
  embedder: Embedder | null;
  llmQueue: Pick<LlmAnalysisQueue, 'whyWaiting'> | null;
}

/** A short state for each part; throws when the data folder cannot be used. */
export async function checkReadiness(
  config: Config,
  { stores, embedder, llmQueue }: ReadinessParts,
): Promise<Record<string, string>> {
  await stores.checkWritable();
  await (await stores.open(localAccountId)).nextJobDueAt();
  return {
    store: 'ok',
    queue: config.workers === 0 ? 'left to another process' : 'processing',
    embedder: embedder === null ? 'off' : config.embedder,
    model: llmQueue === null ? 'off' : (await llmQueue.whyWaiting()) === null ? 'on' : 'paused',
  };
}

export interface DataPlace {
  /** The sync service whose folder the data folder is in; null when it is in none. */
  syncService: string | null;
  /** The network file system that it is on; null when it is on none. */
  networkDrive: string | null;
  /** Free space on its disk; null if unknown. */
  freeBytes: number | null;
}

/** Finds out which service or network drive holds the data folder, and its free room: some places damage it. */
export function dataPlaceOf(folder: string): DataPlace {
  try {
    const path = realpathSync(folder);
    const { type, blocks, bavail, bsize } = statfsSync(path);
    return {
      syncService: syncServiceOf(path, (above, file) => existsSync(join(above, file))),
      networkDrive: networkDriveOf(path, type, process.platform),
      // Some network file systems report no sizes.
      freeBytes: blocks > 0 ? bavail * bsize : null,
    };
  } catch {
    // Other checks say what is wrong with the folder.
    return { syncService: null, networkDrive: null, freeBytes: null };
  }
}

/*
 * Places where a data folder gets damaged. A sync service copies a database and its log one after the other, and puts back
 * files of another machine while the program has them open. On network drives locks and shared memory of SQLite do not
 * work as on a disk (https://sqlite.org/useovernet.html).
 */

/** Names of folders that a sync service makes, in any case. The name may go on after a space or a hyphen. */
const namedFolders: readonly [service: string, names: readonly string[]][] = [
  ['iCloud Drive', ['mobile documents', 'iclouddrive', 'icloud drive']],
  ['Dropbox', ['dropbox']],
  ['OneDrive', ['onedrive']],
  ['Google Drive', ['google drive', 'googledrive', 'my drive', 'drivefs']],
  ['Nextcloud', ['nextcloud']],
  ['pCloud', ['pcloud', 'pclouddrive']],
  ['MEGA', ['megasync']],
];

/** Files that a sync service puts into the folder that it syncs. */
const markers: readonly [service: string, file: string][] = [
  ['Syncthing', '.stfolder'],
  ['Dropbox', '.dropbox.cache'],
  ['Nextcloud', '.nextcloudsync.log'],
  ['Resilio Sync', '.sync'],
  ['Seafile', '.seafile-data'],
];

/**
 * The sync service that a folder is in; null when none is known.
 * @param path absolute, without symbolic links
 * @param has whether a folder has a file
 */
export function syncServiceOf(path: string, has: (folder: string, file: string) => boolean): string | null {
  const separator = path.includes('\\') && !path.startsWith('/') ? '\\' : '/';
  const parts = path.split(separator);
  for (const [index, part] of parts.entries()) {
    const name = part.toLowerCase();
    const named = namedFolders.find(([, names]) =>
      names.some((known) => name === known || name.startsWith(`${known} `) || name.startsWith(`${known}-`)),
    );
    if (named !== undefined) return named[0];
    const folder = parts.slice(0, index + 1).join(separator);
    const marked = folder === '' ? undefined : markers.find(([, file]) => has(folder, file));
    if (marked !== undefined) return marked[0];
  }
  return null;
}

/** File systems over a network, by the magic numbers of Linux (`statfs(2)`). */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x01021997, '9P'],
]);

/** The network file system that a folder is on; null when it is on none that is known. */
export function networkDriveOf(path: string, fileSystem: number | null, platform: string): string | null {
  // A path to a share of another machine.
  if (platform === 'win32' && path.startsWith('\\\\') && !path.startsWith('\\\\?\\') && !path.startsWith('\\\\.\\'))
    return 'SMB';
  return platform === 'linux' && fileSystem !== null ? (networkFileSystems.get(fileSystem) ?? null) : null;
}
