import { z } from 'zod';
import type { Caller } from '../domain/account.ts';
import { AppError, type FieldProblem } from '../errors.ts';
import type { Operation, OperationContext } from './operation.ts';

/** `rest` gives everything; `mcp` answers within a budget by default, `cli` when one is asked for. */
export type Face = 'rest' | 'mcp' | 'cli';

const inputSchemas = new WeakMap<Operation, Partial<Record<Face, z.ZodObject>>>();

/** The input of an operation as this face takes it. */
export function inputSchema(operation: Operation, face: Face): z.ZodObject {
  const known = inputSchemas.get(operation) ?? {};
  inputSchemas.set(operation, known);
  return (known[face] ??= buildInputSchema(operation, face));
}

function buildInputSchema(operation: Operation, face: Face): z.ZodObject {
  if (face === 'rest' || operation.assistant === undefined) return operation.input;
  const extra = operation.assistant.input;
  if (face === 'mcp') return operation.input.extend(extra);
  // At a terminal nobody pays by the token: the defaults that bound an assistant's answer do not apply.
  const unbounded = Object.fromEntries(
    Object.entries(extra)
      .map(([name, schema]) => [name, schema instanceof z.ZodDefault ? schema.unwrap() : schema] as const)
      .filter(([name]) => !(name in operation.input.shape))
      .map(([name, schema]) => [name, (schema as z.ZodType).optional()]),
  );
  return operation.input.extend(unbounded);
}

/** The shape of an operation's answer on this face. */
export function outputSchema(operation: Operation, face: Face): z.ZodType {
  return face === 'rest' ? operation.output : (operation.assistant?.output ?? operation.output);
}

function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? { path: issue.path.join('.'), message: `has fields that do not exist: ${issue.keys.slice(0, 10).join(', ')}` }
      : { path: issue.path.join('.'), message: issue.message },
  );
}

/**
 * The one gate: scope → parse → run → parse the output.
 * @throws {AppError} `insufficient_scope`, `invalid_input` naming every bad field, and whatever the service throws
 */
export async function callOperation(
  operation: Operation,
  face: Face,
  rawInput: unknown,
  caller: Caller,
  context: Omit<OperationContext, 'account'>,
): Promise<unknown> {
  if (!caller.scopes.has(operation.scope)) {
    throw new AppError(
      'insufficient_scope',
      `This token may not do that: it lacks the scope ${operation.scope}. Create a token that has it.`,
    );
  }
  const input = inputSchema(operation, face).safeParse(rawInput ?? {});
  if (!input.success) {
    const fields = fieldProblems(input.error);
    const listed = fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
    throw new AppError('invalid_input', `The input of ${operation.name} is not valid. ${listed}.`, { fields });
  }
  const output: unknown = await operation.run(input.data as never, { ...context, account: caller.accountId });
  const checked = outputSchema(operation, face).safeParse(output);
  if (!checked.success)
    throw new Error(`${operation.name} answered in a shape it does not declare`, { cause: checked.error });
  return checked.data;
}
