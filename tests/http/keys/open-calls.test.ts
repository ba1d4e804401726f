import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { OpenCalls } from '../../../src/http/incoming/open-calls.ts';
import { mounts } from '../../../src/http/listen.ts';
import { AppError } from '../../../src/errors.ts';
import { ManualClock } from '../../support/clock.ts';
import { openHttpServer, type HttpTestServer } from '../../support/http.ts';
import { makeKey, mcpMessage, rpcAnswer, type MadeKey } from '../../support/access/keys.ts';

const hourMs = 60 * 60_000;

describe('an open MCP call', () => {
  let clock: ManualClock;
  let testServer: HttpTestServer;

  beforeEach(async () => {
    clock = new ManualClock();
    testServer = await openHttpServer({ embedder: 'none' }, { mounts }, { clock });
  });
  afterEach(() => testServer.close());

  /** Begins to wait for an item that nobody processes, with progress. */
  async function waitWith({ secret }: Pick<MadeKey, 'secret'>): Promise<() => Promise<string>> {
    const call = mcpMessage('tools/call', {
      name: 'save_content',
      arguments: { url: 'https://example.com/slow', wait: 45 },
      _meta: { progressToken: 1 },
    });
    const answer = testServer.ask('/mcp', { ...call, token: secret });
    // The look-up of its key sleeps for a second.
    await clock.untilAsleep(1_000);
    return async () => {
      const { result } = rpcAnswer(await answer);
      return JSON.stringify(result);
    };
  }

  it('ends within a second when its key is revoked, here or by another process', async () => {
    const mine = await makeKey(testServer.app, ['content:read', 'content:write']);
    const first = await waitWith(mine);
    await testServer.app.services.keys.revoke(localAccountId, mine.id);
    clock.advance(1_000);
    const told = await first();
    expect(told).toContain('This key was revoked.');
    expect(told).not.toContain('https://example.com/slow');

    const other = await makeKey(testServer.app, ['content:read', 'content:write']);
    const second = await waitWith(other);
    const elsewhere = await openDataFolder({ folder: testServer.folder, clock });
    await elsewhere.control.tokens.revokeToken(other.id);
    await elsewhere.close();
    clock.advance(1_000);
    expect(await second()).toContain('This key was revoked.');
  });

  it('ends when its key expires', async () => {
    const key = await makeKey(testServer.app, ['content:read', 'content:write'], { lifetimeMs: 1_000 });
    const answer = await waitWith(key);
    clock.advance(1_000);
    expect(await answer()).toContain('This key has expired.');
  });

  it('ends an hour after its key was rotated, and continues until then', async () => {
    const key = await makeKey(testServer.app, ['content:read', 'content:write']);
    const { secret } = await testServer.app.services.keys.rotate(
      { accountId: localAccountId, permissions: new Set() },
      key.id,
    );
    clock.advance(hourMs - 1_500);
    const answers = [await waitWith(key), await waitWith({ secret: secret ?? '' })];
    clock.advance(1_000);
    await clock.untilAsleep(1_000);
    clock.advance(1_000);
    expect(await answers[0]?.()).toContain('rotated more than an hour ago');
    // With the new secret it goes on.
    await testServer.app.services.keys.revoke(localAccountId, key.id);
    await clock.untilAsleep(1_000);
    clock.advance(1_000);
    expect(await answers[1]?.()).toContain('This key was revoked.');
  });
});

describe('open calls', () => {
  const refused = new AppError('unauthorized', 'It ended.');

  it('of one token are checked together, and those of others continue', async () => {
    const clock = new ManualClock();
    const calls = new OpenCalls(clock);
    let lookups = 0;
    const check = () => {
      lookups += 1;
      return Promise.reject(refused);
    };
    const [one, two] = [calls.begin({ token: 'a', check }), calls.begin({ token: 'a', check })];
    const other = calls.begin({ token: 'b', check: () => Promise.resolve() });
    await clock.untilAsleep(1_000);
    clock.advance(1_000);
    await clock.untilAsleep(1_000);
    expect(lookups).toBe(1);
    expect([one, two, other].map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(one.signal.reason).toBe(refused);
    calls.close();
  });

  it('continue while their token cannot be checked, and are not checked after they have ended', async () => {
    const clock = new ManualClock();
    const calls = new OpenCalls(clock);
    let lookups = 0;
    const call = calls.begin({
      token: 'a',
      check: () => {
        lookups += 1;
        return Promise.reject(new AppError('unavailable', 'Busy.'));
      },
    });
    await clock.untilAsleep(1_000);
    clock.advance(1_000);
    await clock.untilAsleep(1_000);
    expect([lookups, call.signal.aborted]).toEqual([1, false]);
    call.end();
    clock.advance(1_000);
    // Whoever was woken has gone on.
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.sleeping).toBe(0);
    // A new call begins a new watch.
    const next = calls.begin({ token: 'a', check: () => Promise.reject(refused) });
    await clock.untilAsleep(1_000);
    clock.advance(1_000);
    await new Promise((resolve) => next.signal.addEventListener('abort', resolve, { once: true }));
    expect(lookups).toBe(1);
    calls.close();
  });
});
