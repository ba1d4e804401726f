import type { Hono } from 'hono';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { newChange } from '../../domain/records/change.ts';
import type { ImportJob } from '../../domain/records/transfers/library-job.ts';
import { maskStrings } from '../../domain/text/clean-text.ts';
import { AppError, isAbortError } from '../../errors.ts';
import { parseInput } from '../../operations/call.ts';
import { startExport } from '../../operations/exports.ts';
import { getImport, startImportInput } from '../../operations/imports.ts';
import type { TokenCaller } from '../../services/access.ts';
import { maxUploadBytes, type Upload } from '../../services/library/jobs/import-jobs.ts';
import type { HttpContext, HttpEnv } from '../context.ts';
import { unlimitArrival } from '../incoming/arrival.ts';
import { readQuery } from '../incoming/query.ts';
import { arrivingSteadily } from '../incoming/read-body.ts';
import { configuredAddress } from '../own-address.ts';
import { HttpRefusal } from '../problem.ts';
import { checkPermission, type Answered } from '../rest.ts';
import type { MountParts } from '../server.ts';
import { sendCompressed } from './compressed.ts';
import { asRepeated, idempotencyKeyOf } from './idempotency.ts';
import { apiV1Prefix } from './operations.ts';
import { createSendFile } from './send-file.ts';

const importPermissions = { permission: 'content:write' } as const;
const reportPermissions = { permission: 'content:write', alsoPermissions: ['content:read'] } as const;

/** The routes of imports and exports that take or give files. The others are operations. */
export function addTransferRoutes(app: Hono<HttpEnv>, parts: MountParts): void {
  const { services, authenticate } = parts;
  const sendFile = createSendFile();

  app.post(`${apiV1Prefix}/imports`, async (context) => {
    const caller = await authenticate(context);
    checkPermission(importPermissions, caller);
    return sendCompressed(context, await startImport(context, caller, parts));
  });

  app.get(`${apiV1Prefix}/imports/:id/report`, async (context) => {
    const caller = await authenticate(context);
    checkPermission(reportPermissions, caller);
    refuseQuery(context);
    const path = await services.imports.reportOf(caller.accountId, context.req.param('id'));
    return sendFile(context, { path, fileName: 'report.csv', mediaType: 'text/csv; charset=utf-8' });
  });

  app.get(`${apiV1Prefix}/exports/:id/file`, async (context) => {
    const caller = await authenticate(context);
    checkPermission(startExport, caller);
    refuseQuery(context);
    const id = context.req.param('id');
    const { path, bytes, fileName, mediaType } = await services.exports.fileOf(caller.accountId, id);
    return sendFile(context, { path, fileName, mediaType, tag: `"${id}-${bytes}"` });
  });
}

async function startImport(
  context: HttpContext,
  caller: TokenCaller,
  { services, repeatedRequests, config }: MountParts,
): Promise<Answered> {
  const { imports } = services;
  const { accountId } = caller;
  const query = queryOf(context);
  const input = readQuery(query, startImportInput);
  const { name = 'upload', tags = [] } = parseInput(startImportInput, 'start_import', input);
  const key = idempotencyKeyOf(context);
  const upload = await imports.receive(accountId, name, bodyOf(context));
  let isNeeded = false;
  const begin = async (): Promise<Answered> => {
    const change = newChange({ face: 'rest', by: caller.name ?? null, operation: 'import', scopes: ['content:write'] });
    const job = await imports.begin({ account: accountId, change }, upload, tags);
    isNeeded = true;
    return answerOf(job, caller, configuredAddress(config));
  };
  try {
    if (key === null) return await begin();
    const fingerprint = fingerprintOf(upload, query);
    const { answer, isRepeated } = await repeatedRequests.once({ caller, key, fingerprint }, begin);
    return isRepeated ? asRepeated(answer) : answer;
  } finally {
    if (!isNeeded) await imports.discard(accountId, upload);
  }
}

function fingerprintOf({ hash: file }: Upload, query: string): string {
  return hash('sha256', `start_import ${file} ${query}`, 'base64url');
}

/** A token that may write and not read gets what `get_import` acknowledges. */
function answerOf(job: ImportJob, caller: TokenCaller, publicUrl: string): Answered {
  const mayRead = caller.permissions.has('content:read');
  const seen = mayRead
    ? job
    : Object.fromEntries(Object.entries(job).filter(([name]) => getImport.acknowledges?.includes(name)));
  return {
    status: 201,
    body: JSON.stringify(maskStrings(seen)),
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      Location: `${publicUrl}${apiV1Prefix}/imports/${job.id}`,
    },
  };
}

function queryOf({ req }: HttpContext): string {
  const { url } = req.raw;
  const question = url.indexOf('?');
  return question === -1 ? '' : url.slice(question + 1);
}

function refuseQuery(context: HttpContext): void {
  parseInput(z.strictObject({}), 'this request', readQuery(queryOf(context), z.strictObject({})));
}

/** Close the connection instead of waiting for the rest of the body. */
const closing = { Connection: 'close' };

/**
 * The file, as it comes in. It is written to the disk piece by piece.
 * @throws {HttpRefusal} when it is announced as larger than the limit, or is compressed or in parts; {AppError} `cancelled`
 */
export function bodyOf(context: HttpContext): AsyncIterable<Uint8Array> {
  const { headers } = context.req.raw;
  const mediaType = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (mediaType.startsWith('multipart/') || encoding.toLowerCase() !== 'identity')
    throw new HttpRefusal(
      'unsupported_media_type',
      'The body is the file itself, not a form and not compressed. Send it with Content-Type: application/octet-stream, as curl does with --data-binary @FILE.',
      { headers: { Accept: 'application/octet-stream', ...closing } },
    );
  const announced = headers.has('transfer-encoding') ? 0 : Number(headers.get('content-length') ?? 0);
  if (announced > maxUploadBytes)
    throw new HttpRefusal('payload_too_large', `The file is larger than ${maxUploadBytes} bytes, the limit here.`, {
      headers: closing,
    });
  const { incoming, outgoing } = context.env ?? {};
  if (headers.has('expect')) outgoing?.writeContinue();
  // Only to name the body of the request would make a stream of it, which takes the bytes away.
  if (incoming === undefined) return pieces(context.req.raw.body ?? Readable.from([]));
  unlimitArrival(incoming);
  return pieces(incoming.iterator({ destroyOnReturn: false }));
}

async function* pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* arrivingSteadily(body);
  } catch (error) {
    if (isAbortError(error) || (error as NodeJS.ErrnoException).code === 'ECONNRESET')
      throw new AppError('cancelled', 'The file did not arrive completely.', { cause: error });
    throw error;
  }
}
