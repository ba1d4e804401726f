import type { Hono } from 'hono';
import { AppError, httpStatus } from '../../errors.ts';
import type { Original } from '../../domain/records/resource.ts';
import { respond, type HttpContext, type HttpEnv } from '../context.ts';
import type { MountParts } from '../mount.ts';
import { redirect, sendPage, withCookies } from '../sign-in/layout.ts';
import { failurePage } from '../sign-in/sign-in-pages.ts';
import { requirePro, type Visitors } from './visitor.ts';

/** What a browser shows itself; it keeps everything else as a file. SVG is not among them, because it can hold scripts. */
const shown: ReadonlyMap<string, string> = new Map([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
  ['text/plain', 'txt'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
const kept: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['application/epub+zip', 'epub'],
]);

/**
 * A saved page is somebody else's. In the sandbox it has an origin of its own, so it knows no cookie and reaches nothing here; it
 * runs no script, sends no form, opens no window, and loads nothing but what it holds itself.
 */
const policy = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of what somebody else made. */
export const sandboxHeaders = {
  'Content-Security-Policy': policy,
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
  const isShown = shown.has(mediaType);
  const ending = shown.get(mediaType) ?? kept.get(mediaType);
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
