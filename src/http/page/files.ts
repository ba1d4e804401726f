import type { Hono } from 'hono';
import { z } from 'zod';
import { maskStrings } from '../../domain/text/clean-text.ts';
import { parseInput } from '../../operations/call.ts';
import { startImportInput } from '../../operations/imports.ts';
import { type HttpContext, type HttpEnv, respond } from '../context.ts';
import type { MountParts } from '../mount.ts';
import { markdownName, maxFileBytes, nameOf } from '../rest/capture.ts';
import { receiveImport } from '../rest/file-routes.ts';
import type { BrowserReader } from '../sign-in/browser.ts';
import { withCookies } from '../sign-in/layout.ts';
import { signedOut, tokenHeader } from './api-route.ts';
import { type FindVisitor, requirePro, type Visitor } from './visitor.ts';
import { isoTime } from '../../domain/clock.ts';
import { newChange } from '../../domain/records/change.ts';
import { addressOfUpload } from '../../domain/links/uploaded-file.ts';
import { notes, tags } from '../../domain/records/content.ts';
import { AppError } from '../../errors.ts';
import { saveContent } from '../../operations/content/save-content.ts';
import type { LibraryWatch } from './library-watch.ts';

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
    const { name } = parseInput(startImportInput.pick({ name: true }), 'start_import', asked);
    const request = { account: caller.accountId, by: caller.name, face: 'page' as const, name };
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

const about = z.strictObject({
  name: z.string().max(1_000),
  tags: tags.optional(),
  notes: notes.optional(),
});

interface FileParts {
  browsers: BrowserReader;
  findVisitor: FindVisitor;
  watch: LibraryWatch;
}

/**
 * Saves a file that a person chose or dropped: `POST /app/file?name=report.pdf` with its bytes as body. They are held in memory under the
 * same budget as all bodies, and nobody looks into them here: reading them is the work of the reading process.
 */
export function addFileRoute(app: Hono<HttpEnv>, parts: MountParts, { browsers, findVisitor, watch }: FileParts): void {
  const maxBytes = Math.min(maxFileBytes, parts.config.fetchMaxMegabytes * 2 ** 20);
  app.post('/app/file', async (context) => {
    const visitor = await findVisitor(context);
    if (visitor === null) throw new AppError('unauthorized', 'You are not signed in any more. Load the page again.');
    const { browser, caller, person } = visitor;
    browsers.checkToken(context, browser, context.req.raw.headers.get(tokenHeader) ?? '');
    requirePro(person);
    const { searchParams } = new URL(context.req.url);
    const given = parseInput(about, saveContent.name, {
      name: searchParams.get('name') ?? '',
      ...(searchParams.has('tag') && { tags: searchParams.getAll('tag') }),
      ...(searchParams.has('notes') && { notes: searchParams.get('notes') }),
    });
    const { bytes, hash } = await parts.bodies.readFile(context, maxBytes);
    const name = nameOf(given.name);
    const url = addressOfUpload(name, hash);
    const author = {
      account: caller.accountId,
      change: newChange({
        face: 'page',
        by: caller.name ?? null,
        operation: saveContent.name,
        scopes: ['content:write'],
      }),
    };
    const declaredType = markdownName.test(name) ? 'text/markdown' : null;
    const resource = { url, finalUrl: url, bytes, declaredType, fetchedAt: isoTime(parts.clock.now()) };
    const saved = await parts.services.library.saveResource(
      author,
      resource,
      { tags: given.tags, notes: given.notes, known: { title: name } },
      { signal: context.req.raw.signal },
    );
    watch.add(caller.accountId, saved.id);
    const answer = {
      id: saved.id,
      title: saved.title,
      status: saved.status,
      outcome: saved.outcome,
      ...(author.change.isRecorded && { undo: author.change.id }),
    };
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    return withCookies(respond(context, 200, JSON.stringify(answer), headers), browser);
  });
}
