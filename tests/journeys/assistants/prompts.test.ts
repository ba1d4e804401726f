import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { listen, type Listening } from '../../../src/http/listen.ts';
import { mountMcp } from '../../../src/http/mcp.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openHttpServer, type HttpTestServer } from '../../support/http.ts';
import { clientKinds, connectOverHttp, connectOverStdio, type TestClient } from '../../support/mcp.ts';

let testServer: HttpTestServer;
let listening: Listening;
let id: string;

beforeAll(async () => {
  testServer = await openHttpServer({ embedder: 'none', httpPort: 0, shutdownGraceSeconds: 0 }, { mounts: [mountMcp] });
  listening = await listen(testServer.server, testServer.app.config, testServer.app.log);
  await testServer.app.services.goals.add(localAccountId, { title: 'Sleep eight hours', category: 'Health' });
  id = await addFinishedItem(await testServer.app.stores.open(localAccountId), {
    url: 'https://example.org/sleep',
    blocks: paragraphs('Coffee after lunch is still there at bedtime, and sleep is shallow.'),
    about: { title: 'Coffee and sleep' },
    tags: ['health'],
  });
});
afterAll(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
});

/** Every client and every way there is: prompts and resources are the same. */
const ways: [name: string, connect: () => Promise<TestClient>][] = clientKinds.flatMap((kind) => [
  [`${kind} over stdio`, () => connectOverStdio(kind, testServer.folder, ['--embedder', 'none'])],
  [`${kind} over HTTP`, () => connectOverHttp(kind, listening.url, testServer.token)],
]);

describe.each(ways)('a %s', (_, connect) => {
  test('gets prompts, completions and resources', async () => {
    const client = await connect();
    expect(client.capabilities()).toMatchObject({ tools: {}, prompts: {}, resources: {}, completions: {} });
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual([
      'weekly_review',
      'what_do_i_know_about',
      'plan_from_goal',
    ]);
    expect(await client.getPrompt('weekly_review')).toContain('"title":"Coffee and sleep"');
    expect(await client.getPrompt('what_do_i_know_about', { topic: 'coffee' })).toContain('still there at bedtime');
    expect(await client.getPrompt('plan_from_goal', { goal: 'Sleep eight hours' })).toContain('still there at bedtime');
    await expect(client.getPrompt('plan_from_goal', { goal: 'Nothing like it' })).rejects.toThrow(
      'list of goals shows',
    );
    expect(await client.complete({ prompt: 'what_do_i_know_about' }, 'topic', 'h')).toEqual(['health']);

    const uri = `commonplace://content/${id}`;
    expect((await client.listResources()).map((one) => one.uri)).toEqual(['commonplace://goals', uri]);
    expect(JSON.parse(await client.readResource(uri))).toMatchObject({ id, title: 'Coffee and sleep' });
    expect(await client.readResource(`${uri}/transcript`)).toContain('Coffee after lunch');
    expect(await client.readResource('commonplace://goals')).toContain('Sleep eight hours');
    await expect(client.readResource('commonplace://content/c_aaaaaaaaaaaaaaaa')).rejects.toThrow('no saved item');
    expect(await client.complete({ template: 'commonplace://content/{id}' }, 'id', 'coffee')).toEqual([id]);
    await client.close();
  });
});
