import { z } from 'zod';
import { exampleExport } from '../domain/records/examples.ts';
import { exportJob, exportJobFormat } from '../domain/records/transfers/library-job.ts';
import { startOfDate } from '../domain/search/dates.ts';
import { date, listLimit, listOf, listOffset, someId } from './fields.ts';
import { defineOperation } from './operation.ts';

/* Exports that the server does. The route that gets the file is a row in `http/rest/file-routes.ts`; the command line has `export`. */

const id = someId.describe('The id of the export.');
/** An export has all of an account's records: whoever may not read them all neither begins nor ends one, and sees none. */
const alsoPermissions = ['actions:read', 'goals:read', 'history:read'] as const;

export const startExport = defineOperation({
  name: 'start_export',
  title: 'Begin an export',
  description: 'Writes the library as a file.',
  input: z.strictObject({
    format: exportJobFormat
      .describe('`archive` is everything, as a ZIP archive; the others are single files for other programs.')
      .default('archive'),
    since: date
      .describe('Only what was changed on this date or later: 2026, 2026-11 or 2026-11-22, in UTC.')
      .optional(),
  }),
  output: exportJob,
  permission: 'content:read',
  alsoPermissions,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/exports',
    status: () => 201,
    about:
      'Begins to write the library as a file. Ask for the export until its `state` is `done`, then get its file, which is kept for a day.',
    answers: { 201: 'The export, which waits for its turn.' },
  },
  example: { input: { format: 'archive' }, output: exampleExport },
  run: ({ format, since }, { exports, account }) =>
    exports.begin(account, format, since === undefined ? undefined : (startOfDate(since) ?? undefined)),
});

export const listExports = defineOperation({
  name: 'list_exports',
  title: 'List exports',
  description: 'Exports and how far they are.',
  input: z.strictObject({ limit: listLimit.default(20), offset: listOffset }),
  output: listOf(exportJob),
  permission: 'content:read',
  alsoPermissions,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/exports',
    about: 'Lists the exports of the last day, newest first.',
    answers: { 200: 'One page of the list.' },
  },
  example: { input: {}, output: { items: [exampleExport], total: 1, limit: 20, offset: 0 } },
  run: async (page, { exports, account }) => ({ ...(await exports.list(account, page)), ...page }),
});

export const getExport = defineOperation({
  name: 'get_export',
  title: 'Show an export',
  description: 'How far an export is.',
  input: z.strictObject({ id }),
  output: exportJob,
  permission: 'content:read',
  alsoPermissions,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/exports/:id',
    about:
      'How far an export is. It has ended when `state` is `done`, `failed`, `cancelled` or `interrupted` (the server ended meanwhile: begin another one).',
    answers: { 200: 'The export.' },
  },
  example: { input: { id: exampleExport.id }, output: exampleExport },
  run: (input, { exports, account }) => exports.get(account, input.id),
});

export const deleteExport = defineOperation({
  name: 'delete_export',
  title: 'Delete an export',
  description: 'Cancels an export, and removes its file.',
  input: z.strictObject({ id }),
  output: exportJob,
  permission: 'content:read',
  alsoPermissions,
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/exports/:id',
    about: 'Ends an export, and removes it with its file.',
    answers: { 200: 'The export as it was last.' },
  },
  example: { input: { id: exampleExport.id }, output: exampleExport },
  run: (input, { exports, account }) => exports.remove(account, input.id),
});
