import { z } from 'zod';
import { type Change, newChange } from '../domain/records/change.ts';
import type { Caller } from '../domain/records/account.ts';
import { scopeOf, isReading, permissionsOfHeld, readingOf, type Permission } from '../domain/access/permission.ts';
import { maskStrings } from '../domain/text/clean-text.ts';
import { LargeValue } from '../domain/json/large-value.ts';
import type { Operation, OperationContext } from './operation.ts';
import { noticeTokens, refuseCutNames } from './answers/for-models.ts';
import { withoutEmpty } from './answers/lean.ts';
import { modelWords } from './fields.ts';
import { fieldProblems, refusedInput } from '../domain/refused-input.ts';
import { heldToOf } from '../domain/access/account-names.ts';
import { AppError } from '../errors.ts';

/**
 * The interface that calls an operation. `rest` returns everything; `mcp` has a token budget by default; `cli` and the
 * page in a browser (`page`) have one only on request.
 */
export type Face = 'rest' | 'mcp' | 'cli' | 'page';

const inputSchemas = new WeakMap<Operation, Partial<Record<Face, z.ZodObject>>>();

export function inputSchema(operation: Operation, face: Face): z.ZodObject {
  const known = inputSchemas.get(operation) ?? {};
  inputSchemas.set(operation, known);
  return (known[face] ??= buildInputSchema(operation, face));
}

function buildInputSchema(operation: Operation, face: Face): z.ZodObject {
  const extra = operation.assistant?.input ?? {};
  if (face === 'rest') return operation.input;
  if (face === 'mcp') return operation.input.extend(extra);
  // A person does not pay by the token, so inputs that only assistants have lose their default, which would
  // limit the answer.
  const unbounded = Object.entries(extra)
    .filter(([, schema]) => modelWords.get(schema)?.isForModels !== true)
    .map(([name, schema]) => {
      if (name in operation.input.shape) return [name, schema];
      return [name, (schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema).optional()];
    });
  return operation.input.extend(Object.fromEntries(unbounded) as Record<string, z.ZodType>);
}

function outputSchema(operation: Operation, face: Face): z.ZodType {
  return face === 'rest' ? operation.output : (operation.assistant?.output ?? operation.output);
}

/** @throws {AppError} `invalid_input` naming every bad field */
export function parseInput<Input>(
  schema: z.ZodType<Input>,
  name: string,
  rawInput: unknown,
  parsing: Parameters<typeof schema.safeParse>[1] = {},
): Input {
  const input = schema.safeParse(rawInput, { ...parsing, reportInput: true });
  if (input.success) return input.data;
  throw refusedInput(`The input of ${name} is not valid.`, input.error.issues.flatMap(fieldProblems));
}

/**
 * Runs an operation for any interface: check permissions → parse the input → run → parse the output → for a model, make it
 * lean → blank invisible characters.
 * @throws {AppError} `insufficient_scope`, `invalid_input` naming every bad field, and whatever the service throws
 */
export async function callOperation(
  operation: Operation,
  face: Face,
  rawInput: unknown,
  caller: Caller,
  context: Omit<OperationContext, 'account' | 'writer' | 'caller' | 'forModel' | 'isLean'>,
): Promise<unknown> {
  requirePermission(operation, caller);
  const { plain, large } = withoutLargeValues(rawInput ?? {});
  // A command calls once: compiling a schema to code, as zod does by default, takes longer than it saves.
  const parsing = { jitless: face === 'cli' };
  const input: Record<string, unknown> = {
    ...parseInput(inputSchema(operation, face), operation.name, plain, parsing),
    ...large,
  };
  const forModel = face === 'mcp';
  if (forModel && !operation.effects.readOnly) refuseCutNames(operation.name, input);
  if (forModel && typeof input['maxTokens'] === 'number') input['maxTokens'] -= noticeTokens;
  const isLean = forModel && input['detail'] !== 'full';
  const change = changeOf(operation, face, caller);
  const output: unknown = await operation.run(input as never, {
    ...context,
    account: caller.accountId,
    writer: change === undefined ? caller.accountId : { account: caller.accountId, change },
    caller,
    forModel,
    isLean,
  });
  const checked = outputSchema(operation, face).safeParse(output, parsing);
  if (!checked.success)
    throw new Error(`${operation.name} answered in a shape it does not declare`, { cause: checked.error });
  // Without an undo id: whether something was changed would reveal what existed.
  if (!mayReadAnswer(operation, caller)) return shownTo(operation, caller, checked.data);
  const answer = isLean ? leanAnswer(operation, checked.data, input) : checked.data;
  // A model without the tool could not use the handle.
  const hasUndo = change?.isRecorded === true && (!forModel || context.tools?.has('undo') === true);
  return maskStrings(hasUndo ? { ...(answer as object), undo: change.id } : answer);
}

function changeOf({ name, permission, effects }: Operation, face: Face, caller: Caller): Change | undefined {
  const scope = scopeOf(permission);
  // Operations without a scope write no records that could be undone.
  if (effects.readOnly || scope === null) return undefined;
  return newChange({ face, by: caller.name ?? null, operation: name, scopes: [scope] });
}

/** The form in which a model is given an answer, made from the whole one. */
export function leanAnswer(
  { assistant }: Operation,
  answer: unknown,
  input: Readonly<Record<string, unknown>>,
): unknown {
  return withoutEmpty(assistant?.lean?.(answer as never, input) ?? answer);
}

/** Separates large values, which only a worker thread may read and validate. */
function withoutLargeValues(input: unknown): { plain: unknown; large: Record<string, LargeValue> } {
  if (typeof input !== 'object' || input === null) return { plain: input, large: {} };
  const large = Object.entries(input).filter((entry): entry is [string, LargeValue] => entry[1] instanceof LargeValue);
  if (large.length === 0) return { plain: input, large: {} };
  const plain = Object.entries(input).filter(([, value]) => !(value instanceof LargeValue));
  return { plain: Object.fromEntries(plain), large: Object.fromEntries(large) };
}

export function shownTo(operation: Operation, caller: Caller, output: unknown): unknown {
  const { acknowledges = [] } = operation;
  if (mayReadAnswer(operation, caller)) return maskStrings(output);
  const fields = Object.entries(output as object).filter(([name]) => acknowledges.includes(name));
  return maskStrings(Object.fromEntries(fields));
}

/** The schema of the answer to a write-only caller; undefined when there is none. */
export function acknowledgementSchema(operation: Operation): z.ZodObject | undefined {
  if (answerPermission(operation) === undefined) return undefined;
  if (!(operation.output instanceof z.ZodObject)) throw new Error(`${operation.name} acknowledges no object`);
  const { shape } = operation.output;
  // Assistants have answers with further fields.
  const names = (operation.acknowledges ?? []).filter((name) => name in shape);
  return z.object(Object.fromEntries(names.map((name) => [name, shape[name] as z.ZodType])));
}

/* Every interface asks here who may call what. */

export type Guarded = Pick<Operation, 'permission' | 'alsoPermissions'>;

export function neededPermissions({ permission, alsoPermissions = [] }: Guarded): Permission[] {
  return [permission, ...alsoPermissions];
}

export function isAllowed(caller: Caller, needed: readonly Permission[]): boolean {
  return needed.every((one) => caller.permissions.has(one));
}

export function mayCall(operation: Operation, caller: Caller): boolean {
  return isAllowed(caller, neededPermissions(operation));
}

/** @throws {AppError} `insufficient_scope` */
export function requirePermission(operation: Guarded, caller: Caller): void {
  const missing = neededPermissions(operation).find((one) => !caller.permissions.has(one));
  if (missing === undefined) return;
  throw new AppError('insufficient_scope', `This ${refusalOf(missing, caller)}`);
}

function refusalOf(missing: Permission, caller: Caller): string {
  if (heldToOf(caller.accountId) !== null && permissionsOfHeld(new Set([missing])).size === 0)
    return 'token or key is restricted to some lists or tags, and what needs this permission is about the whole library. Use one that is not restricted.';
  const scope = scopeOf(missing);
  if (caller.credential?.isKey === true)
    return `key may not do that: it lacks the permission ${missing}. Make a key that has it.`;
  return scope === null
    ? `token may not do that: it lacks the permission ${missing}, which no scope gives. \`commonplace token create --permissions\` makes a key that has it.`
    : `token may not do that: it lacks the scope ${scope}. Create a token that has it.`;
}

/** The missing right in a refusal: the permission for a key, the scope that gives it for a token. */
export function nameOfMissing({ permission }: Guarded, caller: Caller): string {
  return caller.credential?.isKey === true ? permission : (scopeOf(permission) ?? permission);
}

/**
 * The permission without which a caller sees only the fields that the operation acknowledges; undefined when everybody sees the whole
 * answer. Without it, a caller who may only write could read a record by an update that changes nothing.
 */
export function answerPermission({ permission, alsoPermissions = [] }: Operation): Permission | undefined {
  const needed = readingOf(permission);
  return isReading(permission) || alsoPermissions.includes(needed) ? undefined : needed;
}

function mayReadAnswer(operation: Operation, caller: Caller): boolean {
  const needed = answerPermission(operation);
  return needed === undefined || caller.permissions.has(needed);
}
