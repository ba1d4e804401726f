import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Author } from '../../../domain/records/change.ts';
import { showImport, type ImportJob, type ImportRecord } from '../../../domain/records/transfers/library-job.ts';
import { toldWhenFull } from '../../../domain/machine-limits.ts';
import { AppError, invalidInput, notFound, conflict } from '../../../errors.ts';
import type { LibraryJobFolders } from '../../../store/library-jobs.ts';
import type { Page, PageRequest } from '../../../store/records.ts';
import { type ImportService, openImportReport } from '../importing.ts';
import { type DoJob, isInterrupted, type LibraryJobs } from './library-jobs.ts';

/** The longest file that is taken. */
export const maxUploadBytes = 200 * 2 ** 20;
/** Limit for all files of an account: waiting uploads, and exports. */
export const maxStoredBytes = 2 * 2 ** 30;

const reportFile = 'report.csv';
const uploadFolder = 'upload';
/** File systems take names of 255 bytes, or fewer where they encrypt them. */
const maxNameBytes = 140;
const noSuchImport = 'There is no import with this id. The list of imports shows the ids.';

/** A file that came in, and for which there is no job yet. */
export interface Upload {
  id: string;
  /** The name that the client gave, without what no file system allows. */
  fileName: string;
  bytes: number;
  hash: string;
}

export type ImportJobsService = ReturnType<typeof createImportJobs>;

interface ImportJobsParts {
  jobs: LibraryJobs;
  folders: LibraryJobFolders;
}

export function createImportJobs({ jobs, folders }: ImportJobsParts) {
  /** Accounts whose file is coming in. */
  const receiving = new Set<string>();
  const receive: ImportJobsService['receive'] = async (account, givenName, body) => {
    await jobs.makeRoom(account);
    if ((await jobs.storedBytes(account)) >= maxStoredBytes)
      throw conflict(
        'The exports and uploads of this account take all the room that they may. Delete an export, or wait until it expires.',
      );
    const fileName = fileNameOf(givenName);
    const { id } = jobs.newRecord();
    await folders.create(account, id);
    const path = folders.pathOf(account, id, join(uploadFolder, fileName));
    await mkdir(dirname(path), { mode: 0o700 });
    const hash = createHash('sha256');
    let bytes = 0;
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of body) {
        bytes += piece.length;
        if (bytes > maxUploadBytes)
          throw new AppError(
            'payload_too_large',
            `The file is larger than ${maxUploadBytes} bytes, the limit here. Import it with the command line: commonplace import <file>.`,
          );
        hash.update(piece);
        // `writeFile` goes on until all is written; `write` may write less than it is given.
        await file.writeFile(piece);
      }
      if (bytes === 0) throw invalidInput('The body is empty: send the file that is to be imported.');
    } catch (error) {
      await file.close();
      await folders.remove(account, id);
      throw toldWhenFull(error, 'There is too little room for the file here. Free some space, or send a smaller one.');
    }
    await file.close();
    return { id, fileName, bytes, hash: hash.digest('base64url') };
  };
  const find = async (account: string, id: string): Promise<ImportRecord> => {
    const job = await jobs.find(account, id);
    if (job?.kind !== 'import') throw notFound(noSuchImport + jobs.ofOtherServers);
    return job;
  };
  return {
    /** @throws {AppError} `payload_too_large`; `conflict` for too many jobs or files; what `body` throws */
    async receive(account: string, givenName: string, body: AsyncIterable<Uint8Array>): Promise<Upload> {
      if (receiving.has(account))
        throw conflict('Another file is coming in for this account. Send files one after the other.');
      receiving.add(account);
      try {
        return await receive(account, givenName, body);
      } finally {
        receiving.delete(account);
      }
    },
    /** Removes a file for which there will be no job. */
    async discard(account: string, { id }: Upload): Promise<void> {
      await folders.remove(account, id);
    },
    async begin(
      { account, change }: Author,
      { id, fileName, bytes }: Upload,
      options: { tags: string[]; follow: boolean },
    ): Promise<ImportJob> {
      const record: ImportRecord = {
        kind: 'import',
        ...jobs.newRecord(),
        id,
        fileName,
        bytes,
        ...options,
        total: bytes,
        formats: [],
        counts: { taken: 0, merged: 0, skipped: 0, failed: 0 },
        change: { ...change, scopes: [...change.scopes] },
      };
      await jobs.begin(account, record);
      return showImport(record);
    },
    async list(account: string, { limit, offset }: PageRequest): Promise<Page<ImportJob>> {
      const all = (await jobs.list(account)).filter((job) => job.kind === 'import');
      return { items: all.slice(offset, offset + limit).map(showImport), total: all.length };
    },
    /** @throws {AppError} `not_found` */
    async get(account: string, id: string): Promise<ImportJob> {
      return showImport(await find(account, id));
    },
    /** Imported items stay. @throws {AppError} `not_found` */
    async cancel(account: string, id: string): Promise<ImportJob> {
      await find(account, id);
      await jobs.cancel(account, id);
      return showImport(await find(account, id));
    },
    /** @throws {AppError} `not_found`; `conflict` when it was not interrupted */
    async resume(account: string, id: string): Promise<ImportJob> {
      const job = await find(account, id);
      if (job.state !== 'interrupted') throw conflict('Only an import that was interrupted can be taken up again.');
      await jobs.beginAgain(account, job);
      return showImport(await find(account, id));
    },
    /** Cancels it, and forgets it with its report. @throws {AppError} `not_found` */
    async remove(account: string, id: string): Promise<ImportJob> {
      await find(account, id);
      await jobs.cancel(account, id);
      const ended = await find(account, id);
      await jobs.remove(account, id);
      return showImport(ended);
    },
    /** The path of the report: a table with a line for each entry. @throws {AppError} `not_found` */
    async reportOf(account: string, id: string): Promise<string> {
      const { startedAt } = await find(account, id);
      if (startedAt === null) throw conflict('This import has no report yet: it waits for its turn. Ask again later.');
      return folders.pathOf(account, id, reportFile);
    },
  };
}

/** A name that is one on every system: the ending tells some formats, and the report shows it. */
function fileNameOf(given: string): string {
  const name = given.replaceAll(/[\p{C}/\\:*?"<>|]/gu, '_').trim();
  const characters = Array.from(name.slice(-maxNameBytes));
  while (Buffer.byteLength(characters.join('')) > maxNameBytes) characters.shift();
  const short = characters.join('');
  return /^\.*$/.test(short) ? 'upload' : short;
}

export function importJobWork(importing: ImportService, folders: LibraryJobFolders): DoJob<ImportRecord> {
  return async ({ accountId, job, signal, note }) => {
    const pathOf = (name: string): string => folders.pathOf(accountId, job.id, name);
    await rm(pathOf(reportFile), { force: true });
    const report = await openImportReport(pathOf(reportFile));
    const change = { ...job.change };
    const counts = { taken: 0, merged: 0, skipped: 0, failed: 0 };
    const formats = new Set<string>();
    const progress = { done: 0, total: job.total };
    const noted = () => note({ ...progress, counts: { ...counts }, formats: [...formats], change: { ...change } });
    try {
      await importing.import(
        { account: accountId, change },
        {
          place: pathOf(join(uploadFolder, job.fileName)),
          tags: job.tags,
          follow: job.follow,
          isUpload: true,
          signal,
          async onResults(results, { bytesRead, bytesTotal }) {
            for (const { outcome, format } of results) {
              counts[outcome] += 1;
              if (format !== '' && formats.size < 20) formats.add(format);
            }
            await report.add(results);
            [progress.done, progress.total] = [bytesRead, bytesTotal];
            await noted();
          },
        },
      );
      progress.done = progress.total;
    } finally {
      await report.close();
      await noted();
      // A job that was interrupted needs it again.
      if (!isInterrupted(signal)) await rm(pathOf(uploadFolder), { recursive: true, force: true });
    }
  };
}
