import type { Hono } from 'hono';
import { z } from 'zod';
import { isoTime } from '../../domain/clock.ts';
import { newChange } from '../../domain/records/change.ts';
import { addressOfUpload } from '../../domain/links/uploaded-file.ts';
import { notes, tags } from '../../domain/records/content.ts';
import { cleanLine } from '../../domain/text/clean-text.ts';
import { AppError } from '../../errors.ts';
import { parseInput } from '../../operations/call.ts';
import { saveContent } from '../../operations/content/save-content.ts';
import { respond, type HttpEnv } from '../context.ts';
import type { MountParts } from '../mount.ts';
import { type BrowserReader } from '../sign-in/browser.ts';
import { withCookies } from '../sign-in/layout.ts';
import { tokenHeader } from './api-route.ts';
import type { LibraryWatch } from './library-watch.ts';
import { type FindVisitor, requirePro } from './visitor.ts';

/** Above this size a file is saved from the command line, which reads it from the disk. */
const maxFileBytes = 32 * 2 ** 20;
const maxNameLength = 150;
/** What browsers call files whose type they do not know; Markdown cannot be told from the bytes of a text. */
const markdownName = /\.(?:md|markdown|mdown|mkd)$/i;

const about = z.strictObject({
  name: z.string().max(1_000),
  tags: tags.optional(),
  notes: notes.optional(),
});

export interface FileParts {
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

/** The last part of the given name, in one line. */
function nameOf(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  return cleanLine(last).slice(0, maxNameLength).toWellFormed() || 'file';
}
