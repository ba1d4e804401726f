import type { Hono } from 'hono';
import { maskStrings } from '../../domain/text/clean-text.ts';
import { parseInput } from '../../operations/call.ts';
import { startImportInput } from '../../operations/imports.ts';
import { type HttpContext, type HttpEnv, respond } from '../context.ts';
import type { MountParts } from '../mount.ts';
import { receiveImport } from '../rest/file-routes.ts';
import type { BrowserReader } from '../sign-in/browser.ts';
import { withCookies } from '../sign-in/layout.ts';
import { signedOut, tokenHeader } from './api-route.ts';
import { type FindVisitor, requirePro, type Visitor } from './visitor.ts';

interface FileTransferParts {
  browsers: BrowserReader;
  findVisitor: FindVisitor;
}

/** The files that the page sends and gets: what is imported, reports of imports, and exports. Their jobs are operations. */
export function addFiles(app: Hono<HttpEnv>, parts: MountParts, { browsers, findVisitor }: FileTransferParts): void {
  const { services, sendFile } = parts;

  const requireVisitor = async (context: HttpContext): Promise<Visitor> => {
    const visitor = await findVisitor(context);
    if (visitor === null) throw signedOut();
    requirePro(visitor.person);
    return visitor;
  };

  app.post('/app/files/import', async (context) => {
    const { browser, caller } = await requireVisitor(context);
    browsers.checkToken(context, browser, context.req.raw.headers.get(tokenHeader) ?? '');
    const asked = Object.fromEntries(new URL(context.req.url).searchParams);
    const input = { ...asked, ...('follow' in asked && { follow: asked['follow'] === 'true' }) };
    const options = parseInput(startImportInput.omit({ tags: true }), 'start_import', input);
    const request = { account: caller.accountId, by: caller.name, face: 'page' as const, ...options };
    const job = await receiveImport(context, parts, request, ({ begin }) => begin());
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    return withCookies(respond(context, 201, JSON.stringify(maskStrings(job)), headers), browser);
  });

  app.get('/app/files/import/:id', async (context) => {
    const { caller } = await requireVisitor(context);
    const path = await services.imports.reportOf(caller.accountId, context.req.param('id'));
    return sendFile(context, { path, fileName: 'report.csv', mediaType: 'text/csv; charset=utf-8' });
  });

  app.get('/app/files/export/:id', async (context) => {
    const { caller } = await requireVisitor(context);
    const id = context.req.param('id');
    const { path, bytes, fileName, mediaType } = await services.exports.fileOf(caller.accountId, id);
    return sendFile(context, { path, fileName, mediaType, tag: `"${id}-${bytes}"` });
  });
}
