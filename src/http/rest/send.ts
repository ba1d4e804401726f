import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { respond, type HttpContext } from '../context.ts';

const gzipped = promisify(gzip);

/** A successful answer, before it is sent. */
export interface Answered {
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** A strong entity tag (RFC 9110, 8.8.3): about 160 bits of the body's SHA-256 hash. */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

/** Whether the client has the answer with this tag already. If-None-Match compares weakly (RFC 9110, 13.1.2). */
export function isKnown(context: HttpContext, tag: string): boolean {
  const known = context.req.raw.headers.get('if-none-match');
  return (
    known !== null && (known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
  );
}

/** Responds with an ETag, or with 304 when If-None-Match has it. `headers` are sent with both, except the Content-Type. */
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

export function isReading({ req }: HttpContext): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}

/** Sends an answer as it is; an answer to GET with its ETag, or as 304. */
export function sendPlain(context: HttpContext, { status, body, headers }: Answered): Response {
  if (isReading(context)) return respondTagged(context, body, entityTag(body), headers);
  return respond(context, status, body, headers);
}

/** A shorter answer fits into one packet anyway. */
const minCompressedLength = 1_400;
const encodingSuffix = '-gzip"';

/**
 * Sends an answer, compressed when it is long and the client accepts gzip. Compression runs outside the main thread. The compressed
 * form has its own ETag (RFC 9110, 8.8.3.3): the tag of the plain form with the suffix `-gzip`.
 */
export async function sendCompressed(context: HttpContext, answered: Answered): Promise<Response> {
  const { status, body } = answered;
  const isRead = isReading(context);
  const varies = [answered.headers['Vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
  const headers: Record<string, string> = { ...answered.headers, Vary: varies };
  const plainTag = isRead ? entityTag(body) : headers['ETag'];
  const isCompressed =
    body.length >= minCompressedLength && takesGzip(context.req.raw.headers.get('accept-encoding') ?? '');
  const tag = isCompressed ? plainTag?.replace(/"$/, encodingSuffix) : plainTag;
  const tagged = { ...headers, ...(tag !== undefined && { ETag: tag }) };
  const sent =
    !isCompressed || (isRead && tag !== undefined && isKnown(context, tag))
      ? body
      : new Uint8Array(await gzipped(body, { level: constants.Z_BEST_SPEED }));
  const all = isCompressed ? { ...tagged, 'Content-Encoding': 'gzip' } : tagged;
  return isRead && tag !== undefined ? respondTagged(context, sent, tag, all) : respond(context, status, sent, all);
}

/** The tag of the plain form, whichever form the client was sent. */
export function plainTagOf(tag: string): string {
  return tag.endsWith(encodingSuffix) ? `${tag.slice(0, -encodingSuffix.length)}"` : tag;
}

/** Whether Accept-Encoding allows gzip: it is named, or `*` is, with a weight above 0. */
function takesGzip(accepted: string): boolean {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', weight = 'q=1'] = part.split(';', 2).map((text) => text.trim().toLowerCase());
      return [name, Number(weight.replace(/^q\s*=\s*/, ''))] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
