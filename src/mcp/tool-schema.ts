import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inputSchema } from '../operations/call.ts';
import { modelWords } from '../operations/fields.ts';
import type { Operation } from '../operations/operation.ts';

type ToolSchema = Record<string, unknown>;

/**
 * Bounds that do not help a model: a number beyond one is cut to it, and `callOperation` names the others in its error. That there are no
 * further properties is not true of every host: some add their own, which `lenient-input.ts` leaves out.
 */
const silentBounds = 'minLength maxLength maxItems minItems pattern minimum maximum default additionalProperties'.split(
  ' ',
);

function dropNoise(schema: ToolSchema): void {
  for (const bound of silentBounds) delete schema[bound];
  if (schema['isKnownChoice'] === true) delete schema['enum'];
  delete schema['isForModels'];
  delete schema['isKnownChoice'];
  for (const [name, { isUnlisted }] of Object.entries((schema['properties'] ?? {}) as Record<string, ToolSchema>))
    if (isUnlisted === true) delete (schema['properties'] as ToolSchema)[name];
  // Null means the same as leaving an input out (`lenient-input.ts`).
  const choices = (schema['anyOf'] as ToolSchema[] | undefined)?.filter(({ type }) => type !== 'null') ?? [];
  if (choices.length === 1) {
    delete schema['anyOf'];
    Object.assign(schema, choices[0]);
  }
  // A choice of one value is none: a host that fills in every input would always make it.
  if (Array.isArray(schema['enum']) && schema['enum'].length === 1) delete schema['enum'];
}

/**
 * An operation's input as JSON Schema, as small as possible: the model reads every token of it in every conversation.
 */
export function toolInputJson(operation: Operation): ToolSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(inputSchema(operation, 'mcp'), {
    io: 'input',
    // `.describe()`, which is for people, is left out.
    metadata: modelWords,
    override: ({ jsonSchema }) => dropNoise(jsonSchema as ToolSchema),
  });
  return schema;
}

interface ToolConfig {
  title: string;
  description: string;
  inputSchema: StandardSchemaWithJSON<Record<string, unknown>>;
  annotations: ToolAnnotations;
}

const toolConfigs = new WeakMap<Operation, ToolConfig>();

/**
 * The SDK's tool configuration for an operation. It is cached, because the HTTP endpoint builds a server for every
 * request.
 */
export function toolConfig(operation: Operation): ToolConfig {
  const known = toolConfigs.get(operation);
  if (known !== undefined) return known;
  const { readOnly, destructive, idempotent, openWorld } = operation.effects;
  const config = {
    title: operation.title,
    description: operation.description,
    inputSchema: toolInput(operation),
    annotations: {
      readOnlyHint: readOnly,
      // For what only reads, the protocol gives these no meaning.
      ...(!readOnly && { destructiveHint: destructive, idempotentHint: idempotent }),
      openWorldHint: openWorld,
    },
  };
  toolConfigs.set(operation, config);
  return config;
}

/**
 * The tool's input for the SDK. It lists the JSON Schema but accepts every value: `operations/call.ts` validates the
 * input, with this program's own error messages.
 */
function toolInput(operation: Operation): StandardSchemaWithJSON<Record<string, unknown>> {
  let json: ToolSchema | undefined;
  // Built when tools are first listed, to keep the handshake fast.
  const list = () => (json ??= toolInputJson(operation));
  return {
    '~standard': {
      version: 1,
      vendor: 'commonplace',
      validate: (value) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: list, output: list },
    },
  };
}
