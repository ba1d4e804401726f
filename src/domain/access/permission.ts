import { z } from 'zod';

/** The resources that permissions are about, in listing order. */
export const resources = ['content', 'search', 'actions', 'goals', 'history', 'keys'] as const;
export const permissionLevels = ['read', 'write', 'delete'] as const;

type PermissionLevel = (typeof permissionLevels)[number];
/** `capture:read` is narrower than `content:read`: whether one address is saved, its highlights, and the tags there are. */
export type Permission = `${(typeof resources)[number]}:${PermissionLevel}` | 'capture:read';

export const permissions: readonly Permission[] = [
  ...resources.flatMap((resource) => permissionLevels.map((level): Permission => `${resource}:${level}`)),
  'capture:read',
];
export const permission = z.enum(permissions);

/**
 * The scope of a token that gives each permission. A token has fewer, broader scopes: permission to write content includes deleting
 * it. No scope gives permissions for keys: a token cannot create keys.
 */
const scopeFor: Readonly<Record<Permission, Scope | null>> = {
  'content:read': 'content:read',
  'content:write': 'content:write',
  'content:delete': 'content:write',
  'search:read': 'search:read',
  'search:write': 'content:write',
  'search:delete': 'content:write',
  'actions:read': 'actions:read',
  'actions:write': 'actions:write',
  'actions:delete': 'actions:write',
  'goals:read': 'goals:read',
  'goals:write': 'goals:write',
  'goals:delete': 'goals:write',
  'history:read': 'content:read',
  'history:write': 'content:write',
  'history:delete': 'content:write',
  'keys:read': null,
  'keys:write': null,
  'keys:delete': null,
  'capture:read': 'content:read',
};

/** The scope by which a token has this permission; null when no scope gives it. */
export function scopeOf(of: Permission): Scope | null {
  return scopeFor[of];
}

/** The permissions that a token with these scopes has. */
export function permissionsOfScopes(scopes: Iterable<Scope>): Set<Permission> {
  const given = new Set(scopes);
  return new Set(
    permissions.filter((one) => {
      const scope = scopeFor[one];
      return scope !== null && given.has(scope);
    }),
  );
}

/** Permissions for the whole library rather than for items. */
const ofLibrary: ReadonlySet<Permission> = new Set<Permission>([
  'search:delete',
  'goals:read',
  'goals:write',
  'goals:delete',
  'history:read',
  'history:write',
  'history:delete',
  'keys:read',
  'keys:delete',
]);

/** The permissions that are left to a token or key restricted to lists and tags. */
export function permissionsOfHeld(given: ReadonlySet<Permission>): Set<Permission> {
  return new Set([...given].filter((one) => !ofLibrary.has(one)));
}

/** The permission that reads what another one changes. */
export function readingOf(of: Permission): Permission {
  return `${of.slice(0, of.indexOf(':'))}:read` as Permission;
}

export function isReading(of: Permission): boolean {
  return readingOf(of) === of;
}

/** In the order in which permissions are listed, each once. */
export function inOrder(some: Iterable<Permission>): Permission[] {
  const given = new Set(some);
  return permissions.filter((one) => given.has(one));
}

/** The scopes of tokens. Each gives one or several permissions (`permission.ts`). */
export const scopes = [
  'content:read',
  'content:write',
  'search:read',
  'actions:read',
  'actions:write',
  'goals:read',
  'goals:write',
] as const;
export const scope = z.enum(scopes);
export type Scope = z.infer<typeof scope>;
