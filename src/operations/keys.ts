import { z } from 'zod';
import { exampleIds, exampleKey } from '../domain/records/examples.ts';
import { heldTo } from '../domain/access/held.ts';
import { expiresInDays, key, keyName, keyPermissions, keyWithSecret, requestsPerMinute } from '../domain/access/key.ts';
import { listLimit, listOf, listOffset, someId } from './fields.ts';
import { defineOperation } from './operation.ts';

const dayMs = 24 * 60 * 60_000;

const exampleSecret = 'cpl_4Yw9fQ2mT7vXc1LrB8kZs5NpJ3hGd6RaU0eWiOqHxKtVb2MnC';

/** The id is anything: an unknown one is not found. */
const keyId = someId.describe('The id of the key, as the list shows it.');

export const listKeys = defineOperation({
  name: 'list_keys',
  title: 'List keys',
  description: 'Keys and tokens of the account, newest first, without their secrets.',
  input: z.strictObject({ limit: listLimit.default(50), offset: listOffset }),
  output: listOf(key),
  permission: 'keys:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/keys',
    about:
      'Lists the keys of the account, newest first, without their secrets. Tokens are listed as well, with the permissions that their scopes give.',
    answers: { 200: 'One page of the list.' },
  },
  example: { input: {}, output: { items: [exampleKey], total: 1, limit: 50, offset: 0 } },
  run: async (page, { keys, account }) => ({ ...(await keys.list(account, page)), ...page }),
});

export const getKey = defineOperation({
  name: 'get_key',
  title: 'Read a key',
  description: 'What a key may do and when it was used, without its secret.',
  input: z.strictObject({ id: keyId }),
  output: key,
  permission: 'keys:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/keys/:id',
    about: 'What a key may do, and the day and the network of its last use.',
    answers: { 200: 'The key, without its secret.' },
  },
  example: { input: { id: exampleIds.key }, output: exampleKey },
  run: ({ id }, { keys, account }) => keys.get(account, id),
});

export const createKey = defineOperation({
  name: 'create_key',
  title: 'Make a key',
  description: 'Makes a key with its own permissions.',
  input: z.strictObject({
    name: keyName.describe('What it is for.'),
    permissions: keyPermissions.describe('What it may do: no more than the key that makes it.'),
    expiresInDays: expiresInDays
      .describe('After how many days it stops working. Absent: never, or when the key that makes it does.')
      .optional(),
    requestsPerMinute: requestsPerMinute
      .describe('Its own limit, where it is lower than that of the server.')
      .optional(),
    heldTo: heldTo.optional(),
  }),
  output: keyWithSecret,
  permission: 'keys:write',
  // The requested key and its secret.
  acknowledges: ['id', 'name', 'permissions', 'requestsPerMinute', 'createdAt', 'expiresAt', 'heldTo', 'secret'],
  secrets: ['secret'],
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/keys',
    status: () => 201,
    about:
      'Makes a key. It may do no more than the key that makes it, works no longer and no more often, and is revoked with it. `secret` is what a client sends as `Authorization: Bearer <secret>`; it is shown once.',
    answers: { 201: 'The key, with its secret.' },
  },
  example: {
    input: { name: 'reading list', permissions: ['content:read', 'search:read'], expiresInDays: 90 },
    output: { ...exampleKey, lastUsedOn: null, lastUsedFrom: null, secret: exampleSecret },
  },
  run: ({ expiresInDays: days, ...wanted }, { keys, caller }) =>
    keys.create(caller, { ...wanted, lifetimeMs: days === undefined ? undefined : days * dayMs }),
});

export const rotateKey = defineOperation({
  name: 'rotate_key',
  title: 'Give a key another secret',
  description: 'The secret before works for another hour.',
  input: z.strictObject({ id: keyId }),
  output: keyWithSecret,
  permission: 'keys:write',
  acknowledges: ['id', 'rotatedAt', 'oldSecretUntil', 'secret'],
  secrets: ['secret'],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/keys/:id/rotate',
    about:
      'Gives a key another secret, which is shown once. The one before works for another hour, in which it can neither make nor rotate keys. A key rotates itself, and others that may do no more than it.',
    answers: { 200: 'The key, with its new secret.' },
  },
  example: {
    input: { id: exampleIds.key },
    output: {
      ...exampleKey,
      rotatedAt: '2026-03-09T06:30:42.017Z',
      oldSecretUntil: '2026-03-09T07:30:42.017Z',
      secret: exampleSecret,
    },
  },
  run: ({ id }, { keys, caller }) => keys.rotate(caller, id),
});

export const revokeKey = defineOperation({
  name: 'revoke_key',
  title: 'Revoke a key',
  description: 'Ends a key at once, with all keys that it made.',
  input: z.strictObject({ id: keyId }),
  output: key,
  permission: 'keys:delete',
  acknowledges: ['id', 'revokedAt'],
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/keys/:id',
    about: 'Ends a key at once, and all keys that it made. Revoking again gives the same answer.',
    answers: { 200: 'The key, which works no more.' },
  },
  example: {
    input: { id: exampleIds.key },
    output: { ...exampleKey, revokedAt: '2026-03-09T06:30:42.017Z' },
  },
  run: ({ id }, { keys, account }) => keys.revoke(account, id),
});
