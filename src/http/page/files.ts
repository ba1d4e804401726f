import type { Hono } from 'hono';
import { maskStrings } from '../../domain/text/clean-text.ts';
import { parseInput } from '../../operations/call.ts';
import { startImportInput } from '../../operations/transfers.ts';
import type { HttpEnv } from '../context.ts';
import type { MountParts } from '../mount.ts';
import { receiveImport } from '../rest/file-routes.ts';
import { answerJson, type Visitors } from './visitor.ts';

/** The files that the page sends and gets: what is imported, reports of imports, and exports. Their jobs are operations. */
export function addFiles(app: Hono<HttpEnv>, parts: MountParts, visitors: Visitors): void {
  const { services, sendFile } = parts;

  app.post('/app/files/import', async (context) => {
    const { browser, caller } = await visitors.requirePage(context);
    const asked = Object.fromEntries(new URL(context.req.url).searchParams);
    const input = { ...asked, ...('follow' in asked && { follow: asked['follow'] === 'true' }) };
    const options = parseInput(startImportInput.omit({ tags: true }), 'start_import', input);
    const request = { account: caller.accountId, by: caller.name, face: 'page' as const, ...options };
    const job = await receiveImport(context, parts, request, ({ begin }) => begin());
    return answerJson(context, 201, maskStrings(job), browser);
  });

  app.get('/app/files/import/:id', async (context) => {
    const { caller } = await visitors.require(context);
    const path = await services.imports.reportOf(caller.accountId, context.req.param('id'));
    return sendFile(context, { path, fileName: 'report.csv', mediaType: 'text/csv; charset=utf-8' });
  });

  app.get('/app/files/export/:id', async (context) => {
    const { caller } = await visitors.require(context);
    const id = context.req.param('id');
    const { path, bytes, fileName, mediaType } = await services.exports.fileOf(caller.accountId, id);
    return sendFile(context, { path, fileName, mediaType, tag: `"${id}-${bytes}"` });
  });
}
