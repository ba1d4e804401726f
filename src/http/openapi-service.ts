import type { ApiOperation } from './openapi.ts';
import { refusalRefs } from './openapi-responses.ts';

function probe(operationId: string, summary: string, description: string, status: string): ApiOperation {
  return {
    operationId,
    summary,
    description,
    tags: ['Service'],
    security: [],
    responses: {
      200: {
        description: 'Yes.',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { status: { const: status } }, required: ['status'] },
            example: { status },
          },
        },
      },
      ...refusalRefs([405]),
    },
  };
}

/** What is written by hand beside the operations: the questions of whoever watches over the server. */
export const servicePaths: Readonly<Record<string, Record<string, ApiOperation>>> = {
  '/health': { get: probe('checkHealth', 'Is it running?', 'Answers as long as the process does.', 'ok') },
  '/ready': {
    get: probe(
      'checkReadiness',
      'Can it serve?',
      'Answers 503 while the server starts, stops or cannot read its data.',
      'ready',
    ),
  },
};
