import { afterAll, beforeAll, expect, test } from 'vitest';
import { localAccountId, scopes } from '../../../src/domain/records/account.ts';
import {
  createContractClient,
  ContractError,
  type ContractClient,
  type ContractItem,
} from '../../support/api/contract-client.ts';
import { openTestServer } from '../../support/test-server.ts';
import { articlePage, serve, startSite, type Site } from '../../support/servers/site.ts';

type TestServer = Awaited<ReturnType<typeof openTestServer>>;
let testServer: TestServer;
let server: Awaited<ReturnType<TestServer['app']['serve']>>;
let site: Site;
let client: ContractClient;

beforeAll(async () => {
  site = await startSite();
  site.routes.set(
    '/sleep',
    serve(
      articlePage('What helps to sleep', [
        'Get up at the same hour every day, weekends included. A steady hour of getting up does more than an early bedtime.',
        'Most advice begins in the evening, but a night is made by the day before it. People who slept badly often stay in bed longer, which makes the next night shorter.',
        'Light is the strongest signal that the body has. Half an hour outside before noon moves the whole rhythm earlier, even under clouds.',
        'Keep the bedroom cool and dark at night, and leave the telephone in another room.',
        'Coffee works for longer than most people believe: half of it is still there after six hours. Drink the last cup before two in the afternoon.',
        'Those who lie awake for more than twenty minutes should get up, read something dull, and come back when they are tired.',
      ]),
    ),
  );
  testServer = await openTestServer({ httpPort: 0, embedder: 'none' });
  const { token } = await testServer.app.access.createToken({
    account: localAccountId,
    name: 'contract',
    scopes,
    lifetimeMs: undefined,
  });
  await (await testServer.app.stores.open(localAccountId)).addGoal({ title: 'Sleep eight hours', category: 'Health' });
  server = await testServer.app.serve();
  client = createContractClient(server.url, token);
});
afterAll(async () => {
  await server.close(AbortSignal.abort());
  await testServer.close();
  await site.close();
});

const refusal = (promise: Promise<unknown>): Promise<number | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof ContractError ? error.status : undefined),
  );

test('a client written from the fixed part of the contract walks the whole API', async () => {
  const url = `${site.url}/sleep`;
  const { status, item: saved } = await client.save({ url, tags: ['health', 'sleep'], notes: 'Read again in spring' });
  expect(status).toBe(201);
  expect(saved).toMatchObject({ url, status: 'pending' });
  expect((await client.getContent(saved.id)).id).toBe(saved.id);
  await testServer.app.worker.runUntilEmpty();

  const item: ContractItem = await client.getContent(saved.id);
  expect(item).toMatchObject({ url, title: 'What helps to sleep', contentType: 'article', status: 'completed' });
  expect(item.summary).toEqual(expect.any(String));
  expect(item.keyInsights.length).toBeGreaterThan(0);
  expect(item.transcript).toContain('Keep the bedroom cool and dark');
  expect(item.actions.length).toBeGreaterThan(0);

  const filters = { limit: 5, offset: 0, contentType: 'article', status: 'completed', tags: ['health', 'sleep'] };
  expect(await client.listContent(filters)).toMatchObject({ items: [{ id: saved.id }], total: 1 });
  expect(await client.listContent({ tags: ['health', 'other'] })).toMatchObject({ items: [] });
  expect(await client.listContent({ offset: 1 })).toMatchObject({ items: [] });
  expect(await client.listContent()).toMatchObject({ limit: 20 });

  const found = await client.search({
    query: 'how to sleep better',
    limit: 3,
    filters: { contentType: 'article', tags: ['sleep'] },
  });
  expect(found).toMatchObject({ results: [{ id: saved.id }] });

  const open = (await client.listActions({ completed: false, contentId: saved.id })) as { items: { id: string }[] };
  const first = open.items[0]!;
  expect(await client.completeAction(first.id)).toMatchObject({ id: first.id, contentId: saved.id, completed: true });
  expect(await client.listActions({ completed: true })).toMatchObject({ items: [{ id: first.id }] });

  const goals = (await client.listGoals()) as { items: { id: string }[] };
  expect(goals).toMatchObject({ items: [{ title: 'Sleep eight hours', category: 'Health' }] });
  expect(await client.listActions({ goalId: goals.items[0]!.id })).toHaveProperty('items');
});

test("the client's mistakes are answered with the statuses of the contract", async () => {
  expect(await refusal(client.listContent({ limit: 101 }))).toBe(400);
  expect(await refusal(client.listContent({ status: 'unknown' }))).toBe(400);
  expect(await refusal(client.save({ url: 'not an address' }))).toBe(400);
  expect(await refusal(client.getContent('c_aaaaaaaaaaaaaaaa'))).toBe(404);
  expect(await refusal(client.completeAction('a_aaaaaaaaaaaaaaaa'))).toBe(404);
  const stranger = createContractClient(server.url, 'not-a-token');
  expect(await refusal(stranger.listContent())).toBe(401);
  expect(await refusal(stranger.getContent('c_aaaaaaaaaaaaaaaa'))).toBe(401);
});
