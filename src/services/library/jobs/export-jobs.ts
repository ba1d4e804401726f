import { rename, rm, stat } from 'node:fs/promises';
import {
  exportFileName,
  exportKeptMs,
  showExport,
  type ExportJob,
  type ExportJobFormat,
  type ExportRecord,
} from '../../../domain/records/transfers/library-job.ts';
import type { Clock } from '../../../domain/clock.ts';
import { notFound, conflict } from '../../../errors.ts';
import type { LibraryJobFolders } from '../../../store/library-jobs.ts';
import type { Page, PageRequest } from '../../../store/records.ts';
import type { ExportService } from '../exporting.ts';
import { maxStoredBytes } from './import-jobs.ts';
import type { DoJob, LibraryJobs } from './library-jobs.ts';

const wholeFile = 'export';
const noSuchExport = 'There is no export with this id. The list of exports shows the ids.';

export interface ExportedFile {
  path: string;
  bytes: number;
  fileName: string;
  mediaType: string;
}

export type ExportJobsService = ReturnType<typeof createExportJobs>;

interface ExportJobsParts {
  jobs: LibraryJobs;
  folders: LibraryJobFolders;
  clock: Clock;
}

const mediaTypes: Readonly<Record<ExportJobFormat, string>> = {
  archive: 'application/zip',
  netscape: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl',
  opml: 'text/x-opml; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  todoist: 'text/csv; charset=utf-8',
};

export function createExportJobs({ jobs, folders, clock }: ExportJobsParts) {
  const find = async (account: string, id: string): Promise<ExportRecord> => {
    const job = await jobs.find(account, id);
    if (job?.kind !== 'export' || hasExportExpired(job, clock.now()))
      throw notFound(noSuchExport + jobs.ofOtherServers);
    return job;
  };
  return {
    /** @param since in milliseconds @throws {AppError} `conflict` when the account has too many jobs */
    async begin(account: string, format: ExportJobFormat, since: number | undefined): Promise<ExportJob> {
      await jobs.makeRoom(account);
      const record: ExportRecord = {
        kind: 'export',
        ...jobs.newRecord(),
        format,
        since: since ?? null,
        items: 0,
        bytes: 0,
      };
      await folders.create(account, record.id);
      await jobs.begin(account, record);
      return showExport(record);
    },
    async list(account: string, { limit, offset }: PageRequest): Promise<Page<ExportJob>> {
      const all = await jobs.list(account);
      const exports = all.filter((job) => job.kind === 'export').filter((job) => !hasExportExpired(job, clock.now()));
      return { items: exports.slice(offset, offset + limit).map(showExport), total: exports.length };
    },
    /** @throws {AppError} `not_found` */
    async get(account: string, id: string): Promise<ExportJob> {
      return showExport(await find(account, id));
    },
    /** Cancels it, and removes it with its file. @throws {AppError} `not_found` */
    async remove(account: string, id: string): Promise<ExportJob> {
      const job = await find(account, id);
      await jobs.cancel(account, id);
      const ended = await jobs.find(account, id);
      await jobs.remove(account, id);
      return showExport(ended?.kind === 'export' ? ended : job);
    },
    /** @throws {AppError} `not_found` when there is no such export, or it is not whole, or its file has expired */
    async fileOf(account: string, id: string): Promise<ExportedFile> {
      const job = await find(account, id);
      if (job.state !== 'done')
        throw notFound(`This export has no file: it is ${job.state}. Ask for it until it is done.`);
      return {
        path: folders.pathOf(account, id, wholeFile),
        bytes: job.bytes,
        fileName: exportFileName(job),
        mediaType: mediaTypes[job.format],
      };
    },
  };
}

/** Whether the file of an export has been kept long enough. */
export function hasExportExpired({ endedAt }: Pick<ExportRecord, 'endedAt'>, now: number): boolean {
  return endedAt !== null && now - endedAt > exportKeptMs;
}

export function exportJobWork(
  exporting: ExportService,
  folders: LibraryJobFolders,
  jobs: () => LibraryJobs,
): DoJob<ExportRecord> {
  return async ({ accountId, job, signal, note }) => {
    const pathOf = (name: string): string => folders.pathOf(accountId, job.id, name);
    const [folder, unfinished] = [pathOf('folder'), pathOf('unfinished')];
    const onProgress = (done: number, total: number): void => void note({ done, total });
    const request = { since: job.since ?? undefined, signal, onProgress };
    try {
      if (job.format === 'archive') {
        const { items } = await exporting.exportFolder(accountId, { ...request, place: folder });
        const { zipFolder } = await import('../../../exporting/zip-export.ts');
        await zipFolder(folder, unfinished, signal);
        await note({ items });
      } else {
        const { items } = await exporting.exportFile(accountId, job.format, { ...request, place: unfinished });
        await note({ items });
      }
      const { size } = await stat(unfinished);
      if (size + (await jobs().storedBytes(accountId)) > maxStoredBytes)
        throw conflict(
          'The file of this export is larger than the room that this account has. Delete other exports, or write it with the command line: commonplace export <folder>.',
        );
      await rename(unfinished, pathOf(wholeFile));
      await note({ bytes: size });
    } finally {
      await rm(folder, { recursive: true, force: true });
      await rm(unfinished, { force: true });
    }
  };
}
