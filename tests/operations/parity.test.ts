import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionItem } from '../../src/domain/records/analyses/action.ts';
import { newChange } from '../../src/domain/records/change.ts';
import type { ContentItem } from '../../src/domain/records/content.ts';
import { localAccountId, localCaller, scopes } from '../../src/domain/records/account.ts';
import { exampleIds, exampleLease, examplePage, exampleQuote } from '../../src/domain/records/examples.ts';
import { permissions } from '../../src/domain/access/permission.ts';
import { parseCommand } from '../../src/cli/commands/operation-commands.ts';
import { apiV1Routes, apiV1Prefix } from '../../src/http/rest/routes.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import type { Listening } from '../../src/http/listen.ts';
import { submitAnalysis } from '../../src/operations/analysis.ts';
import { callOperation, leanAnswer } from '../../src/operations/call.ts';
import { saveContent } from '../../src/operations/content/save-content.ts';
import { addHighlight } from '../../src/operations/highlights.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { httpParts } from '../support/http.ts';
import { openTestServer } from '../support/test-server.ts';
import { exampleInput, tools } from '../support/api/operations.ts';
import { builtProgram, connectInMemory, connectOverHttp, type TestClient } from '../support/mcp.ts';
import { PostgresServer } from '../support/postgres/server.ts';
import { articlePage, serve, startSite, type Site } from '../support/servers/site.ts';
import { isThorough } from '../support/vitest/thorough.ts';

/** `tests/store/postgres/parity.test.ts` sets it: the library is in a database then. */
const isOnPostgres = process.env['TEST_ENGINE'] === 'postgres';
/** Each command starts the program. What it prints does not depend on the engine, so the gate tries that on one. */
const triesCommandLine = !isOnPostgres || isThorough;
let database: PostgresServer | null = null;
/** For the program, in this process and on the command line. */
const environment: Record<string, string> = {};
let testServer: Awaited<ReturnType<typeof openTestServer>>;
let client: TestClient;
let remote: TestClient;
let listening: Listening;
let site: Site;
let rest: HttpServer;
let token: string;
/** Of a key with every permission. */
let secret: string;
let submitted: unknown;
/** What the samples of the examples are here. */
const real: Record<string, string> = {};

beforeAll(async () => {
  site = await startSite();
  site.routes.set(
    '/page',
    serve(
      articlePage('What helps to sleep', [
        `${exampleQuote.quote} A steady hour helps the body more than an early bedtime does.`,
        'Keep the bedroom cool and dark at night.',
      ]),
    ),
  );
  if (isOnPostgres) {
    database = await PostgresServer.start();
    environment['COMMONPLACE_DATABASE_URL'] = (await database.createDatabase()).url;
  }
  const sets = { manageTools: true, highlightTools: true, analyseTools: true, apiV1: true };
  testServer = await openTestServer({ httpPort: 0, shutdownGraceSeconds: 0, ...sets }, {}, environment);
  client = await connectInMemory(testServer.app);
  rest = await createHttpServer(httpParts(testServer.app));
  ({ token } = await testServer.app.access.createToken({ account: localAccountId, name: 'test', scopes }));
  const { keys } = testServer.app.services;
  ({ secret = '' } = await keys.create(localCaller(), { name: 'all', permissions }));
  const listed = await keys.create(localCaller(), { name: 'listed', permissions: ['content:read'] });
  real[exampleIds.key] = listed.id;
  listening = await testServer.app.serve();
  remote = await connectOverHttp('v1 client', listening.url, token);
  testServer.app.worker.start();
  real[examplePage] = `${site.url}/page`;
  const saved = await client.call('save_content', {
    ...exampleOf(saveContent),
    wait: 30,
  });
  const { id } = saved.structured as ContentItem;
  real[exampleIds.content] = id;
  // However busy the machine is: an example of an unfinished item would differ from one call to the next.
  const waiting = { onProgress: () => undefined, signal: new AbortController().signal };
  await testServer.app.services.library.waitFor(localAccountId, id, waiting);
  const leased = await client.call('next_to_analyse', {});
  real[exampleLease] = (leased.structured as { lease: string }).lease;
  // Kept once: from then on the same submit has the same answer.
  submitted = (await client.call('submit_analysis', exampleOf(submitAnalysis))).structured;
  const marked = await client.call('add_highlight', exampleOf(addHighlight));
  real[exampleIds.highlight] = (marked.structured as { id: string }).id;
  const actions = await client.call('list_actions', {});
  const goal = await client.call('add_goal', { title: 'Sleep better', category: 'health' });
  real[exampleIds.goal] = (goal.structured as { id: string }).id;
  real[exampleIds.action] = (actions.structured as { items: ActionItem[] }).items[0]?.id ?? '';
  const list = await client.call('change_list', { list: 'Better sleep', add: [id] });
  real[exampleIds.list] = (list.structured as { id: string }).id;
  const other = await client.call('add_goal', { title: 'Read more', category: 'health' });
  real[exampleIds.change] = (other.structured as { undo: string }).undo;
  // Undone once: from then on the same call has the same answer.
  await client.call('undo', { id: real[exampleIds.change] });
  await addJobs();
  await addSource(id);
});
afterAll(async () => {
  await remote.close();
  await listening.close(AbortSignal.abort());
  await client.close();
  await testServer.close();
  await site.close();
  await database?.stop();
});

/** A source that nothing here checks, with an entry that was opened. */
async function addSource(contentId: string): Promise<void> {
  const store = await testServer.app.stores.open(localAccountId);
  const source = await store.addSource({ kind: 'mailbox', address: 'imaps://mail.example/Letters', name: 'Letters' });
  const claim = await store.claimSource(60_000, { kinds: ['mailbox'] });
  if (claim === null) throw new Error('a source that was just added is not due');
  const key = real[examplePage] ?? '';
  const rest = { title: 'A page', publishedAt: null, fingerprint: null, seenAt: 0 };
  await store.keepSourceEntries(claim, [{ key, address: key, state: 'item', contentId, ...rest }]);
  // It is due now, each time that it is asked for.
  await store.updateSource(source.id, { everyMinutes: 5 });
  real[exampleIds.source] = source.id;
}

/** An import and an export that have ended. */
async function addJobs(): Promise<void> {
  const { imports, exports } = testServer.app.services;
  const change = newChange({ face: 'rest', by: null, operation: 'import', scopes: [] });
  const upload = await imports.receive(localAccountId, 'list.txt', Readable.from([Buffer.from('nothing')]));
  const imported = (await imports.begin({ account: localAccountId, change }, upload, { tags: [], follow: false })).id;
  const exported = (await exports.begin(localAccountId, 'csv', undefined)).id;
  const states = async () => [
    (await imports.get(localAccountId, imported)).state,
    (await exports.get(localAccountId, exported)).state,
  ];
  while ((await states()).some((state) => state !== 'done')) await new Promise((resolve) => setImmediate(resolve));
  real[exampleIds.import] = imported;
  real[exampleIds.export] = exported;
}

function exampleOf(operation: Operation): Record<string, unknown> {
  return exampleInput(operation, (sample) => real[sample] ?? sample);
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function flagsFor(input: Record<string, unknown>): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.flatMap((one) => [`--${kebab(name.replace(/s$/, ''))}`, String(one)]);
    if (typeof value === 'object') return flagsFor(value as Record<string, unknown>);
    return [`--${kebab(name)}`, String(value)];
  });
}

/** The same call as a person would type it. */
function commandLine(command: string, input: Record<string, unknown>): string[] {
  const { words, args } = parseCommand(command);
  const others = Object.entries(input).filter(([name]) => !args.some((argument) => argument.name === name));
  const given = args.filter(({ name }) => input[name] !== undefined);
  return [...words, ...given.map(({ name }) => String(input[name])), ...flagsFor(Object.fromEntries(others))];
}

/** The same call over REST, with the number of items that MCP answers when nobody says how many. */
async function askOverRest(operation: Operation, given: Record<string, unknown>, overMcp: unknown): Promise<unknown> {
  if (operation.http === undefined) return overMcp;
  const { limit } = overMcp as { limit?: number };
  const input: Record<string, unknown> = { ...(limit !== undefined && { limit }), ...given };
  const { method, path } = operation.http;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const others = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const inQuery = method === 'get' || method === 'delete';
  const query = inQuery
    ? `?${new URLSearchParams(others.map(([name, value]): [string, string] => [name, String(value)])).toString()}`
    : '';
  const response = await rest.app.request(filled + query, {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${path.startsWith(apiV1Prefix) ? secret : token}`,
      ...(!inQuery && { 'content-type': 'application/json' }),
    },
    ...(!inQuery && { body: JSON.stringify(Object.fromEntries(others)) }),
  });
  return response.json();
}

const underApiV1 = new Map(apiV1Routes(operations).map((operation) => [operation.name, operation]));

/** What /api/v1 answers, without what only it has: `nextCursor`, and the rest of an item that was changed. */
async function askUnderApiV1(operation: Operation, input: Record<string, unknown>, answer: unknown): Promise<unknown> {
  const bound = underApiV1.get(operation.name);
  if (bound === undefined) return answer;
  const given = (await askOverRest(bound, input, answer)) as object;
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(answer as object, name)));
}

test('the analysis in the example is stored the first time', () => {
  expect(submitted).toMatchObject({ outcome: 'kept', kept: { insights: 0, actions: 1 } });
});

/** Only the call that changes something has a change to undo. */
function withoutUndo(answer: unknown): unknown {
  const { undo: _, ...rest } = answer as { undo?: string };
  return rest;
}

async function askOnCommandLine(command: string, input: Record<string, unknown>): Promise<unknown> {
  const typed = [
    builtProgram,
    ...commandLine(command, input),
    '--json',
    '--data',
    testServer.folder,
    '--allow-private-addresses',
    'true',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, typed, { env: { ...process.env, ...environment } });
  return JSON.parse(stdout) as unknown;
}

test.each(tools.map((operation) => [operation.name, operation] as const))(
  '%s answers the same on every interface, with a model in the lean form',
  async (_, operation) => {
    const input = exampleOf(operation);
    const lean = (answer: unknown) => withoutUndo(leanAnswer(operation, answer, input));
    const called = await client.call(operation.name, input);
    const overMcp = { ...called, structured: withoutUndo(called.structured) };
    expect(overMcp.isError, overMcp.text).toBe(false);
    const overHttp = operation.effects.idempotent ? await remote.call(operation.name, input) : overMcp;
    expect(withoutUndo(overHttp.structured), overHttp.text).toEqual(overMcp.structured);
    const overRest = await askOverRest(operation, input, overMcp.structured);
    expect(operation.http === undefined ? overRest : lean(overRest)).toEqual(overMcp.structured);
    const fixed = operation.http === undefined ? null : overRest;
    expect(fixed && (await askUnderApiV1(operation, input, fixed))).toEqual(fixed);
    if (operation.cli === undefined || !triesCommandLine) return;
    const onCommandLine = await askOnCommandLine(operation.cli.command, input);
    expect(lean(onCommandLine)).toEqual(overMcp.structured);
    const unfixed = operation.http === undefined ? onCommandLine : null;
    expect(unfixed && (await askUnderApiV1(operation, input, unfixed))).toEqual(unfixed);
    if (!('detail' in (operation.assistant?.input ?? {}))) return;
    const whole = await client.call(operation.name, { ...input, detail: 'full' });
    expect(whole.structured, whole.text).toEqual(onCommandLine);
  },
);

/** An item that is still being processed answers differently from one call to the next. */
async function readToTheEnd(answer: unknown): Promise<void> {
  const { id = '' } = answer as { id?: string };
  if (!id.startsWith('c_')) return;
  const waiting = { signal: new AbortController().signal };
  await testServer.app.services.library.waitFor(localAccountId, id, waiting);
}

test.each(
  operations.filter(({ secrets }) => secrets !== undefined).map((operation) => [operation.name, operation] as const),
)('%s, which creates a new secret each time, answers with the same fields on every interface', async (_, operation) => {
  const input = exampleOf(operation);
  const services = { ...testServer.app.services, signal: new AbortController().signal };
  const answer = await callOperation(operation, 'cli', input, localCaller(), services);
  const fields = (of: unknown) => Object.keys(of as object).toSorted();
  expect(fields(await askUnderApiV1(operation, input, answer))).toEqual(fields(answer));
});

// What answers otherwise the second time (it begins a job, or removes one) is tried with the other jobs.
const alikeEachTime = operations.filter(
  ({ set, effects, secrets }) => set === undefined && effects.idempotent && secrets === undefined,
);

test.each(alikeEachTime.map((operation) => [operation.name, operation] as const))(
  '%s, which is not a tool, answers the same on REST and the command line',
  async (_, operation) => {
    const input = exampleOf(operation);
    const call = () =>
      callOperation(operation, 'cli', input, localCaller(), {
        ...testServer.app.services,
        signal: new AbortController().signal,
      });
    // A write may answer what it changed: from the second time on, that is nothing.
    if (!operation.effects.readOnly) await readToTheEnd(await call());
    const answer = await call();
    expect(await askOverRest(operation, input, answer)).toEqual(answer);
    expect(await askUnderApiV1(operation, input, answer)).toEqual(answer);
    if (operation.cli === undefined || !triesCommandLine) return;
    expect(await askOnCommandLine(operation.cli.command, input)).toEqual(answer);
  },
);
