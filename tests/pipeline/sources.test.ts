import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcessingError } from '../../src/errors.ts';
import type { CheckSource } from '../../src/pipeline/sources/run-check.ts';
import { saving } from '../store/contracts/items/store-items.ts';
import { keepSomething } from '../support/vitest/stages.ts';
import { openWorkshop, until, type Workshop } from '../support/vitest/workers.ts';

let workshop: Workshop;

beforeEach(async () => {
  workshop = await openWorkshop();
});

afterEach(() => workshop.close());

const feed = (name: string) => ({ kind: 'feed', address: `https://${name}.example/feed`, name }) as const;
const outcome = { nextCheckInMs: 3_600_000, hasChanged: true, problem: null };

function workerWith(check: CheckSource) {
  return workshop.workerWith(keepSomething, {}, undefined, undefined, { feed: check });
}

describe('checks of sources', () => {
  it('are made when they are due, and recorded as one change of the source', async () => {
    const { store } = workshop;
    const { id } = await store.addSource(feed('blog'));
    const worker = workerWith(async (recorded) => {
      await recorded.saveContent(saving('https://blog.example/1'));
      await recorded.saveContent(saving('https://blog.example/2'));
      return outcome;
    });
    worker.start();
    await until(async () => (await store.getSource(id))?.checkedAt !== null);
    const items = (await store.listHistory({ limit: 9, offset: 0, scopes: ['content:write'] }))?.items ?? [];
    expect(items).toMatchObject([{ face: 'feed', by: 'blog', operation: 'check_source' }]);
    expect(await store.undo(items[0]!.id, { force: false })).not.toBeNull();
    expect((await store.listContent({ limit: 9, offset: 0 })).total).toBe(0);
  });

  it('are not made by a worker that empties the queue and ends', async () => {
    const { store } = workshop;
    const { id } = await store.addSource(feed('blog'));
    await workerWith(() => Promise.reject(new Error('it was checked'))).runUntilEmpty();
    expect(await store.getSource(id)).toMatchObject({ checkedAt: null, problem: null });
  });

  it('are retried after growing pauses while they fail, never earlier than the server asked for', async () => {
    const { store, clock } = workshop;
    const { id } = await store.addSource({ ...feed('blog'), everyMinutes: 60 });
    let retryAfterMs: number | undefined;
    let checks = 0;
    const worker = workerWith(async () => {
      checks += 1;
      throw new ProcessingError('server_error', 'Down.', { retryable: true, ...(retryAfterMs && { retryAfterMs }) });
    });
    worker.start();
    const pauses: number[] = [];
    for (const wanted of [1, 2, 3]) {
      if (wanted === 3) retryAfterMs = 20 * 3_600_000;
      await until(async () => checks === wanted && (await store.getSource(id))?.nextCheckAt !== null && worker.isIdle);
      pauses.push(((await store.nextSourceDueAt()) ?? 0) - clock.now());
      await store.askSource(id);
      worker.wake();
    }
    expect(pauses.map((ms) => ms / 3_600_000)).toEqual([1, 2, 20]);
    expect(await store.getSource(id)).toMatchObject({ problem: { code: 'server_error', message: 'Down.' } });
  });

  it('of an account with many sources do not delay the one source of another', async () => {
    const { store, stores } = workshop;
    for (let n = 0; n < 30; n += 1) await store.addSource(feed(`blog${n}`));
    const { id } = await stores.control.createAccount({ name: 'Another', plan: 'pro' });
    const another = await stores.open(id);
    await another.addSource(feed('single'));
    const checked: string[] = [];
    const never = Promise.withResolvers<never>();
    const worker = workerWith((of, claim, signal) => {
      checked.push(of.accountId);
      if (claim.name === 'single') return Promise.resolve(outcome);
      signal.addEventListener('abort', () => never.reject(signal.reason as Error));
      return never.promise;
    });
    worker.start();
    await until(async () => (await another.listSources())[0]?.checkedAt !== null);
    expect(checked.length).toBeLessThanOrEqual(8);
    never.promise.catch(() => undefined);
    await worker.stop();
    // Nothing failed: they are due again soon.
    expect((await store.listSources()).every(({ problem }) => problem === null)).toBe(true);
  });
});
