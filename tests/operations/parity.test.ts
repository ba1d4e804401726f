import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionItem } from '../../src/domain/records/action.ts';
import type { ContentItem } from '../../src/domain/records/content.ts';
import { localAccountId, scopes } from '../../src/domain/records/account.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import type { Listening } from '../../src/http/listen.ts';
import { submitAnalysis } from '../../src/operations/analysis.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { httpParts } from '../support/http.ts';
import { openHouse } from '../support/house.ts';
import { builtProgram, connectInMemory, connectOverHttp, type TestClient } from '../support/mcp.ts';
import { articlePage, serve, startSite, type Site } from '../support/site.ts';

let house: Awaited<ReturnType<typeof openHouse>>;
let client: TestClient;
let remote: TestClient;
let listening: Listening;
let site: Site;
let rest: HttpServer;
let token: string;
const known: Record<string, string> = {};

beforeAll(async () => {
  site = await startSite();
  site.routes.set(
    '/page',
    serve(
      articlePage('A page about sleep', [
        'Sleep better by getting up at the same hour every day.',
        'Keep the bedroom cool and dark at night.',
      ]),
    ),
  );
  house = await openHouse({ httpPort: 0, shutdownGraceSeconds: 0, manageTools: true, analyseTools: true });
  client = await connectInMemory(house.app);
  rest = await createHttpServer(httpParts(house.app));
  ({ token } = await house.app.access.createToken({ account: localAccountId, name: 'test', scopes }));
  listening = await house.app.serve();
  remote = await connectOverHttp('v1 client', listening.url, token);
  house.app.worker.start();
  known['$url'] = `${site.url}/page`;
  const saved = await client.call('save_content', {
    url: known['$url'],
    tags: ['example'],
    notes: 'Read again in spring',
    wait: 30,
  });
  known['$contentId'] = (saved.structured as ContentItem).id;
  // However busy the machine is: an example of an unfinished item would differ from one call to the next.
  const waiting = { onProgress: () => undefined, signal: new AbortController().signal };
  await house.app.services.library.waitFor(localAccountId, known['$contentId'], waiting);
  const leased = await client.call('next_to_analyse', {});
  known['$lease'] = (leased.structured as { lease: string }).lease;
  // Kept once: from then on the same submit has the same answer.
  await client.call('submit_analysis', exampleOf(submitAnalysis));
  const actions = await client.call('list_actions', {});
  const goal = await client.call('add_goal', { title: 'Sleep better', category: 'health' });
  known['$goalId'] = (goal.structured as { id: string }).id;
  known['$actionId'] = (actions.structured as { items: ActionItem[] }).items[0]?.id ?? '';
}, 120_000);
afterAll(async () => {
  await remote.close();
  await listening.close(AbortSignal.abort());
  await client.close();
  await house.close();
  await site.close();
});

/** The example with what it stands for. */
function exampleOf(operation: Operation): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(operation.example.input).map(([name, value]) => [
      name,
      typeof value === 'string' ? (known[value] ?? value) : value,
    ]),
  );
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The same call as a person would type it. */
function commandLine(operation: Operation, input: Record<string, unknown>): string[] {
  const parts = operation.cli?.command.split(' ') ?? [];
  const words = parts.filter((part) => !part.startsWith('<'));
  const positional = parts.filter((part) => part.startsWith('<')).map((part) => part.slice(1, -1));
  const flags = Object.entries(input).flatMap(([name, value]) => {
    if (positional.includes(name)) return [];
    if (Array.isArray(value)) return value.flatMap((one) => [`--${kebab(name.replace(/s$/, ''))}`, String(one)]);
    return [`--${kebab(name)}`, String(value)];
  });
  return [...words, ...positional.map((name) => String(input[name])), ...flags];
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
    headers: { authorization: `Bearer ${token}`, ...(!inQuery && { 'content-type': 'application/json' }) },
    ...(!inQuery && { body: JSON.stringify(Object.fromEntries(others)) }),
  });
  return response.json();
}

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s answers the same on every face',
  async (_, operation) => {
    const input = exampleOf(operation);
    const overMcp = await client.call(operation.name, input);
    expect(overMcp.isError, overMcp.text).toBe(false);
    const overHttp = operation.effects.idempotent ? await remote.call(operation.name, input) : overMcp;
    expect(overHttp.structured, overHttp.text).toEqual(overMcp.structured);
    expect(await askOverRest(operation, input, overMcp.structured)).toEqual(overMcp.structured);
    if (operation.cli === undefined) return;
    const typed = [
      builtProgram,
      ...commandLine(operation, input),
      '--json',
      '--data',
      house.folder,
      '--allow-private-addresses',
      'true',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, typed);
    expect(JSON.parse(stdout)).toEqual(overMcp.structured);
  },
);
