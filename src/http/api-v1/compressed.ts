import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { respond, type HttpContext } from '../context.ts';
import { entityTag, isKnown, respondTagged } from '../incoming/entity-tag.ts';
import type { Answered } from '../rest.ts';

const gzipped = promisify(gzip);

/** A shorter answer fits into one packet anyway. */
const minCompressedLength = 1_400;
const encodingSuffix = '-gzip"';

/**
 * Sends an answer, compressed when it is long and the client takes gzip. Compression runs outside the main thread. The compressed
 * form has an ETag of its own (RFC 9110, 8.8.3.3): the tag of the plain form with the suffix `-gzip`.
 */
export async function sendCompressed(context: HttpContext, answered: Answered): Promise<Response> {
  const { status, body } = answered;
  const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
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
