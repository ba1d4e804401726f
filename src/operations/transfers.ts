import { z } from 'zod';
import { exampleExport, exampleImport } from '../domain/records/examples.ts';
import { exportJob, exportJobFormat, importJob } from '../domain/records/transfers/library-job.ts';
import { startOfDate } from '../domain/search/dates.ts';
import { date, listLimit, listOf, listOffset, someId } from './fields.ts';
import { defineOperation } from './operation.ts';
import { tags } from '../domain/records/content.ts';

/* Exports that the server does. The route that gets the file is a row in `http/rest/file-routes.ts`; the command line has `export`. */

const id = someId.describe('The id of the export.');
/** An export has all records of an account: a caller that may not read all of them can neither begin, end nor see one. */
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

/* Imports that the server does. Sending the file and getting the report are routes in `http/rest/file-routes.ts`. */

/** Fields sent with the file. */
export const startImportInput = z.strictObject({
  name: z.string().min(1).max(200).describe('The name of the file. The report shows it.').optional(),
  tags: tags.describe('Tags for everything that is imported, each of 1 to 100 characters without a comma.').optional(),
  follow: z
    .boolean()
    .describe('Follow the feeds of an OPML file, with their folders as tags, in place of saving them as items.')
    .optional(),
});

const importId = someId.describe('The id of the import.');
const acknowledges = ['id', 'state', 'progress', 'counts', 'failure'] as const;
const example = { input: { id: exampleImport.id }, output: exampleImport };

export const listImports = defineOperation({
  name: 'list_imports',
  title: 'List imports',
  description: 'Imports and how far they are.',
  input: z.strictObject({ limit: listLimit.default(20), offset: listOffset }),
  output: listOf(importJob),
  permission: 'content:write',
  alsoPermissions: ['content:read'],
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/imports',
    about: 'Lists the imports of the last 30 days, newest first.',
    answers: { 200: 'One page of the list.' },
  },
  example: { input: {}, output: { items: [exampleImport], total: 1, limit: 20, offset: 0 } },
  run: async (page, { imports, account }) => ({ ...(await imports.list(account, page)), ...page }),
});

export const getImport = defineOperation({
  name: 'get_import',
  title: 'Show an import',
  description: 'How far an import is, and what became of its entries.',
  input: z.strictObject({ id: importId }),
  output: importJob,
  permission: 'content:write',
  acknowledges,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/imports/:id',
    about:
      'How far an import is. It has ended when `state` is `done`, `failed` or `cancelled`. `interrupted` means that the server ended meanwhile: it can be taken up again.',
    answers: { 200: 'The import.' },
  },
  example,
  run: (input, { imports, account }) => imports.get(account, input.id),
});

export const cancelImport = defineOperation({
  name: 'cancel_import',
  title: 'Cancel an import',
  description: 'Ends an import. What it took stays.',
  input: z.strictObject({ id: importId }),
  output: importJob,
  permission: 'content:write',
  acknowledges,
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/imports/:id/cancel',
    about:
      'Ends an import. What it took until then stays, and `undo` takes it back. An import that has ended stays as it is. It takes no body.',
    answers: { 200: 'The import, which has ended.' },
  },
  example,
  run: (input, { imports, account }) => imports.cancel(account, input.id),
});

export const resumeImport = defineOperation({
  name: 'resume_import',
  title: 'Take up an import again',
  description: 'Takes up an import that was interrupted.',
  input: z.strictObject({ id: importId }),
  output: importJob,
  permission: 'content:write',
  acknowledges,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/imports/:id/resume',
    about:
      'Takes up an import that was interrupted. The file is read again from its beginning; what was imported before is skipped. It takes no body.',
    answers: { 200: 'The import, which waits for its turn.' },
  },
  example,
  run: (input, { imports, account }) => imports.resume(account, input.id),
});

export const deleteImport = defineOperation({
  name: 'delete_import',
  title: 'Forget an import',
  description: 'Cancels an import and forgets it. What it took stays.',
  input: z.strictObject({ id: importId }),
  output: importJob,
  permission: 'content:write',
  acknowledges,
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/imports/:id',
    about: 'Ends an import, and forgets it with its report. What was imported stays.',
    answers: { 200: 'The import as it was last.' },
  },
  example,
  run: (input, { imports, account }) => imports.remove(account, input.id),
});
