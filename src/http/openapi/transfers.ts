import { exampleImport } from '../../domain/records/examples.ts';
import { maxUploadBytes } from '../../services/library/jobs/import-jobs.ts';
import { startImportInput } from '../../operations/imports.ts';
import type { ApiOperation, ApiParameter } from './openapi-document.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { linksFrom, operationIdOf } from './links.ts';
import { headerRefs, limitHeaders, refusalRefs } from './responses.ts';
import { inputFields, type JsonSchema } from './schemas.ts';

/* Routes of /api/v1 that are no operations, described by hand: they take or give files. */

export const transferNames = ['start_import', 'get_import_report', 'get_export_file'] as const;

const binary: JsonSchema = { type: 'string', format: 'binary' };

function idOf(what: string): ApiParameter {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of the ${what}.`,
    schema: { type: 'string', minLength: 1, maxLength: 100 },
    example: exampleImport.id,
  };
}

const range: ApiParameter = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'One range of bytes, to go on with a download that broke off. Other ranges are ignored.',
  schema: { type: 'string' },
  example: 'bytes=0-1023',
};

const ifRange: ApiParameter = {
  name: 'If-Range',
  in: 'header',
  required: false,
  description: 'The `ETag` of the file: when it is another one, the whole file is sent.',
  schema: { type: 'string' },
};

const examples: Readonly<Record<string, unknown>> = { name: exampleImport.fileName, tags: exampleImport.tags };

function describeQuery({
  name,
  schema: { description, ...schema },
}: ReturnType<typeof inputFields>[number]): ApiParameter {
  const isList = schema['type'] === 'array';
  return {
    name,
    in: 'query',
    required: false,
    description: String(description),
    schema: isList ? { minItems: 1, ...schema } : schema,
    ...(isList && { style: 'form' as const, explode: false as const }),
    example: examples[name],
  };
}

const startImport = (published: ReadonlySet<string>): ApiOperation => {
  const links = linksFrom({ name: 'start_import', output: undefined }, published);
  return {
    operationId: operationIdOf('start_import'),
    summary: 'Begin an import',
    description: `Takes an export file of another program: bookmarks, a CSV, a JSON file, a ZIP archive of them and others, up to ${maxUploadBytes / 2 ** 20} MB. Send the file itself as the body, whatever its type: what it is, is recognised by its content. The answer comes when the file has arrived; ask for the import until its \`state\` is \`done\`.`,
    tags: ['Imports'],
    security: [{ token: ['content:write'] }],
    parameters: [...inputFields({ input: startImportInput }).map(describeQuery), idempotencyKey.parameter],
    requestBody: {
      required: true,
      description: 'The file.',
      content: { 'application/octet-stream': { schema: { ...binary, minLength: 1 } } },
    },
    responses: {
      201: {
        description:
          'The import, which waits for its turn. A token without the scope `content:read` gets only `id`, `state`, `progress`, `counts` and `failure`.',
        headers: headerRefs('Location', ...limitHeaders),
        content: {
          'application/json': {
            schema: {
              anyOf: ['Import', 'GetImportAcknowledgement'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
            },
            example: exampleImport,
          },
        },
        ...(links !== undefined && { links }),
      },
      ...refusalRefs([400, 401, 403, 405, idempotencyKey.refusal, 413, 415, 429, 500]),
    },
  };
};

const importReport: ApiOperation = {
  operationId: operationIdOf('get_import_report'),
  summary: 'Get the report of an import',
  description:
    'A table (CSV) with a line for each entry of the file: what became of it, and why. It grows while the import goes on.',
  tags: ['Imports'],
  security: [{ token: ['content:write', 'content:read'] }],
  parameters: [idOf('import')],
  responses: {
    200: {
      description: 'The report.',
      headers: headerRefs('Content-Disposition', ...limitHeaders),
      content: { 'text/csv': { schema: { type: 'string' } } },
    },
    ...refusalRefs([400, 401, 403, 404, 405, 409, 429, 500]),
  },
};

const exportFile: ApiOperation = {
  operationId: operationIdOf('get_export_file'),
  summary: 'Get the file of an export',
  description:
    'The file of an export that is done. A download that broke off goes on with `Range`. The file is removed a day after it was made.',
  tags: ['Exports'],
  security: [{ token: ['content:read', 'actions:read', 'goals:read'] }],
  parameters: [idOf('export'), range, ifRange],
  responses: {
    200: {
      description: 'The whole file.',
      headers: headerRefs('ETag', 'Content-Disposition', ...limitHeaders),
      content: fileContent(),
    },
    206: {
      description: 'The bytes that were asked for.',
      headers: headerRefs('ETag', 'Content-Disposition', 'Content-Range', ...limitHeaders),
      content: fileContent(),
    },
    304: {
      description: 'The file with this `ETag` has not changed.',
      headers: headerRefs('ETag', ...limitHeaders),
    },
    ...refusalRefs([400, 401, 403, 404, 405, 416, 429, 500]),
  },
};

function fileContent() {
  const types = ['application/zip', 'application/jsonl', 'text/csv', 'text/html', 'text/x-opml'];
  return Object.fromEntries(types.map((type) => [type, { schema: binary }]));
}

export function transferPaths(published: ReadonlySet<string>): Record<string, Record<string, ApiOperation>> {
  return {
    '/api/v1/imports': { post: startImport(published) },
    '/api/v1/imports/{id}/report': { get: importReport },
    '/api/v1/exports/{id}/file': { get: exportFile },
  };
}
