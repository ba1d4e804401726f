import type { ApiOperation } from './openapi-document.ts';
import { refusalRefs } from './responses.ts';
import type { JsonSchema } from './schemas.ts';

/** Routes that are no operations, described by hand: health and monitoring. */
export const servicePaths: Readonly<Record<string, Record<string, ApiOperation>>> = {
  '/health': {
    get: probe('checkHealth', 'Is it running?', 'Answers as long as the process does. It needs no token.', {
      200: { description: 'Yes.', body: { status: 'ok' } },
    }),
  },
  '/ready': {
    get: probe(
      'checkReadiness',
      'Can it serve?',
      'Whether the server can do its work, so that a balancer may send it requests. It needs no token.',
      {
        200: { description: 'Yes.', body: { status: 'ready', checks: { store: 'ok' } } },
        503: {
          description: 'It is stopping, or cannot use its data. Its log says why.',
          body: { status: 'not ready', checks: { server: 'stopping' } },
        },
      },
    ),
  },
};

interface ProbeAnswer {
  description: string;
  body: { status: string; checks?: Record<string, string> };
}

function probe(
  operationId: string,
  summary: string,
  description: string,
  answers: Readonly<Record<number, ProbeAnswer>>,
): ApiOperation {
  const responses = Object.entries(answers).map(([status, { description: meaning, body }]) => [
    status,
    { description: meaning, content: { 'application/json': { schema: schemaOf(body), example: body } } },
  ]);
  return {
    operationId,
    summary,
    description,
    tags: ['Service'],
    security: [],
    responses: { ...(Object.fromEntries(responses) as ApiOperation['responses']), ...refusalRefs([400, 405]) },
  };
}

function schemaOf({ status, checks }: ProbeAnswer['body']): JsonSchema {
  return {
    type: 'object',
    properties: {
      status: { type: 'string', const: status },
      ...(checks !== undefined && {
        checks: {
          type: 'object',
          description: 'The state of each part, in a word.',
          additionalProperties: { type: 'string' },
        },
      }),
    },
    required: ['status', ...(checks === undefined ? [] : ['checks'])],
  };
}
