import { hash } from 'node:crypto';
import { respond, type HttpContext } from '../context.ts';

/** A strong entity tag (RFC 9110, 8.8.3): about 160 bits of the body's SHA-256 hash. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** Responds with an ETag, or with 304 when If-None-Match has it. `headers` are sent with both, but for the Content-Type. */
export function respondTagged(
  context: HttpContext,
  body: string | Uint8Array<ArrayBuffer>,
  tag: string,
  { 'Content-Type': mediaType = 'application/json', ...headers }: Readonly<Record<string, string>>,
): Response {
  const tagged = { ETag: tag, ...headers };
  if (isKnown(context, tag)) return respond(context, 304, null, tagged);
  return respond(context, 200, body, { 'Content-Type': mediaType, ...tagged });
}

/** Whether the client has the answer with this tag already (If-None-Match). */
export function isKnown(context: HttpContext, tag: string): boolean {
  const known = context.req.raw.headers.get('if-none-match');
  return known !== null && isAmong(tag, known);
}

/** Whether If-None-Match lists the tag. The comparison is weak (RFC 9110, 13.1.2). */
function isAmong(tag: string, list: string): boolean {
  return list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
