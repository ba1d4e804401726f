import type { Caller } from '../domain/records/account.ts';
import { heldToOf } from '../domain/access/held-names.ts';
import { isReading, permissionsOfHeld, readingOf, scopeOf, type Permission } from '../domain/access/permission.ts';
import { AppError } from '../errors.ts';
import type { Operation } from './operation.ts';

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
    return 'token or key is held to some lists or tags, and what needs this permission is about the whole library. Use one that is not held.';
  const scope = scopeOf(missing);
  if (caller.credential?.isKey === true)
    return `key may not do that: it lacks the permission ${missing}. Make a key that has it.`;
  return scope === null
    ? `token may not do that: it lacks the permission ${missing}, which no scope gives. \`commonplace token create --permissions\` makes a key that has it.`
    : `token may not do that: it lacks the scope ${scope}. Create a token that has it.`;
}

/** What a refusal names as missing: the permission to a key, the scope that gives it to a token. */
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

export function mayReadAnswer(operation: Operation, caller: Caller): boolean {
  const needed = answerPermission(operation);
  return needed === undefined || caller.permissions.has(needed);
}
