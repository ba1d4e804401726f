import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inputSchema } from '../operations/call.ts';
import type { Operation } from '../operations/operation.ts';

type JsonSchema = Record<string, unknown>;

/** Bounds that tell a model nothing it could use; the gate holds them, and names them when they are passed. */
const silentBounds = ['minLength', 'maxLength', 'maxItems', 'pattern'] as const;

function dropNoise(schema: JsonSchema, name: unknown): void {
  // Every tool has it, and it is called what it is; a terminal still gets its description.
  if (name === 'maxTokens') delete schema['description'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER || schema['minimum'] === 0) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  for (const bound of silentBounds) delete schema[bound];
}

/** An operation's input as JSON Schema, as small as it can be: every token of it is read in every conversation. */
export function toolInputJson(operation: Operation): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(inputSchema(operation, 'mcp'), {
    io: 'input',
    override: ({ jsonSchema, path }) => dropNoise(jsonSchema as JsonSchema, path.at(-1)),
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

/** What the SDK is told of an operation; made once, because HTTP builds a server for every request. */
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
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
  toolConfigs.set(operation, config);
  return config;
}

/**
 * The tool's input for the SDK: it lists the JSON Schema and lets every value through, because the one gate
 * (`operations/call.ts`) checks it and says in our words what is wrong.
 */
function toolInput(operation: Operation): StandardSchemaWithJSON<Record<string, unknown>> {
  let json: JsonSchema | undefined;
  // Made when tools are listed: the handshake need not wait for it.
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
