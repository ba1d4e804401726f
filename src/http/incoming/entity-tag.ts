import { hash } from 'node:crypto';
import { respond, type HttpContext } from '../context.ts';

/** A strong entity tag (RFC 9110, 8.8.3): about 160 bits of the body's SHA-256 hash. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** Responds with an ETag, or with 304 when If-None-Match has it. `headers` are sent with both. */
export function respondTagged(
  context: HttpContext,
  body: string,
  tag: string,
  mediaType: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const tagged = { ETag: tag, ...headers };
  const known = context.req.raw.headers.get('if-none-match');
  if (known !== null && isAmong(tag, known)) return respond(context, 304, null, tagged);
  return respond(context, 200, body, { 'Content-Type': mediaType, ...tagged });
}

/** Whether If-None-Match lists the tag. The comparison is weak (RFC 9110, 13.1.2). */
function isAmong(tag: string, list: string): boolean {
  return list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
