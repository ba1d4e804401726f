import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { ContentItem } from '../../src/domain/records/content.ts';
import { listen, type Listening } from '../../src/http/listen.ts';
import { mountMcp } from '../../src/http/mcp.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { Mount } from '../../src/http/mount.ts';
import { httpParts, openHttpServer, type HttpTestServer } from '../support/http.ts';
import { clientKinds, connectOverHttp } from '../support/mcp.ts';

let testServer: HttpTestServer;
let listening: Listening;
const never = new AbortController().signal;

/**
 * A server over a socket whose saves wait: nothing is processed in it.
 * @param hold what each save waits for before it is made
 * @returns the first save's signal, once it has begun
 */
async function start(settings: Record<string, unknown>, hold: Promise<void> = Promise.resolve()) {
  const begun = Promise.withResolvers<AbortSignal>();
  const overheard: Mount = (app, parts) => {
    const { library } = parts.services;
    const save: typeof library.save = async (account, request, waiting) => {
      begun.resolve(waiting.signal);
      await hold;
      return library.save(account, request, waiting);
    };
    return mountMcp(app, { ...parts, services: { ...parts.services, library: { ...library, save } } });
  };
  testServer = await openHttpServer({ embedder: 'none', httpPort: 0, ...settings });
  const server = await createHttpServer({ ...httpParts(testServer.app), mounts: [overheard] });
  listening = await listen(server, testServer.app.config, testServer.app.log);
  return begun;
}

afterEach(async () => {
  await listening.close(AbortSignal.abort());
  await testServer.close();
});

const url = 'https://example.com/waits';

describe.each(clientKinds)('a %s', (kind) => {
  describe.each([true, false])('with progress reports: %s', (wantsProgress) => {
    test.each([
      ['after the grace period', { shutdownGraceSeconds: 0.05 }, never],
      ['at once when somebody insists', { shutdownGraceSeconds: 3_600 }, AbortSignal.abort()],
    ])('is told that the server stops, %s, and keeps what it saved', async (_, settings, atOnce) => {
      const begun = await start(settings);
      const reported = Promise.withResolvers<void>();
      const client = await connectOverHttp(kind, listening.url, testServer.token);
      const call = client.call(
        'save_content',
        { url, wait: 45 },
        wantsProgress ? { onprogress: () => reported.resolve() } : {},
      );
      const signal = await begun.promise;
      if (wantsProgress) await reported.promise;
      const closed = listening.close(atOnce);
      const answer = await call;
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('The server is stopping') });
      expect(signal.aborted).toBe(true);
      await closed;
      const { body } = await testServer.ask('/content');
      expect((body as { items: ContentItem[] }).items.map((item) => item.url)).toEqual([url]);
      await client.close();
    });
  });

  test('gets its answer when the call ends within the grace period', async () => {
    const hold = Promise.withResolvers<void>();
    const begun = await start({ shutdownGraceSeconds: 3_600 }, hold.promise);
    const client = await connectOverHttp(kind, listening.url, testServer.token);
    const call = client.call('save_content', { url });
    const signal = await begun.promise;
    const closed = listening.close(never);
    hold.resolve();
    const answer = await call;
    expect(answer).toMatchObject({ isError: false, structured: { outcome: 'created', url } });
    expect(signal.aborted).toBe(false);
    await closed;
    await client.close();
  });
});

test('a client that disconnects still ends its call', async () => {
  const begun = await start({ shutdownGraceSeconds: 0 });
  const client = await connectOverHttp('v2 client, 2026-07-28', listening.url, testServer.token);
  const giveUp = new AbortController();
  const call = client.call('save_content', { url, wait: 45 }, { signal: giveUp.signal });
  const signal = await begun.promise;
  const ended = once(signal, 'abort');
  giveUp.abort();
  await expect(call).rejects.toThrow(/abort/i);
  await ended;
  await client.close();
});
