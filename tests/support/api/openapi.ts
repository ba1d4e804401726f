import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { startOfDate } from '../../../src/domain/search/dates.ts';
import type { ApiOperation, OpenApiDocument } from '../../../src/http/rest/openapi/document.ts';
import type { ApiResponse } from '../../../src/http/rest/openapi/document.ts';
import type { JsonSchema } from '../../../src/http/rest/openapi/document.ts';

/** One operation of a document, where it stands. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: ApiOperation;
}

export function placedOperations(document: OpenApiDocument): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The response that the document gives for a status, or undefined. */
export function documentedResponse(
  document: OpenApiDocument,
  operation: ApiOperation,
  status: number,
): ApiResponse | undefined {
  const response = operation.responses[status];
  if (response === undefined || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.split('/').at(-1) ?? ''];
}

/**
 * Validators of the document's schemas. Objects are closed here, though the document leaves answers open: a field that
 * is sent and not documented is a defect of ours.
 */
export function createValidators(document: OpenApiDocument): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
  });
  formats.default.default(ajv);
  ajv.addFormat('w3cdtf', (value: string) => startOfDate(value) !== null);
  ajv.addVocabulary(['components', 'example']);
  ajv.addSchema({ $id: 'document', components: { schemas: closed(document.components.schemas) } });
  const known = new WeakMap<JsonSchema, ValidateFunction>();
  return (schema) => {
    const text = () => JSON.stringify(closed(schema)).replaceAll('"#/components/', '"document#/components/');
    const made = known.get(schema) ?? ajv.compile(JSON.parse(text()) as JsonSchema);
    known.set(schema, made);
    return made;
  };
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inside['type'] === 'object' && 'properties' in inside ? { additionalProperties: false, ...inside } : inside;
}
