import { afterEach, expect, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { ProcessingError } from '../../src/errors.ts';
import type { Embedder } from '../../src/models/embedding/index.ts';
import { createReaders, type Readers } from '../../src/sources/host/index.ts';
import { ManualClock } from '../support/clock.ts';
import { openTestServer } from '../support/test-server.ts';
import { articlePage, serve, startSite } from '../support/servers/site.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Notes what happens to it, in order. */
function watchedParts(failures: number): { events: string[]; readers: Readers; embedder: Embedder } {
  const events: string[] = [];
  const real = createReaders({ ocr: false, hasYtDlp: false });
  ends.push(() => real.close());
  let left = failures;
  const readers: Readers = {
    ...real,
    read(...asked) {
      events.push('read');
      left -= 1;
      if (left < 0) return real.read(...asked);
      return Promise.reject(new ProcessingError('extraction_failed', 'memory ran out', { retryable: true }));
    },
  };
  const vector = Float32Array.of(1, 0);
  const embedder: Embedder = {
    id: 'two',
    dimensions: 2,
    languages: null,
    embedPassages: (texts) => Promise.resolve(texts.map(() => vector)),
    embedQuery: () => Promise.resolve(vector),
    unload: () => void events.push('unload'),
    close: () => Promise.resolve(),
  };
  return { events, readers, embedder };
}

test.each([
  ['with little memory', 256, ['read', 'unload', 'read', 'unload', 'read']],
  ['with enough of it', 2_048, ['read', 'read', 'read']],
])(
  'a text that failed for lack of memory is read again after the sentence model was unloaded, %s',
  async (_, megabytes, expected) => {
    const site = await startSite();
    ends.push(() => site.close());
    site.routes.set(
      '/beans',
      serve(articlePage('Beans', ['Soak beans overnight, and cook them in salted water the next day. '.repeat(9)])),
    );
    const { events, readers, embedder } = watchedParts(2);
    const clock = new ManualClock();
    const testServer = await openTestServer(
      {},
      { memoryMegabytes: megabytes, readers, embedder, clock, llmAnalyst: null },
    );
    ends.push(() => testServer.close());
    const { services, worker, stores } = testServer.app;
    const save = { onProgress: () => undefined, signal: new AbortController().signal };
    const { id } = await services.library.save(localAccountId, { url: `${site.url}/beans` }, save);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await worker.runUntilEmpty();
      clock.advance(10 * 60_000);
    }
    expect(events).toEqual(expected);
    expect(await (await stores.open(localAccountId)).getContent(id)).toMatchObject({ status: 'completed' });
  },
);
