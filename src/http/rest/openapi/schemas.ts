import { z } from 'zod';
import { actionItem } from '../../../domain/records/analyses/action.ts';
import {
  analysisInfo,
  contentItem,
  contentSummary,
  failure,
  insight,
  progress,
  tag,
  warning,
} from '../../../domain/records/content.ts';
import { goal } from '../../../domain/records/analyses/goal.ts';
import { exportJob, importJob } from '../../../domain/records/transfers/library-job.ts';
import { key, keyWithSecret } from '../../../domain/access/key.ts';
import { locator } from '../../../domain/records/texts/locator.ts';
import { source } from '../../../domain/records/sources/source.ts';
import { permission } from '../../../domain/access/permission.ts';
import { acknowledgementSchema } from '../../../operations/call.ts';
import { clearables } from '../../../operations/fields.ts';
import { saveContent } from '../../../operations/content/save-content.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { JsonSchema, ApiResponse } from './document.ts';
import type { Route } from '../routes.ts';

/** Schemas that become named components; all others are written inline. */
const namedSchemas: readonly (readonly [name: string, schema: z.ZodType])[] = [
  ['ContentItem', contentItem],
  ['ContentSummary', contentSummary],
  ['Insight', insight],
  ['ActionItem', actionItem],
  ['Goal', goal],
  ['Locator', locator],
  ['Progress', progress],
  ['Failure', failure],
  ['Warning', warning],
  ['AnalysisInfo', analysisInfo],
  ['SaveContentAnswer', saveContent.output],
];

/** Those that only /api/v1 answers with. */
const apiV1Schemas: typeof namedSchemas = [
  ['Permission', permission],
  ['Key', key],
  ['KeyWithSecret', keyWithSecret],
  ['Source', source],
  ['Import', importJob],
  ['Export', exportJob],
];

/** `list_content` → `ListContent`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The component name of an operation's response. */
export function answerName(operation: Operation): string {
  return (
    [...namedSchemas, ...apiV1Schemas].find(([, schema]) => schema === operation.output)?.[0] ??
    `${pascalCase(operation.name)}Answer`
  );
}

/** The component name of the response to a token that may write and not read. */
export function acknowledgementName(operation: Operation): string {
  return `${pascalCase(operation.name)}Acknowledgement`;
}

/**
 * The response schemas of all operations, by name, with `$ref` between them. Later versions may add fields, so objects
 * allow unknown properties: clients that validate keep working.
 */
export function answerSchemas(operations: readonly Operation[], isApiV1: boolean): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of [...namedSchemas, ...(isApiV1 ? apiV1Schemas : [])]) registry.add(schema, { id });
  for (const operation of operations) {
    if (!registry.has(operation.output)) registry.add(operation.output, { id: answerName(operation) });
    const acknowledged = acknowledgementSchema(operation);
    if (acknowledged !== undefined) registry.add(acknowledged, { id: acknowledgementName(operation) });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      const schema = jsonSchema as JsonSchema;
      dropMachineBounds(schema);
      if (schema['additionalProperties'] === false) delete schema['additionalProperties'];
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _address, ...schema }]) => [
      name,
      schema as JsonSchema,
    ]),
  );
}

/** Each REST input of an operation: its name, its schema, and whether it is required. */
export function inputFields({ input }: Operation): { name: string; required: boolean; schema: JsonSchema }[] {
  const { properties = {}, required } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const schema = jsonSchema as JsonSchema;
      dropMachineBounds(schema);
      sayWhatTrimmingAsks(zodSchema, schema);
      if (clearables.get(zodSchema) !== undefined && typeof schema['type'] === 'string')
        schema['type'] = [schema['type'], 'null'];
    },
  });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required?.includes(name) ?? false,
    schema: { ...(schema as JsonSchema) },
  }));
}

/** Removes the safe-integer bounds, which say nothing about the product. */
function dropMachineBounds(schema: JsonSchema): void {
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/**
 * White space, control characters and the Default_Ignorable characters (Unicode's DerivedCoreProperties.txt), up to
 * U+FFFF. Higher code points are left out: there is no notation that works both with and without Unicode mode, in
 * JavaScript and in other languages.
 */
const invisible = String.raw`\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8`;

/**
 * Adds a pattern for strings that Zod trims and cleans before it checks their length. Zod's JSON Schema does not show
 * that step, so text of only invisible characters would look valid.
 */
function sayWhatTrimmingAsks(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  if (isTag(zodSchema)) {
    schema['pattern'] = `^[^,]*[^,${invisible}][^,]*$`;
    return;
  }
  if (!(zodSchema instanceof z.ZodString) || typeof schema['minLength'] !== 'number') return;
  const overwrites = (zodSchema.def.checks ?? []).filter(isOverwrite);
  const cleaned = (text: string) => overwrites.reduce((before, { _zod }) => _zod.def.tx(before), text);
  if (cleaned('\u00ad') === '') schema['pattern'] = `[^${invisible}]`;
  else if (cleaned(' ') === '') schema['pattern'] = String.raw`\S`;
}

/** Whether it is the schema of a tag, or made from it by a description. */
function isTag(schema: z.core.$ZodType): boolean {
  return schema === tag || (schema._zod.parent !== undefined && isTag(schema._zod.parent));
}

function isOverwrite(check: z.core.$ZodCheck): check is z.core.$ZodCheckOverwrite<string> {
  return check._zod.def.check === 'overwrite';
}

/** Operations that take the id of a deleted item. No other answer leads to them. */
const afterDeletion = ['restore_content', 'get_content'];

export function operationIdOf(name: string): string {
  const id = pascalCase(name);
  return id.charAt(0).toLowerCase() + id.slice(1);
}

/**
 * The links (OpenAPI 3.1, 4.8.20) of an answer that lists records or makes one: to the operations whose examples take the
 * same id. Undefined when there are none.
 */
export function linksFrom(route: Route, published: readonly Route[]): ApiResponse['links'] {
  const { output, file, http, example, name: from } = route;
  const links: NonNullable<ApiResponse['links']> = {};
  const link = (name: string, parameter: string, pointer: string): void => {
    const operationId = operationIdOf(name);
    links[operationId] = { operationId, parameters: { [parameter]: `$response.body#${pointer}` } };
  };
  const [pointer, id] = idIn(example.output) ?? [];
  const isDeletion = from === 'delete_content';
  const isFollowed = isDeletion || !http.path.includes(':') || pointer !== '/id';
  for (const { name, inPath, http: to, input, example: call } of published) {
    if (pointer === undefined || !isFollowed || (name === 'restore_content' && !isDeletion)) continue;
    const isWanted = !isDeletion || afterDeletion.includes(name);
    if (isWanted && inPath.includes('id') && call.input['id'] === id) link(name, 'id', pointer);
    const query = { c_: 'contentId', g_: 'goalId' }[String(id).slice(0, 2)];
    if (query !== undefined && !isDeletion && to.method === 'get' && query in input.shape) link(name, query, pointer);
  }
  // An import that begins has changed nothing yet.
  if (file === undefined && output instanceof z.ZodObject && 'undo' in output.shape) link('undo', 'id', '/undo');
  return Object.keys(links).length === 0 ? undefined : links;
}

/** The id of the record, or of the first one of a list, and the JSON pointer to it. */
function idIn(answer: unknown): [pointer: string, id: string] | undefined {
  const { id, items, results } = answer as { id?: string; items?: { id?: string }[]; results?: { id?: string }[] };
  if (typeof id === 'string') return ['/id', id];
  const [list, first] = items === undefined ? ['results', results?.[0]] : ['items', items[0]];
  return first?.id === undefined ? undefined : [`/${list}/0/id`, first.id];
}
