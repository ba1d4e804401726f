import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionItem } from '../../src/domain/action.ts';
import type { ContentItem } from '../../src/domain/content.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { openHouse } from '../support/house.ts';
import { builtProgram, connectInMemory, type TestClient } from '../support/mcp.ts';
import { articlePage, serve, startSite, type Site } from '../support/site.ts';

let house: Awaited<ReturnType<typeof openHouse>>;
let client: TestClient;
let site: Site;
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
  house = await openHouse();
  client = await connectInMemory(house.app);
  house.app.worker.start();
  known['$url'] = `${site.url}/page`;
  const saved = await client.call('save_content', {
    url: known['$url'],
    tags: ['example'],
    notes: 'Read again in spring',
    wait: 30,
  });
  known['$contentId'] = (saved.structured as ContentItem).id;
  const actions = await client.call('list_actions', {});
  known['$actionId'] = (actions.structured as { items: ActionItem[] }).items[0]?.id ?? '';
});
afterAll(async () => {
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

test.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s answers the same on every face',
  async (_, operation) => {
    const input = exampleOf(operation);
    const overMcp = await client.call(operation.name, input);
    expect(overMcp.isError, overMcp.text).toBe(false);
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
