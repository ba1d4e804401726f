import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { codeOf, notFound } from '../../errors.ts';
import { accountOfCaller, respond, type HttpContext } from '../context.ts';
import { HttpRefusal } from '../problem.ts';
import { isKnown } from './send.ts';

interface SentFile {
  path: string;
  fileName: string;
  mediaType: string;
  /** Absent: the file still grows. */
  tag?: string;
}

/** Downloads of one account at the same time. */
const maxDownloads = 4;
const retryAfterSeconds = 5;

/** Sends files of accounts. */
export type SendFile = (context: HttpContext, file: SentFile) => Promise<Response>;

export function createSendFile(): SendFile {
  const downloads = new Map<string, number>();
  return async (context, { path, fileName, mediaType, tag }) => {
    const size = await sizeOf(path);
    const headers: Record<string, string> = {
      'Cache-Control': 'private, no-cache',
      'Content-Disposition': `attachment; filename="${fileName.replaceAll(/[^ -~]|["\\]/g, '_')}"`,
      'Content-Type': mediaType,
      'Accept-Ranges': tag === undefined ? 'none' : 'bytes',
      ...(tag !== undefined && { ETag: tag }),
      Vary: 'Authorization',
    };
    if (tag !== undefined && isKnown(context, tag))
      return respond(context, 304, null, { ETag: tag, Vary: 'Authorization' });
    const range = tag === undefined ? null : rangeOf(context.req.raw.headers, size, tag);
    const [start, end] = range ?? [0, size - 1];
    const length = String(end - start + 1);
    const about = {
      ...headers,
      'Content-Length': length,
      ...(range !== null && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    };
    const status = range === null ? 200 : 206;
    if (context.req.method === 'HEAD' || size === 0) return respond(context, status, null, about);
    const accountId = accountOfCaller(context);
    const begun = downloads.get(accountId) ?? 0;
    if (begun >= maxDownloads)
      throw new HttpRefusal(
        'rate_limited',
        `This account has ${maxDownloads} downloads under way. Try again in ${retryAfterSeconds} s.`,
        {
          headers: { 'Retry-After': String(retryAfterSeconds) },
        },
      );
    downloads.set(accountId, begun + 1);
    const stream = createReadStream(path, { start, end });
    stream.once('close', () => {
      const left = (downloads.get(accountId) ?? 1) - 1;
      if (left === 0) downloads.delete(accountId);
      else downloads.set(accountId, left);
    });
    // If a client disconnects before the body is read, the stream must be ended here.
    context.env?.outgoing?.once('close', () => stream.destroy());
    return respond(context, status, Readable.toWeb(stream) as ReadableStream<Uint8Array>, about);
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw notFound('This file was removed.', { cause: error });
  }
}

/**
 * The first and the last byte of the range that is asked for; null for the whole file: also when there are several ranges, or
 * the client has another file (RFC 9110, 14).
 * @throws {HttpRefusal} `range_not_satisfiable`
 */
function rangeOf(headers: Headers, size: number, tag: string): [start: number, end: number] | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? [];
  if (from === '' && to === '') return null;
  const expected = headers.get('if-range');
  if (expected !== null && expected !== tag) return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  if (start >= size || (from === '' && Number(to) === 0))
    throw new HttpRefusal('range_not_satisfiable', `The file has ${size} bytes: ask for a range within them.`, {
      headers: { 'Content-Range': `bytes */${size}` },
    });
  return [start, end];
}
