import { z } from 'zod';
import { isoTime } from '../../clock.ts';
import { scope } from '../account.ts';
import { changeFaces } from '../change.ts';
import { tags } from '../content.ts';
import { idPattern } from '../ids.ts';

/* Imports and exports that the server does: jobs with progress, which go on when their client has gone. */

/** `interrupted`: the server ended meanwhile; an import can be taken up again. */
const libraryJobStates = ['waiting', 'running', 'done', 'failed', 'cancelled', 'interrupted'] as const;
export type LibraryJobState = (typeof libraryJobStates)[number];

export function hasEnded(state: LibraryJobState): boolean {
  return state !== 'waiting' && state !== 'running';
}

export const importOutcomes = ['taken', 'merged', 'skipped', 'failed'] as const;

const importCounts = z.object({ taken: z.int(), merged: z.int(), skipped: z.int(), failed: z.int() });
export type ImportCounts = z.infer<typeof importCounts>;

/** Single files for other programs; `ics` and `todoist` hold the action items. */
export const singleFormats = ['netscape', 'csv', 'jsonl', 'opml', 'ics', 'todoist'] as const;
export type SingleFormat = (typeof singleFormats)[number];

/** `archive`: everything, as a ZIP archive of the folder that the command `export` writes. */
export const exportJobFormat = z.enum(['archive', ...singleFormats]);
export type ExportJobFormat = z.infer<typeof exportJobFormat>;

const recorded = {
  id: z.string().regex(idPattern('j')),
  state: z.enum(libraryJobStates),
  /** Which process does it: its id, and a random number, because ids of processes are used again. */
  owner: z.object({ process: z.int(), instance: z.string() }),
  done: z.int(),
  total: z.int(),
  /** Why it failed, in words for a person. */
  failure: z.string().nullable(),
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  updatedAt: z.int(),
};

const importRecord = z.object({
  kind: z.literal('import'),
  ...recorded,
  fileName: z.string(),
  /** Of the file. */
  bytes: z.int(),
  tags,
  follow: z.boolean().default(false),
  formats: z.array(z.string()),
  counts: importCounts,
  change: z.object({
    id: z.string(),
    face: z.enum(changeFaces),
    by: z.string().nullable(),
    operation: z.string(),
    scopes: z.array(scope),
    isRecorded: z.boolean(),
  }),
});
export type ImportRecord = z.infer<typeof importRecord>;

const exportRecord = z.object({
  kind: z.literal('export'),
  ...recorded,
  format: exportJobFormat,
  since: z.int().nullable(),
  items: z.int(),
  /** Of the file, once it is whole. */
  bytes: z.int(),
});
export type ExportRecord = z.infer<typeof exportRecord>;

/** A job as it is stored. Times are milliseconds since the epoch. */
export const libraryJobRecord = z.discriminatedUnion('kind', [importRecord, exportRecord]);
export type LibraryJobRecord = z.infer<typeof libraryJobRecord>;

const shown = {
  id: z.string(),
  state: z.enum(libraryJobStates),
  failure: z.string().nullable().describe('Why it failed.'),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
};

export const importJob = z.object({
  ...shown,
  fileName: z.string(),
  bytes: z.int().describe('Of the file.'),
  tags: z.array(z.string()),
  follow: z
    .boolean()
    .describe('Whether feeds of an OPML file are followed. If not, each is an item: import the file with `follow`.'),
  progress: z.object({ done: z.int(), total: z.int() }).describe('Bytes that were read; of an archive, unpacked.'),
  counts: importCounts.describe('What became of the entries.'),
  formats: z.array(z.string()).describe('What was recognised in the file.'),
  undo: z.string().nullable().describe('Takes the whole import back, for 30 days; null when nothing was changed.'),
});
export type ImportJob = z.infer<typeof importJob>;

export const exportJob = z.object({
  ...shown,
  format: exportJobFormat,
  since: z.string().nullable(),
  progress: z.object({ done: z.int(), total: z.int() }).describe('Items.'),
  items: z.int().describe('How many items the file has.'),
  bytes: z.int().nullable().describe('Of the file; null until it is whole.'),
  fileName: z.string().describe('A name for the file.'),
  expiresAt: z.string().nullable().describe('When the file is removed; null until it is whole.'),
});
export type ExportJob = z.infer<typeof exportJob>;

/** How long the file of an export is kept. */
export const exportKeptMs = 24 * 60 * 60_000;

/** Of formats that are not the ending themselves. */
const endings: Partial<Record<ExportJobFormat, string>> = { archive: 'zip', netscape: 'html', todoist: 'csv' };

export function exportFileName({ format, createdAt }: Pick<ExportRecord, 'format' | 'createdAt'>): string {
  return `commonplace-${isoTime(createdAt).slice(0, 10)}.${endings[format] ?? format}`;
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

function shownOf({ id, state, failure, createdAt, startedAt, endedAt }: LibraryJobRecord) {
  return {
    id,
    state,
    failure,
    createdAt: isoTime(createdAt),
    startedAt: timeOf(startedAt),
    endedAt: timeOf(endedAt),
  };
}

export function showImport(record: ImportRecord): ImportJob {
  const { fileName, bytes, tags: given, follow, done, total, counts, formats, change } = record;
  return {
    ...shownOf(record),
    fileName,
    bytes,
    tags: given,
    follow,
    progress: { done, total },
    counts,
    formats,
    undo: change.isRecorded ? change.id : null,
  };
}

export function showExport(record: ExportRecord): ExportJob {
  const { format, since, done, total, items, bytes, state, endedAt } = record;
  const isWhole = state === 'done' && endedAt !== null;
  return {
    ...shownOf(record),
    format,
    since: timeOf(since),
    progress: { done, total },
    items,
    bytes: isWhole ? bytes : null,
    fileName: exportFileName(record),
    expiresAt: isWhole ? isoTime(endedAt + exportKeptMs) : null,
  };
}
