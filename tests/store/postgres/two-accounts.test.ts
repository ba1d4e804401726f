import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissions } from '../../../src/domain/access/permission.ts';
import { newChange } from '../../../src/domain/records/change.ts';
import { exampleIds, exampleLease } from '../../../src/domain/records/examples.ts';
import { type IdKind, newId } from '../../../src/domain/records/ids.ts';
import { apiV1Routes, fixedRoutes, type Route } from '../../../src/http/rest/routes.ts';
import { tokenHeader } from '../../../src/http/page/visitor.ts';
import type { Listening } from '../../../src/http/listen.ts';
import { operations } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { pageOperations } from '../../../src/operations/page.ts';
import { connect } from '../../../src/store/postgres/database.ts';
import { libraryTables } from '../../../src/store/postgres/control.ts';
import { openBrowser } from '../../support/access/browser.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../../support/content.ts';
import { openTestServer } from '../../support/test-server.ts';
import { makeKey, mcpMessage } from '../../support/access/keys.ts';
import { tools } from '../../support/api/operations.ts';
import { acceptsHtml, cookiesOf, tokenOf } from '../../support/access/page-calls.ts';
import { PostgresServer, type TestDatabase } from '../../support/postgres/server.ts';
import { takeOutAccountCondition } from '../../support/postgres/without-account-condition.ts';

/*
 * Somebody with an account knows every id of another one, and names them in every operation of every interface, at the
 * server at which the other one works and at another one. What is answered is what is answered of ids that never were.
 */

type TestServer = Awaited<ReturnType<typeof openTestServer>>;
interface Node {
  app: TestServer['app'];
  testServer: TestServer;
  listening: Listening;
}

interface Party {
  account: string;
  /** A key with all permissions. */
  key: string;
  /** A word that stands in everything it has. */
  secret: string;
  /** By what stands in their place in examples. */
  ids: Record<string, string>;
}

const kinds: Record<string, IdKind> = {
  [exampleIds.content]: 'c',
  [exampleIds.action]: 'a',
  [exampleIds.goal]: 'g',
  [exampleIds.highlight]: 'h',
  [exampleIds.change]: 'x',
  [exampleIds.import]: 'j',
  [exampleIds.export]: 'j',
  [exampleIds.key]: 'k',
  [exampleLease]: 'j',
};

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

async function openNode(database: TestDatabase): Promise<Node> {
  const limits = { rateLimitPerMinute: 0, shutdownGraceSeconds: 0 };
  const sets = { apiV1: true, manageTools: true, highlightTools: true, analyseTools: true };
  const settings = { ...limits, ...sets, embedder: 'none', httpPort: 0 };
  const testServer = await openTestServer(
    settings,
    { failedAuthPerMinute: 0 },
    { COMMONPLACE_DATABASE_URL: database.url },
  );
  return { app: testServer.app, testServer, listening: await testServer.app.serve() };
}

/** An account with one of everything. Its imports and exports are at this node. */
async function makeParty({ app }: Node, secret: string): Promise<Party> {
  const { id: account } = await app.access.addAccount(secret, 'pro');
  const change = newChange({ face: 'rest', by: secret, operation: 'update_content', scopes: ['content:write'] });
  const store = await app.stores.open({ account, change });
  const goal = await store.addGoal({ title: `Goal of ${secret}`, category: 'Wealth' });
  const text = `A sentence about ${secret} and the weather.`;
  const place = { start: 0, end: text.length, locator: { kind: 'text' as const, start: 0, end: text.length } };
  const action = { title: `Do what ${secret} says`, reason: null, quote: text, url: null, goalId: goal.id, ...place };
  const content = await addFinishedItem(store, {
    url: `https://example.com/${secret}`,
    blocks: paragraphs(text),
    about: { title: `Page of ${secret}` },
    tags: [secret],
    notes: `Note of ${secret}`,
    analysis: { ...emptyAnalysis, summary: `Summary of ${secret}`, actions: [action] },
  });
  const highlight = await store.addHighlight({ contentId: content, quote: secret, note: `Mark of ${secret}` });
  const listed = await makeKey(app, ['content:read'], { account, name: `Key of ${secret}` });
  const { imports, exports } = app.services;
  const upload = await imports.receive(account, `${secret}.txt`, Readable.from([Buffer.from('nothing')]));
  const [own] = (await store.listActions({ offset: 0 })).items;
  const lease = (await store.claimAnalysis(60_000))?.leaseToken;
  const ids = {
    [exampleIds.content]: content,
    [exampleIds.action]: own?.id,
    [exampleIds.goal]: goal.id,
    [exampleIds.highlight]: highlight?.id,
    [exampleIds.change]: change.id,
    [exampleIds.key]: listed.id,
    [exampleIds.import]: (await imports.begin({ account, change }, upload, { tags: [], follow: false })).id,
    [exampleIds.export]: (await exports.begin(account, 'csv', undefined)).id,
    [exampleLease]: lease,
  };
  for (const [sample, id] of Object.entries(ids)) expect(id, sample).toBeDefined();
  const { secret: key } = await makeKey(app, permissions, { account });
  return { account, key, secret, ids: ids as Record<string, string> };
}

interface Outcome {
  status: number;
  text: string;
}

/** The calls of one account at one server. */
async function openFaces({ app, listening: { url } }: Node, { account, key }: Party) {
  const ask = async (path: string, method: string, headers: Record<string, string>, body?: object) => {
    const sent = { method, headers: { 'content-type': 'application/json', ...headers } };
    const response = await fetch(url + path, { ...sent, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return { status: response.status, text: await response.text() };
  };
  const bearer = { authorization: `Bearer ${key}` };
  const browser = openBrowser(url);
  const code = await app.signIn.createLink(account, 'open');
  await browser.get(`/app/enter?code=${code}`);
  expect((await browser.post('/app/enter', { code })).status).toBe(303);
  const form = tokenOf(await browser.get('/', acceptsHtml));
  expect(form).not.toBe('');
  return {
    overRest(operation: Route, input: Record<string, unknown>): Promise<Outcome> {
      const { inPath, hasBody } = operation;
      const path = operation.http.path.replaceAll(/:(\w+)/g, (_, name: string) => String(input[name]));
      const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
      const query = new URLSearchParams(others.map(([name, value]): [string, string] => [name, String(value)]));
      const method = operation.http.method.toUpperCase();
      if (hasBody) return ask(path, method, bearer, Object.fromEntries(others));
      return ask(`${path}?${query.toString()}`, method, bearer);
    },
    overMcp({ name }: Operation, input: object): Promise<Outcome> {
      const { method, headers, body } = mcpMessage('tools/call', { name, arguments: input });
      return ask('/mcp', method, { ...bearer, ...headers }, body);
    },
    fromPage({ name }: Operation, input: object): Promise<Outcome> {
      return ask(`/app/api/${name}`, 'POST', { cookie: cookiesOf(browser), [tokenHeader]: form, origin: url }, input);
    },
    read: (path: string): Promise<Outcome> => ask(path, 'GET', { cookie: cookiesOf(browser), ...acceptsHtml }),
  };
}

/** The example with these ids, and with one in every input that takes some. Null: it takes none. */
function inputOf(operation: Operation, ids: Record<string, string>): Record<string, unknown> | null {
  let text = JSON.stringify(operation.example.input);
  for (const [sample, id] of Object.entries(ids)) text = text.replaceAll(sample, id);
  const input = JSON.parse(text) as Record<string, unknown>;
  for (const [name, sample] of [
    ['contentId', exampleIds.content],
    ['actionId', exampleIds.action],
    ['goalId', exampleIds.goal],
  ] as const)
    if (Object.hasOwn(operation.input.shape, name)) input[name] = ids[sample];
  return Object.values(ids).some((id) => JSON.stringify(input).includes(id)) ? input : null;
}

/** What was answered, whichever ids were named. */
function withoutIds({ status, text }: Outcome, ids: Record<string, string>): Outcome {
  let plain = text;
  for (const [sample, id] of Object.entries(ids)) plain = plain.replaceAll(id, sample);
  return { status, text: plain.replaceAll(/"requestId":"[^"]*"/g, '') };
}

type Build = { statements: ReadonlySet<string>; restore: () => void };
const builds: [name: string, build: () => Build | null][] = [
  ['as it is', () => null],
  ['with the condition on the account taken out of every statement', takeOutAccountCondition],
];

describe.each(builds)('the ids of another account, in the program %s', (_, makeBuild) => {
  let build: Build | null;
  let database: TestDatabase;
  const nodes: Node[] = [];
  let victim: Party;
  let attacker: Party;

  beforeAll(async () => {
    build = makeBuild();
    database = await server.createDatabase();
    nodes.push(await openNode(database), await openNode(database));
    victim = await makeParty(nodes[0]!, 'zanzibar');
    attacker = await makeParty(nodes[1]!, 'quixote');
  });
  afterAll(async () => {
    for (const { listening, testServer } of nodes.splice(0)) {
      await listening.close(AbortSignal.abort());
      await testServer.close();
    }
    build?.restore();
    await database.drop();
  });

  /** Everything that the victim has, one array for each table. */
  async function dump(): Promise<unknown[]> {
    const admin = connect({ url: server.adminUrl(database), maxConnections: 1 });
    try {
      return await Promise.all(
        [...libraryTables, 'tokens', 'sessions'].map((table) =>
          admin.unsafe(`SELECT to_json(t)::text AS row FROM ${table} t WHERE account_id = $1 ORDER BY 1`, [
            victim.account,
          ]),
        ),
      );
    } finally {
      await admin.end();
    }
  }

  it('look like unknown ids, and nothing is shown or changed', async () => {
    const before = await dump();
    expect(before.flat().length).toBeGreaterThan(20);
    let compared = 0;
    for (const node of nodes) {
      const faces = await openFaces(node, attacker);
      const attack = async <O extends Operation>(
        face: string,
        operation: O,
        call: (operation: O, input: Record<string, unknown>) => Promise<Outcome>,
      ) => {
        // It takes an address and no id, and asks the network for it.
        if (operation.name === 'follow') return;
        const stolen = inputOf(operation, victim.ids);
        const answer = await call(operation, stolen ?? structuredClone(operation.example.input));
        expect(answer.text, `${operation.name} ${face}`).not.toContain(victim.secret);
        // A call that is refused for its form tries nothing.
        expect([200, 201, 202, 204, 404], `${operation.name} ${face}: ${answer.text}`).toContain(answer.status);
        if (stolen === null) return;
        const unknown = Object.fromEntries(Object.entries(kinds).map(([sample, kind]) => [sample, newId(kind)]));
        const nowhere = await call(operation, inputOf(operation, unknown) ?? {});
        expect(withoutIds(answer, victim.ids), `${operation.name} ${face}`).toEqual(withoutIds(nowhere, unknown));
        compared += 1;
      };
      for (const operation of fixedRoutes(operations)) await attack('over REST', operation, faces.overRest);
      for (const operation of apiV1Routes(operations)) await attack('under /api/v1', operation, faces.overRest);
      for (const operation of tools) await attack('over MCP', operation, faces.overMcp);
      for (const operation of [...operations, ...pageOperations]) await attack('page', operation, faces.fromPage);
      for (const path of [
        `/app/original/${victim.ids[exampleIds.content]}`,
        `/app/files/import/${victim.ids[exampleIds.import]}`,
        `/app/files/export/${victim.ids[exampleIds.export]}`,
        `/app/item/${victim.ids[exampleIds.content]}`,
      ])
        expect((await faces.read(path)).text, path).not.toContain(victim.secret);
    }
    // Of both servers: an interface that no longer takes part would go unnoticed.
    expect(compared).toBeGreaterThan(140);
    expect(await dump()).toEqual(before);
    // In the changed program, the statements of what was called have lost their condition.
    expect(build === null || build.statements.size > 100).toBe(true);
  });

  it('would show their records if accounts were not separated', async () => {
    const owner = connect({ url: database.ownerUrl, maxConnections: 1 });
    for (const table of libraryTables) await owner.unsafe(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
    await owner.end();
    const faces = await openFaces(nodes[1]!, attacker);
    const [getContent] = fixedRoutes(operations).filter(({ name }) => name === 'get_content');
    const { text } = await faces.overRest(getContent!, { id: victim.ids[exampleIds.content] });
    // The condition in each statement is enough by itself, and without it only row-level security stands in the way.
    expect(text.includes(victim.secret)).toBe(build !== null);
  });
});
