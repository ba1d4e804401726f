import type { Hono } from 'hono';
import { maskStrings } from '../../domain/text/clean-text.ts';
import { parseInput } from '../../operations/call.ts';
import { startImportInput } from '../../operations/transfers.ts';
import { type HttpEnv, respond, type HttpContext } from '../context.ts';
import type { MountParts } from '../mount.ts';
import { receiveImport } from '../rest/file-routes.ts';
import { answerJson, type Visitors, requirePro } from './visitor.ts';
import { AppError, httpStatus } from '../../errors.ts';
import type { Original } from '../../domain/records/resource.ts';
import { redirect, sendPage, failurePage } from '../sign-in/sign-in-pages.ts';
import type { Picture, PictureKind } from '../../services/library/pictures.ts';
import { markup } from '../docs/markup.ts';
import { withCookies } from '../sign-in/browser.ts';

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

/** Types that a browser displays; it downloads everything else. SVG is excluded, because it can hold scripts. */
const displayedTypes: ReadonlyMap<string, string> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
  ['text/plain', 'txt'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
const downloadedTypes: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['application/epub+zip', 'epub'],
]);

/**
 * A saved page is foreign content. In the sandbox it has its own origin, so it has no cookie and reaches nothing here; it runs no
 * script, sends no form, opens no window, and loads only its own content.
 */
const sandboxPolicy = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers for foreign content. */
const sandboxHeaders = {
  'Content-Security-Policy': sandboxPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  Vary: 'Cookie',
};

/** The bytes from which an item was made, as they were fetched or given. */
export function addOriginals(app: Hono<HttpEnv>, { services, beginLarge }: MountParts, visitors: Visitors): void {
  app.get('/app/original/:id', async (context) => {
    const visitor = await visitors.find(context);
    if (visitor === null) return redirect(context, { cookies: [] }, '/');
    requirePro(visitor.person);
    await beginLarge(context);
    const id = context.req.param('id');
    try {
      const original = await services.library.getOriginal(visitor.person.accountId, id);
      return withCookies(sendOriginal(context, id, original), visitor.browser);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const body = failurePage('No original', error.message);
      return sendPage(context, visitor.browser, { title: 'No original', status: httpStatus[error.code], body });
    }
  });
}

function sendOriginal(context: HttpContext, id: string, { bytes, declaredType }: Original): Response {
  const { mediaType, charset } = typeOf(declaredType ?? '');
  const isShown = displayedTypes.has(mediaType);
  const ending = displayedTypes.get(mediaType) ?? downloadedTypes.get(mediaType);
  const known = ending === undefined ? 'application/octet-stream' : mediaType;
  const fileName = ending === undefined ? id : `${id}.${ending}`;
  return respond(context, 200, new Uint8Array(bytes), {
    'Content-Type': charset === '' ? known : `${known}; charset=${charset}`,
    'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename="${fileName}"`,
    ...sandboxHeaders,
    'Cache-Control': 'private, no-store',
  });
}

/** The declared type, as far as it may be given on. */
function typeOf(declared: string): { mediaType: string; charset: string } {
  const [type = '', ...parameters] = declared.slice(0, 200).toLowerCase().split(';');
  const charset =
    parameters
      .map((one) => one.trim())
      .find((one) => one.startsWith('charset='))
      ?.slice('charset='.length) ?? '';
  return { mediaType: type.trim(), charset: /^[\w-]{1,40}$/.test(charset) ? charset : '' };
}

const daySeconds = 86_400;

/** The icon of an item's site, or the item's picture; otherwise a letter on a colour. */
export function addPictures(app: Hono<HttpEnv>, { services, requireRoom }: MountParts, visitors: Visitors): void {
  app.get('/app/picture/:id', async (context) => {
    const visitor = await visitors.require(context);
    const kind: PictureKind = context.req.query('kind') === 'picture' ? 'picture' : 'icon';
    const picture = await services.pictures.get(visitor.person.accountId, context.req.param('id'), kind);
    requireRoom(context);
    const { shown, isUnderWay } = picture;
    const answer = respond(context, 200, shown === null ? letterOf(picture, kind) : new Uint8Array(shown.bytes), {
      'Content-Type': shown?.mediaType ?? 'image/svg+xml',
      ...sandboxHeaders,
      'Cache-Control': isUnderWay ? 'private, no-store' : `private, max-age=${daySeconds}`,
    });
    return withCookies(answer, visitor.browser);
  });
}

/** Height of the picture of a card that is still under way. The page asks for it again (`web/parts/pictures.tsx`). */
const underWayHeight = 33;

function letterOf({ item, isUnderWay }: Picture, kind: PictureKind): string {
  const host = URL.parse(item.url ?? '')?.host.replace(/^www\./, '') ?? '';
  const letter = /[\p{L}\p{N}]/u.exec(item.siteName ?? (host || (item.title ?? '')))?.[0].toUpperCase() ?? '·';
  let hue = 0;
  for (const character of host) hue = (hue * 31 + (character.codePointAt(0) ?? 0)) % 360;
  const [width, round] = kind === 'icon' ? [32, 6] : [57, 0];
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${isUnderWay ? underWayHeight : 32}" viewBox="0 0 ${width} 32"><rect width="${width}" height="32" rx="${round}" fill="hsl(${hue} 35% 42%)"/><text x="${width / 2}" y="22.500" text-anchor="middle" font-family="sans-serif" font-size="18" fill="#fff">${letter}</text></svg>`
    .html;
}
