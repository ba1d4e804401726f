import type { Clock } from '../domain/clock.ts';
import { lazily } from '../domain/lazily.ts';
import type { Log } from '../workers/log.ts';
import type { RequestThread } from '../requests/request-thread.ts';
import type { ExportService } from '../services/library/exporting.ts';
import { createImportService, type ImportService } from '../services/library/importing.ts';
import type { VaultService } from '../services/library/vault/vault.ts';
import type { Stores } from '../store/store.ts';
import type { SourceReading } from './create-reading.ts';
import {
  createExportJobs,
  exportJobWork,
  hasExportExpired,
  type ExportJobsService,
} from '../services/library/jobs/export-jobs.ts';
import { createImportJobs, importJobWork, type ImportJobsService } from '../services/library/jobs/import-jobs.ts';
import { LibraryJobs } from '../services/library/jobs/library-jobs.ts';
import { createLibraryJobFolders } from '../store/library-jobs.ts';

/** Imports and exports: those that a caller waits for, and background jobs. */
interface Transfers {
  importing: ImportService;
  exporting: ExportService;
  vaults: VaultService;
  libraryJobs: LibraryJobServices;
}

interface TransferParts {
  stores: Stores;
  clock: Clock;
  log: Log;
  version: string;
  /** The id of the current model; a server's id is known only after its first answer. Null without a model. */
  embedderId: () => string | null;
  reading: Pick<SourceReading, 'readFile'>;
  requests: Pick<RequestThread, 'makeOriginal'>;
  /** True if several servers share the library. */
  isShared: boolean;
  onQueued(): void;
}

/** @param dataFolder where the files of exports and of unfinished imports are */
export function openTransfers(dataFolder: string, parts: TransferParts): Transfers {
  const { stores, clock, log, version, embedderId, reading, requests, isShared, onQueued } = parts;
  const importing = createImportService({
    stores,
    clock,
    readFile: reading.readFile,
    readOriginal: async (...asked) => (await import('../importing/reading/own-originals.ts')).readOwnOriginal(...asked),
    makeOriginal: requests.makeOriginal,
    readExport: async (...asked) => (await import('../importing/import-thread.ts')).readInThread(...asked),
    onQueued,
  });
  const exporter = lazily(async () => {
    const { createExportService } = await import('../services/library/exporting.ts');
    return createExportService({ stores, clock, version, embedderId });
  });
  const exporting: ExportService = {
    exportFolder: async (...asked) => (await exporter.get()).exportFolder(...asked),
    exportFile: async (...asked) => (await exporter.get()).exportFile(...asked),
  };
  const vaults: VaultService = {
    open: async (...asked) =>
      (await import('../services/library/vault/vault.ts')).createVaultService({ stores, clock }).open(...asked),
  };
  const listShared = isShared ? () => listAllAccounts(stores) : null;
  return {
    importing,
    exporting,
    vaults,
    libraryJobs: openLibraryJobs(dataFolder, { importing, exporting, clock, log, listShared }),
  };
}

/** Those that can be brought back, too. */
async function listAllAccounts(stores: Stores): Promise<string[]> {
  const [accounts, setAside] = await Promise.all([stores.control.listAccounts(), stores.listSetAside()]);
  return [...accounts, ...setAside].map(({ id }) => id);
}

export interface LibraryJobServices {
  importJobs: ImportJobsService;
  exportJobs: ExportJobsService;
  removeExpired(): Promise<void>;
  close(): Promise<void>;
}

/** Imports and exports that go on when their client has gone. */
export function openLibraryJobs(
  dataFolder: string,
  {
    listShared = null,
    ...parts
  }: {
    importing: ImportService;
    exporting: ExportService;
    clock: Clock;
    log: Log;
    listShared?: (() => Promise<readonly string[]>) | null;
  },
): LibraryJobServices {
  const { importing, exporting, clock, log } = parts;
  const folders = createLibraryJobFolders(dataFolder);
  const jobs: LibraryJobs = new LibraryJobs({
    folders,
    listShared,
    clock,
    log,
    doImport: importJobWork(importing, folders),
    doExport: exportJobWork(exporting, folders, () => jobs),
  });
  return {
    importJobs: createImportJobs({ jobs, folders }),
    exportJobs: createExportJobs({ jobs, folders, clock }),
    removeExpired: () =>
      jobs.removeExpired((record) => record.kind === 'export' && hasExportExpired(record, clock.now())),
    close: () => jobs.close(),
  };
}
