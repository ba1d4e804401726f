// Second stage.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { localAccountId, scopes } from '../../../src/domain/records/account.ts';
import {
  permissionLevels,
  permissions,
  permissionsOfScopes,
  resources,
  type Permission,
} from '../../../src/domain/access/permission.ts';
import { apiV1Routes } from '../../../src/http/rest/routes.ts';
import { fixedRoutes, type Route } from '../../../src/http/rest/routes.ts';
import { mounts } from '../../../src/http/listen.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { neededPermissions } from '../../../src/operations/call.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { openHttpServer, type Answer, type AskOptions, type HttpTestServer } from '../../support/http.ts';
import { makeKey, mcpMessage, rpcAnswer } from '../../support/access/keys.ts';
import { tools } from '../../support/api/operations.ts';
import { isThorough } from '../../support/vitest/thorough.ts';

/** A word that stands in everything that is saved. */
const word = 'zanzibar';

let testServer: HttpTestServer;
/** Records that exist. */
const ids = { content: '', action: '', goal: '', highlight: '', change: '' };
/** Of a key that may do everything. */
let owner: string;

beforeAll(async () => {
  testServer = await openHttpServer(
    { embedder: 'none', apiV1: true, manageTools: true, highlightTools: true, analyseTools: true },
    { mounts },
  );
  ({ secret: owner } = await makeKey(testServer.app, permissions));
  const store = await testServer.app.stores.open(localAccountId);
  const quote = `A sentence about ${word} and the weather.`;
  const goal = await ask(owner, 'POST', '/api/v1/goals', { title: `Goal of ${word}`, category: 'Wealth' });
  ({ id: ids.goal, undo: ids.change } = goal.body);
  const place = { start: 0, end: quote.length };
  ids.content = await addFinishedItem(store, {
    url: `https://example.com/${word}`,
    blocks: paragraphs(quote),
    about: { title: `Page of ${word}` },
    tags: [word],
    notes: `Note of ${word}`,
    analysis: {
      ...emptyAnalysis,
      summary: `Summary of ${word}`,
      actions: [
        {
          title: `Do what ${word} says`,
          reason: null,
          quote,
          ...place,
          locator: { kind: 'text', ...place },
          url: null,
          goalId: ids.goal,
        },
      ],
    },
  });
  ids.action = (await store.listActions({ offset: 0 })).items[0]?.id ?? '';
  ({ id: ids.highlight } = (await ask(owner, 'POST', '/api/v1/highlights', { contentId: ids.content, quote })).body);
});
afterAll(() => testServer.close());

const ask = (token: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  testServer.ask(path, { method, token, headers, ...(body !== undefined && { body }) });

/**
 * Every set of permissions that is asked about: each alone, all but one, one resource, one level, all. The gate asks about a permission in one of the
 * first two ways, which take turns.
 */
const sets: [name: string, of: readonly Permission[]][] = [
  ...permissions.map((one): [string, Permission[]] => [one, [one]]).filter((_, at) => isThorough || at % 2 === 0),
  ...permissions
    .map((one): [string, Permission[]] => [`all but ${one}`, permissions.filter((other) => other !== one)])
    .filter((_, at) => isThorough || at % 2 === 1),
  ...resources.map((one): [string, Permission[]] => [one, permissions.filter((other) => other.startsWith(`${one}:`))]),
  ...permissionLevels.map((one): [string, Permission[]] => [one, permissions.filter((other) => other.endsWith(one))]),
  ['everything', permissions],
];

const idIn = ({ body }: Answer): string => (body as { id: string }).id;

/** Until no import or export with this id is waiting or running. */
async function untilEnded(id: string): Promise<void> {
  for (;;) {
    const [one, other] = await Promise.all(
      ['imports', 'exports'].map(async (kind) => (await ask(owner, 'GET', `/api/v1/${kind}/${id}`)).text),
    );
    if (!/"state":"(?:waiting|running)"/.test(`${one}${other}`)) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The operation's example. Its ids are those of records that are not there, so that calls that pass change little. */
function requestOf(operation: Route, replaced: Record<string, unknown> = {}): [path: string, AskOptions] {
  const input: Record<string, unknown> = { ...operation.example.input, ...replaced };
  const { inPath, hasBody } = operation;
  const path = operation.http.path.replaceAll(/:(\w+)/g, (_, name: string) => String(input[name]));
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)));
  const method = operation.http.method.toUpperCase();
  return hasBody
    ? [path, { method, body: others }]
    : [`${path}?${new URLSearchParams(others as Record<string, string>).toString()}`, { method }];
}

/** The routes that take or give a file are no operations, and check by themselves. */
const fileRoutes: readonly { method: string; path: (id: string) => string; needs: readonly Permission[] }[] = [
  { method: 'POST', path: () => '/api/v1/imports', needs: ['content:write'] },
  { method: 'GET', path: (id) => `/api/v1/imports/${id}/report`, needs: ['content:write', 'content:read'] },
  {
    method: 'GET',
    path: (id) => `/api/v1/exports/${id}/file`,
    needs: ['content:read', 'actions:read', 'goals:read', 'history:read'],
  },
];
const noJob = 'j_aaaaaaaaaaaaaaaa';

const isRefused = ({ status, text }: Answer) => status === 403 && /This (?:key|token) may not do that/.test(text);

function toolNames({ result }: ReturnType<typeof rpcAnswer>): string[] {
  const { tools: listed = [] } = (result ?? {}) as { tools?: { name: string }[] };
  return listed.map(({ name }) => name);
}

/** Which operations pass, over REST and MCP. */
async function passing(token: string, own: readonly Permission[]) {
  const overRest: string[] = [];
  for (const operation of [...fixedRoutes(operations), ...apiV1Routes(operations)]) {
    // A key makes others with no more than it has.
    const [path, options] = requestOf(operation, operation.name === 'create_key' ? { permissions: own } : {});
    const answer = await testServer.ask(path, { ...options, token });
    expect(answer.status, path).not.toBe(401);
    expect(answer.status, path).toBeLessThan(500);
    if (!isRefused(answer)) overRest.push(operation.http.path + operation.http.method);
  }
  for (const { method, path } of fileRoutes) {
    // An import without a file begins nothing; it is 409 while the exports of earlier callers are unfinished.
    const answer = await ask(token, method, path(noJob));
    expect([400, 403, 404, 409], path(noJob)).toContain(answer.status);
    if (!isRefused(answer)) overRest.push(path(noJob) + method);
  }
  const listed = rpcAnswer(await testServer.ask('/mcp', { ...mcpMessage('tools/list'), token }));
  const shown = toolNames(listed);
  const called: string[] = [];
  for (const { name, example } of tools) {
    const call = mcpMessage('tools/call', { name, arguments: example.input });
    const { error } = rpcAnswer(await testServer.ask('/mcp', { ...call, token }));
    // Refused like a tool that never was.
    if (error === undefined || !error.message.includes(`Tool ${name} not found`)) called.push(name);
  }
  return { overRest, shown, called };
}

const areAllowed = (own: ReadonlySet<Permission>) => (operation: Operation) =>
  neededPermissions(operation).every((one) => own.has(one));

function expected(own: ReadonlySet<Permission>) {
  const isAllowed = areAllowed(own);
  const allowedTools = tools.filter(isAllowed).map(({ name }) => name);
  return {
    overRest: [
      ...[...fixedRoutes(operations), ...apiV1Routes(operations)]
        .filter(isAllowed)
        .map(({ http }) => http.path + http.method),
      ...fileRoutes
        .filter(({ needs }) => needs.every((one) => own.has(one)))
        .map(({ method, path }) => path(noJob) + method),
    ],
    shown: allowedTools,
    called: allowedTools,
  };
}

test.each(sets)('a key with %s passes exactly where the operations require no more', async (_, own) => {
  const { secret } = await makeKey(testServer.app, own, { lifetimeMs: 60 * 60_000 });
  expect(await passing(secret, own)).toEqual(expected(new Set(own)));
});

test.each(scopes)('a token with the scope %s passes exactly where its permissions do', async (scope) => {
  const own = permissionsOfScopes([scope]);
  expect(await passing(await testServer.createToken({ scopes: [scope] }), [...own])).toEqual(expected(own));
});

/** Everything that differs from one answer to the next for reasons of its own. */
function comparable({ status, headers, text }: Answer): unknown {
  const kept = [...headers].filter(([name]) => name !== 'x-request-id');
  return { status, headers: Object.fromEntries(kept), text };
}

describe('a refusal', () => {
  it('is the same whether the record exists or not, and whatever else is wrong or sent along', async () => {
    const { secret } = await makeKey(testServer.app, ['search:write']);
    const real: Record<string, unknown> = { id: ids.content, contentId: ids.content, goalId: ids.goal };
    for (const operation of [...fixedRoutes(operations), ...apiV1Routes(operations)]) {
      const whole = await testServer.ask('/api/v1/content', { token: owner });
      const tag = (await testServer.ask(`/api/v1/content/${ids.content}`, { token: owner })).headers.get('etag') ?? '';
      const variants: Answer[] = [];
      for (const replaced of [{}, real, { ...real, id: ids.action }, { ...real, id: ids.goal }, { nonsense: 'x' }]) {
        const known = Object.fromEntries(
          Object.entries(replaced).filter(([name]) => name in operation.input.shape || name === 'nonsense'),
        );
        const [path, options] = requestOf(operation, known);
        const headers = {
          'if-none-match': `${tag}, ${whole.headers.get('etag')}, *`,
          'if-match': tag,
          'idempotency-key': 'one',
          'accept-encoding': 'gzip',
        };
        variants.push(await testServer.ask(path, { ...options, token: secret }));
        variants.push(await testServer.ask(path, { ...options, token: secret, headers }));
      }
      const [first] = variants.map(comparable);
      for (const variant of variants.map(comparable)) expect(variant, operation.name).toEqual(first);
      expect(first).toMatchObject({ status: 403 });
      expect((first as { headers: object }).headers).not.toHaveProperty('etag');
      expect((first as { text: string }).text).not.toContain(word);
    }
  });

  it('of a file is the same whether it exists or not, and takes no file', async () => {
    const begun = await ask(owner, 'POST', '/api/v1/exports', { format: 'csv' });
    const sent = await ask(owner, 'POST', '/api/v1/imports', 'https://example.com/from-a-list', {
      'content-type': 'text/plain',
    });
    const jobs: string[] = [idIn(begun), idIn(sent), noJob];
    for (const id of jobs.slice(0, 2)) await untilEnded(id);
    const before = (await ask(owner, 'GET', '/api/v1/imports')).text;
    const { secret } = await makeKey(
      testServer.app,
      permissions.filter((one) => one !== 'content:write' && one !== 'history:read'),
    );
    const headersSent: Record<string, string>[] = [
      {},
      { 'idempotency-key': 'one', range: 'bytes=0-1', 'if-none-match': '*' },
    ];
    for (const { method, path } of fileRoutes) {
      const answers: unknown[] = [];
      for (const id of jobs)
        for (const headers of headersSent)
          answers.push(comparable(await ask(secret, method, path(id), undefined, headers)));
      for (const answer of answers) expect(answer, path(noJob)).toEqual(answers[0]);
      expect(answers[0]).toMatchObject({ status: 403 });
    }
    for (const path of ['/exports', `/exports/${jobs[0]}`, '/imports', `/imports/${jobs[1]}`])
      expect((await ask(secret, 'GET', `/api/v1${path}`)).status, path).toBe(403);
    expect((await ask(secret, 'DELETE', `/api/v1/exports/${jobs[0]}`)).status).toBe(403);
    expect((await ask(owner, 'GET', '/api/v1/imports')).text).toBe(before);
  });

  it('of a read is the same for HEAD and for conditional requests', async () => {
    const { secret } = await makeKey(testServer.app, ['goals:read']);
    for (const path of ['/content', '/api/v1/content', `/content/${ids.content}`, '/api/v1/history', '/api/v1/keys']) {
      const { headers } = await ask(owner, 'GET', path);
      expect(headers.get('vary')).toContain('Authorization');
      expect(headers.get('cache-control')).toMatch(/private|no-store/);
      const cached = { 'if-none-match': headers.get('etag') ?? '*' };
      expect((await ask(secret, 'GET', path, undefined, cached)).status).toBe(403);
      const head = await ask(secret, 'HEAD', path);
      expect([head.status, head.text]).toEqual([403, '']);
    }
  });

  it('is also named in the header when only the operation itself detects it', async () => {
    const { secret } = await makeKey(testServer.app, ['keys:write']);
    const more = { name: 'more', permissions: ['content:read'] };
    const { status, headers } = await ask(secret, 'POST', '/api/v1/keys', more);
    expect([status, headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="commonplace", error="insufficient_scope"',
    ]);
  });

  it('does nothing', async () => {
    const seen = async () => {
      const paths = ['/content', '/actions', '/goals', '/api/v1/history', '/api/v1/highlights', '/api/v1/tags'];
      return Promise.all(paths.map(async (path) => (await ask(owner, 'GET', path)).text));
    };
    const before = await seen();
    const { secret } = await makeKey(
      testServer.app,
      permissions.filter((one) => one.endsWith(':read') && !one.startsWith('keys')),
    );
    // Exports only read: such a key begins and ends them.
    const writing = apiV1Routes(operations).filter(
      (operation) => !neededPermissions(operation).every((one) => one.endsWith(':read')),
    );
    for (const operation of writing)
      for (const id of Object.values(ids)) {
        const replaced = 'id' in operation.input.shape ? { id } : {};
        const [path, options] = requestOf(operation, replaced);
        expect(isRefused(await testServer.ask(path, { ...options, token: secret })), path).toBe(true);
      }
    for (const { name, example } of tools.filter(({ effects }) => !effects.readOnly)) {
      const { error } = rpcAnswer(
        await testServer.ask('/mcp', {
          ...mcpMessage('tools/call', { name, arguments: example.input }),
          token: secret,
        }),
      );
      expect(error?.message).toContain('not found');
    }
    expect(await seen()).toEqual(before);
  });
});

describe('the records of another key', () => {
  it('include an answer kept for its idempotency key, which is not given to this one', async () => {
    const headers = { 'idempotency-key': 'shared-by-accident' };
    const body = { title: `Boiler of ${word}`, text: `Serviced in May, says ${word}.` };
    const first = await ask(owner, 'POST', '/api/v1/content', body, headers);
    expect(first.status).toBe(201);
    const reader = await makeKey(testServer.app, ['content:read']);
    const refused = await ask(reader.secret, 'POST', '/api/v1/content', body, headers);
    expect([refused.status, refused.headers.get('idempotency-replayed')]).toEqual([403, null]);
    const writer = await makeKey(testServer.app, ['content:write']);
    const written = await ask(writer.secret, 'POST', '/api/v1/content', body, headers);
    expect(written.headers.get('idempotency-replayed')).toBeNull();
    expect(written.text).not.toContain(word);
    // A key that was narrowed by being revoked gets nothing, either.
    await testServer.app.access.revokeToken(writer.id);
    expect((await ask(writer.secret, 'POST', '/api/v1/content', body, headers)).status).toBe(401);
  });

  it('are not reached by a cursor', async () => {
    for (const path of ['/api/v1/actions', '/api/v1/history', '/api/v1/content']) {
      const { nextCursor } = (await ask(owner, 'GET', `${path}?limit=1`)).body as { nextCursor?: string };
      const { secret } = await makeKey(testServer.app, ['search:read']);
      expect((await ask(secret, 'GET', `${path}?limit=1&cursor=${nextCursor ?? 'x'}`)).status).toBe(403);
    }
    const { nextCursor } = (await ask(owner, 'GET', '/api/v1/history?limit=1')).body as { nextCursor?: string };
    const { secret } = await makeKey(testServer.app, ['history:read', 'content:read']);
    const { text } = await ask(secret, 'GET', `/api/v1/history?limit=1&cursor=${nextCursor}`);
    expect(text).not.toContain('goal');
  });

  it('are neither seen nor undone through a change by a key that may not read them', async () => {
    const { body: all } = await ask(owner, 'GET', '/api/v1/history');
    const { secret } = await makeKey(testServer.app, [
      'history:read',
      'history:write',
      'content:read',
      'content:write',
    ]);
    const { body: some } = await ask(secret, 'GET', '/api/v1/history');
    expect((some as { total: number }).total).toBeLessThan((all as { total: number }).total);
    expect(JSON.stringify(some)).not.toContain(ids.goal);
    const missing = await ask(secret, 'GET', '/api/v1/history?id=x_aaaaaaaaaaaaaaaa');
    expect(missing.status).toBe(404);
    for (const id of [ids.change, ids.goal, ids.action])
      expect(comparable(await ask(secret, 'GET', `/api/v1/history?id=${id}`))).toEqual(comparable(missing));
    const unknown = await ask(secret, 'POST', '/api/v1/history/x_aaaaaaaaaaaaaaaa/undo', {});
    expect(unknown.status).toBe(404);
    expect(comparable(await ask(secret, 'POST', `/api/v1/history/${ids.change}/undo`, { force: true }))).toEqual(
      comparable(unknown),
    );
    expect((await ask(owner, 'GET', '/goals')).text).toContain(ids.goal);
  });
});

describe('without permission to delete', () => {
  const own: Permission[] = permissions.filter((one) => !one.endsWith(':delete'));

  it('an undo of a save deletes nothing', async () => {
    const { secret } = await makeKey(testServer.app, own);
    const undo = (id: string, token = secret) => ask(token, 'POST', `/api/v1/history/${id}/undo`, { force: true });
    const note = await ask(secret, 'POST', '/api/v1/content', { title: 'Mine', text: 'Text.' });
    const { id, undo: saved } = note.body as { id: string; undo: string };
    const refused = await undo(saved);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('content:delete')]);
    await ask(owner, 'DELETE', `/api/v1/content/${id}`);
    const { undo: restored } = (await ask(secret, 'POST', `/api/v1/content/${id}/restore`)).body as { undo: string };
    expect((await undo(restored)).status).toBe(403);
    const goal = await ask(secret, 'POST', '/api/v1/goals', { title: 'Mine', category: 'Health' });
    const refusedGoal = await undo((goal.body as { undo: string }).undo);
    expect([refusedGoal.status, refusedGoal.text]).toEqual([403, expect.stringContaining('goals:delete')]);
    const made = await ask(secret, 'POST', '/api/v1/highlights', { contentId: ids.content, quote: word });
    expect((await undo((made.body as { undo: string }).undo)).status).toBe(403);
    expect((await ask(secret, 'GET', `/content/${id}`)).status).toBe(200);
    // What only changed something is taken back all the same, and the owner takes back everything.
    const { undo: edited } = (await ask(secret, 'PUT', `/api/v1/content/${id}`, { notes: 'new' })).body as {
      undo: string;
    };
    expect((await undo(edited)).status).toBe(200);
    expect((await undo(saved, owner)).status).toBe(200);
  });
});

describe('MCP', () => {
  it('accepts no batch, whatever is in it', async () => {
    const { secret } = await makeKey(testServer.app, ['content:read']);
    const { body, ...rest } = mcpMessage('tools/call', { name: 'list_content', arguments: {} });
    const forbidden = mcpMessage('tools/call', { name: 'list_goals', arguments: {} }).body;
    const answer = await testServer.ask('/mcp', { ...rest, body: [body, forbidden], token: secret });
    expect([answer.status, answer.text.includes(word)]).toEqual([400, false]);
  });

  it('ignores the session of another key', async () => {
    const initialize = mcpMessage('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    const session = (await testServer.ask('/mcp', { ...initialize, token: owner })).headers.get('mcp-session-id') ?? '';
    expect(session).not.toBe('');
    const { id, secret } = await makeKey(testServer.app, ['search:read']);
    const list = mcpMessage('tools/list');
    const within = { ...list, headers: { ...list.headers, 'mcp-session-id': session }, token: secret };
    expect(toolNames(rpcAnswer(await testServer.ask('/mcp', within)))).toEqual(['search']);
    await testServer.app.access.revokeToken(id);
    expect((await testServer.ask('/mcp', within)).status).toBe(401);
  });
});
