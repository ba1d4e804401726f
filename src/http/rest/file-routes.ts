import { newChange, type Change } from '../../domain/records/change.ts';
import { exampleExport, exampleImport } from '../../domain/records/examples.ts';
import { importJob, type ImportJob } from '../../domain/records/transfers/library-job.ts';
import { parseInput, shownTo } from '../../operations/call.ts';
import { getExport, startExport, getImport, startImportInput } from '../../operations/transfers.ts';
import type { Operation } from '../../operations/operation.ts';
import { maxUploadBytes } from '../../services/library/jobs/import-jobs.ts';
import type { HttpContext } from '../context.ts';
import { announcedBytes, arrivingPieces, closing, unlimitArrival } from '../incoming/body.ts';
import type { MountParts } from '../mount.ts';
import { HttpRefusal } from '../problem.ts';
import { answered, sendAnswer } from './answer.ts';
import { apiV1Prefix, routeOf, type FileTraffic, type RestCall, type Route } from './routes.ts';
import { idempotencyKeyOf, onceForEachKey } from './writes.ts';

/* The rows of the table that take or give files, under /api/v1 alone. */

const binary = { type: 'string', format: 'binary' };
const exportTypes = ['application/zip', 'application/jsonl', 'text/csv', 'text/html', 'text/x-opml'];

type Row = Pick<Operation, 'name' | 'title' | 'input' | 'output' | 'permission' | 'alsoPermissions' | 'acknowledges'> &
  Pick<Route, 'http' | 'serve' | 'file'> & { example: Record<string, unknown>; answer?: unknown };

function rowOf({ http, file = {}, serve, example, answer, ...declared }: Row): Route {
  const operation: Operation = {
    ...declared,
    description: http.about,
    effects: { readOnly: http.method === 'get', destructive: false, idempotent: false, openWorld: false },
    example: { input: example, output: answer },
    run: () => Promise.reject(new Error(`${declared.name} is served as a file`)),
  };
  const route = routeOf({ ...operation, http: { ...http, path: apiV1Prefix + http.path } }, true);
  return { ...route, hasBody: false, file, ...(serve !== undefined && { serve }) };
}

const report: FileTraffic = { gives: { 'text/csv': { type: 'string' } }, refusal: 409 };
const archive: FileTraffic = {
  gives: Object.fromEntries(exportTypes.map((type) => [type, binary])),
  hasRanges: true,
  refusal: 416,
};

export const fileRoutes: readonly Route[] = [
  rowOf({
    name: 'start_import',
    title: 'Begin an import',
    input: startImportInput,
    output: importJob,
    permission: 'content:write',
    acknowledges: getImport.acknowledges ?? [],
    http: {
      method: 'post',
      path: '/imports',
      status: () => 201,
      about: `Takes an export file of another program: bookmarks, a CSV, a JSON file, a ZIP archive of them and others, up to ${maxUploadBytes / 2 ** 20} MB. Send the file itself as the body, whatever its type: what it is, is recognised by its content. The answer comes when the file has arrived; ask for the import until its \`state\` is \`done\`.`,
      answers: { 201: 'The import, which waits for its turn.' },
    },
    file: { takes: { 'application/octet-stream': { ...binary, minLength: 1 } } },
    example: { name: exampleImport.fileName, tags: exampleImport.tags },
    answer: exampleImport,
    serve: async (call, parts) => sendAnswer(call, await startImport(call, parts)),
  }),
  rowOf({
    name: 'get_import_report',
    title: 'Get the report of an import',
    input: getImport.input,
    output: importJob,
    permission: 'content:write',
    alsoPermissions: ['content:read'],
    http: {
      method: 'get',
      path: '/imports/:id/report',
      about:
        'A table (CSV) with a line for each entry of the file: what became of it, and why. It grows while the import goes on.',
      answers: { 200: 'The report.' },
    },
    file: report,
    example: { id: exampleImport.id },
    serve: async ({ context, caller, route, input }, { services, sendFile }) => {
      const { id } = parseInput(getImport.input, route.name, input) as { id: string };
      const path = await services.imports.reportOf(caller.accountId, id);
      return sendFile(context, { path, fileName: 'report.csv', mediaType: 'text/csv; charset=utf-8' });
    },
  }),
  rowOf({
    name: 'get_export_file',
    title: 'Get the file of an export',
    input: getExport.input,
    output: startExport.output,
    permission: startExport.permission,
    alsoPermissions: startExport.alsoPermissions ?? [],
    http: {
      method: 'get',
      path: '/exports/:id/file',
      about:
        'The file of an export that is done. A download that broke off goes on with `Range`. The file is removed a day after it was made.',
      answers: {
        200: 'The whole file.',
        206: 'The bytes that were asked for.',
        304: 'The file with this `ETag` has not changed.',
      },
    },
    file: archive,
    example: { id: exampleExport.id },
    serve: async ({ context, caller, route, input }, { services, sendFile }) => {
      const { id } = parseInput(getExport.input, route.name, input) as { id: string };
      const { bytes, ...file } = await services.exports.fileOf(caller.accountId, id);
      return sendFile(context, { ...file, tag: `"${id}-${bytes}"` });
    },
  }),
];

async function startImport(call: RestCall, parts: MountParts) {
  const { context, caller, route } = call;
  const input = parseInput(startImportInput, route.name, call.input);
  // A bad key is refused before the file is received.
  idempotencyKeyOf(context);
  const run = (begin: () => Promise<ImportJob>) => async () =>
    answered(route, shownTo(route, caller, await begin()), parts);
  return receiveImport(
    context,
    parts,
    { account: caller.accountId, by: caller.name, face: 'rest', ...input },
    (upload) =>
      onceForEachKey({ ...call, input: { ...input, file: upload.hash } }, parts.repeatedRequests, run(upload.begin)),
  );
}

interface ImportRequest {
  account: string;
  by: string | undefined;
  face: Change['face'];
  name?: string | undefined;
  tags?: string[] | undefined;
  follow?: boolean | undefined;
}

/**
 * Receives a file, and keeps it when `begin` was called.
 * @param use is given the hash of the file, and the call that begins its import
 */
export async function receiveImport<Answer>(
  context: HttpContext,
  { services: { imports } }: Pick<MountParts, 'services'>,
  { account, by, face, name = 'upload', tags = [], follow = false }: ImportRequest,
  use: (upload: { hash: string; begin: () => Promise<ImportJob> }) => Promise<Answer>,
): Promise<Answer> {
  const upload = await imports.receive(account, name, bodyOf(context));
  let isNeeded = false;
  try {
    return await use({
      hash: upload.hash,
      begin: async () => {
        const change = newChange({ face, by: by ?? null, operation: 'import', scopes: ['content:write'] });
        const job = await imports.begin({ account, change }, upload, { tags, follow });
        isNeeded = true;
        return job;
      },
    });
  } finally {
    if (!isNeeded) await imports.discard(account, upload);
  }
}

/**
 * The file, as it comes in. It is written to the disk piece by piece.
 * @throws {HttpRefusal} when it is announced as larger than the limit, or is compressed or in parts; {AppError} `cancelled`
 */
function bodyOf(context: HttpContext): AsyncIterable<Uint8Array> {
  const { headers } = context.req.raw;
  const mediaType = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (mediaType.startsWith('multipart/') || encoding.toLowerCase() !== 'identity')
    throw new HttpRefusal(
      'unsupported_media_type',
      'The body is the file itself, not a form and not compressed. Send it with Content-Type: application/octet-stream, as curl does with --data-binary @FILE.',
      { headers: { Accept: 'application/octet-stream', ...closing } },
    );
  if (announcedBytes(context) > maxUploadBytes)
    throw new HttpRefusal('payload_too_large', `The file is larger than ${maxUploadBytes} bytes, the limit here.`, {
      headers: closing,
    });
  if (context.env?.incoming !== undefined) unlimitArrival(context.env.incoming);
  return arrivingPieces(context);
}
