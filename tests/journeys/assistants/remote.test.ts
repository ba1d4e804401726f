import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ContentItem } from '../../../src/domain/records/content.ts';
import { clientKinds, connectOverHttp } from '../../support/mcp.ts';
import { runCommand, startServing, type ServingProcess } from '../../support/servers/serving.ts';
import { articlePage, serve, startSite } from '../../support/servers/site.ts';
import { isThorough } from '../../support/vitest/thorough.ts';
import { describeTools } from './tools-suite.ts';

const folders: string[] = [];
const servers: ServingProcess[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGKILL')));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function newServer() {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-remote-'));
  folders.push(folder);
  const { token } = await runCommand<{ token: string }>(folder, 'token', 'create', 'test');
  const server = await startServing(folder);
  servers.push(server);
  return { folder, token, server };
}

// In the gate one kind: stdio.test.ts has the same journey with two, and prompts.test.ts has all.
for (const kind of isThorough ? clientKinds : clientKinds.slice(-1)) {
  describeTools(`over HTTP with a ${kind}`, async () => {
    const { server, token } = await newServer();
    return connectOverHttp(kind, server.url, token);
  });
}

test('a server restarted between two calls is the same to every client', async () => {
  const site = await startSite();
  site.routes.set('/page', serve(articlePage('Patience', ['Patience pays off in the end.'])));
  const { folder, token, server } = await newServer();
  const clients = await Promise.all(clientKinds.map((kind) => connectOverHttp(kind, server.url, token)));
  const saved = await clients[0]!.call('save_content', { url: `${site.url}/page`, wait: 30 });
  const { id } = saved.structured as ContentItem;
  await server.end('SIGKILL');

  const again = await startServing(folder, Number(new URL(server.url).port));
  servers.push(again);
  expect(again.url).toBe(server.url);
  for (const client of clients) {
    expect((await client.listTools()).length).toBe(8);
    const known = await client.call('get_content', { id });
    expect(known.structured, known.text).toMatchObject({ status: 'completed', title: 'Patience' });
    await client.close();
  }
  await site.close();
});
