import { afterAll, beforeAll, expect, test } from 'vitest';
import { permissions, type Permission } from '../../../src/domain/access/permission.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { mounts } from '../../../src/http/listen.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openHttpServer, type HttpTestServer } from '../../support/http.ts';
import { makeKey, mcpMessage, rpcAnswer } from '../../support/access/keys.ts';

/* What MCP shows beside the tools. Each part is tried with keys that have a single permission, and with keys that lack one. */

/** Stands in everything that is saved. */
const word = 'zanzibar';
const ids = { content: '', goal: '' };

let testServer: HttpTestServer;
beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none', rateLimitPerMinute: 0, analyseTools: true }, { mounts });
  const goal = { title: `Goal of ${word}`, category: 'Wealth' as const };
  ({ id: ids.goal } = await testServer.app.services.goals.add(localAccountId, goal));
  ids.content = await addFinishedItem(await testServer.app.stores.open(localAccountId), {
    url: `https://example.com/${word}`,
    blocks: paragraphs(`A sentence about ${word} and the weather.`),
    about: { title: `Page of ${word}` },
    tags: [word],
  });
});
afterAll(() => testServer.close());

type Part = [method: string, params: () => Record<string, unknown>, needs: readonly Permission[]];

const resource = (path: string): Part[1] => {
  return () => ({ uri: `commonplace://${path.replace('{id}', ids.content)}` });
};
const prompt = (name: string, given: () => Record<string, string> = () => ({})): Part[1] => {
  return () => ({ name, arguments: given() });
};
const completion = (of: Record<string, string>, name: string, value: string): Part[1] => {
  return () => ({ ref: of, argument: { name, value } });
};

const parts: readonly Part[] = [
  ['resources/read', resource('content/{id}'), ['content:read']],
  ['resources/read', resource('content/{id}/transcript'), ['content:read']],
  ['resources/read', resource('goals'), ['goals:read']],
  ['prompts/get', prompt('weekly_review'), ['content:read', 'actions:read', 'goals:read']],
  ['prompts/get', prompt('what_do_i_know_about', () => ({ topic: word })), ['search:read']],
  ['prompts/get', prompt('plan_from_goal', () => ({ goal: ids.goal })), ['goals:read', 'actions:read', 'search:read']],
  [
    'completion/complete',
    completion({ type: 'ref/resource', uri: 'commonplace://content/{id}' }, 'id', ''),
    ['content:read'],
  ],
  [
    'completion/complete',
    completion({ type: 'ref/prompt', name: 'what_do_i_know_about' }, 'topic', 'z'),
    ['search:read'],
  ],
  [
    'completion/complete',
    completion({ type: 'ref/prompt', name: 'plan_from_goal' }, 'goal', 'G'),
    ['goals:read', 'actions:read', 'search:read'],
  ],
];

const sets: [string, readonly Permission[]][] = [
  ...permissions.map((one): [string, Permission[]] => [one, [one]]),
  ...permissions.map((one): [string, Permission[]] => [`all but ${one}`, permissions.filter((other) => other !== one)]),
];

test.each(sets)('a key with %s sees exactly the parts that its permissions allow', async (_, own) => {
  const { secret } = await makeKey(testServer.app, own);
  for (const [method, params, needs] of parts) {
    const answer = rpcAnswer(await testServer.ask('/mcp', { ...mcpMessage(method, params()), token: secret }));
    const text = JSON.stringify(answer.result ?? {});
    const isShown = text.includes(word) || text.includes(ids.content);
    expect(isShown, `${method} ${JSON.stringify(params())}`).toBe(needs.every((one) => own.includes(one)));
  }
});
