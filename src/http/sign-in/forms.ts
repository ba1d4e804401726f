import { AppError } from '../../errors.ts';
import type { HttpContext } from '../context.ts';

/** Maximum bytes of a form. The longest has a name, two passwords and a few choices. */
const maxBytes = 16 * 1024;

/**
 * Reads the fields of a form.
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`
 */
export async function readForm(context: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams(await readSmallBody(context, 'application/x-www-form-urlencoded'));
}

/**
 * Reads a body of one media type as text. The server's time limit for requests ends a body that never arrives.
 * @throws {AppError} `unsupported_media_type`, `payload_too_large`
 */
export async function readSmallBody(context: HttpContext, mediaType: string): Promise<string> {
  const { raw } = context.req;
  const [type = ''] = (raw.headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== mediaType)
    throw new AppError('unsupported_media_type', `This takes a body of the type ${mediaType}.`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (raw.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > maxBytes) throw new AppError('payload_too_large', `This takes at most ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
