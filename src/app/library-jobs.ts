import type { Clock } from '../domain/clock.ts';
import type { Log } from '../log.ts';
import {
  createExportJobs,
  exportJobWork,
  hasExportExpired,
  type ExportJobsService,
} from '../services/library/jobs/export-jobs.ts';
import type { ExportService } from '../services/library/exporting.ts';
import { createImportJobs, importJobWork, type ImportJobsService } from '../services/library/jobs/import-jobs.ts';
import type { ImportService } from '../services/library/importing.ts';
import { LibraryJobs } from '../services/library/jobs/library-jobs.ts';
import { createLibraryJobFolders } from '../store/sqlite/files/library-job-folders.ts';

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
