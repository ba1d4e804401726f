import { beforeEach, describe, expect, it } from 'vitest';
import { HostBusyError, HostHeldError, type HostTurn, HostTurns } from '../../src/fetching/host-turns.ts';
import { ManualClock } from '../support/clock.ts';

const never = new AbortController().signal;
const pauseMs = 250;
let clock: ManualClock;
let turns: HostTurns;
let rooms: number;

beforeEach(() => {
  clock = new ManualClock();
  rooms = 0;
  turns = new HostTurns(clock, { pauseMs }, () => (rooms += 1));
});

const settle = async () => {
  for (let step = 0; step < 10; step += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Asks for a turn and notes when it is given. */
function ask(host: string, account: string, given: string[], signal = never): Promise<HostTurn> {
  const turn = turns.take(host, account, signal);
  turn.then(
    () => given.push(account),
    () => undefined,
  );
  return turn;
}

describe('a host', () => {
  it('gets two requests at once, and the next one after a pause', async () => {
    const given: string[] = [];
    const [first] = await Promise.all([ask('a.example', '1', given), ask('a.example', '2', given)]);
    void ask('a.example', '3', given);
    await turns.take('b.example', '1', never);
    await settle();
    expect(given).toEqual(['1', '2']);
    first.end();
    first.end();
    clock.advance(pauseMs - 1);
    await settle();
    expect(given).toEqual(['1', '2']);
    clock.advance(1);
    await settle();
    expect(given).toEqual(['1', '2', '3']);
  });

  it('serves accounts in turns', async () => {
    const given: string[] = [];
    const held = await Promise.all([turns.take('a.example', 'x', never), turns.take('a.example', 'x', never)]);
    const asked = ['1', '1', '1', '2', '3'].map((account) => ask('a.example', account, given));
    for (const turn of held) turn.end();
    for (const one of asked) {
      clock.advance(pauseMs);
      void one.then((turn) => turn.end());
      await settle();
    }
    for (let round = 0; round < 5; round += 1) {
      clock.advance(pauseMs);
      await settle();
    }
    expect(given).toEqual(['1', '2', '3', '1', '1']);
  });

  it('is busy for an account with two open requests, whose fifth is refused at once', async () => {
    const given: string[] = [];
    const first = await ask('a.example', '1', given);
    expect(turns.busyHosts('1')).toEqual([]);
    const second = await ask('a.example', '1', given);
    expect([turns.busyHosts('1'), turns.busyHosts('2')]).toEqual([['a.example'], []]);
    const third = ask('a.example', '1', given);
    void ask('a.example', '1', given);
    await expect(turns.take('a.example', '1', never)).rejects.toBeInstanceOf(HostBusyError);
    void ask('a.example', '2', given);
    first.end();
    clock.advance(pauseMs);
    (await third).end();
    clock.advance(pauseMs);
    await settle();
    // Two of the first account are over, two are there: it is busy still.
    expect(given).toEqual(['1', '1', '1', '2']);
    expect([turns.busyHosts('1'), rooms]).toEqual([['a.example'], 0]);
    second.end();
    clock.advance(pauseMs);
    await settle();
    expect([turns.busyHosts('1'), rooms]).toEqual([[], 1]);
  });

  it('does not wait for a caller that has gone', async () => {
    const given: string[] = [];
    const held = await Promise.all([turns.take('a.example', 'x', never), turns.take('a.example', 'x', never)]);
    const cancel = new AbortController();
    const gone = ask('a.example', '1', given, cancel.signal);
    void ask('a.example', '2', given);
    cancel.abort(new Error('not needed'));
    await expect(gone).rejects.toThrow('not needed');
    for (const turn of held) turn.end();
    clock.advance(pauseMs);
    await settle();
    expect(given).toEqual(['2']);
  });

  it('that asks for a pause gets no request until it is over, while others do', async () => {
    const given: string[] = [];
    const first = await ask('a.example', '1', given);
    const second = await ask('a.example', '1', given);
    const waiting = ask('a.example', '2', given);
    turns.hold('a.example', 60_000);
    const refused = { code: 'rate_limited', retryable: true, retryAfterMs: 60_000 };
    await expect(turns.take('a.example', '3', never)).rejects.toMatchObject(refused);
    first.end();
    second.end();
    clock.advance(pauseMs);
    await expect(waiting).rejects.toBeInstanceOf(HostHeldError);
    await ask('b.example', '1', given);
    clock.advance(60_000);
    await ask('a.example', '3', given);
    expect(given).toEqual(['1', '1', '1', '3']);
  });

  it('is waited for during a short pause', async () => {
    const given: string[] = [];
    turns.hold('a.example', 2_000);
    void ask('a.example', '1', given);
    await clock.untilAsleep(2_000);
    expect(given).toEqual([]);
    clock.advance(2_000);
    await settle();
    expect(given).toEqual(['1']);
  });

  it('that asks for days is left alone for a quarter of an hour', async () => {
    turns.hold('a.example', 9 * 24 * 3_600_000);
    await expect(turns.take('a.example', '1', never)).rejects.toMatchObject({ retryAfterMs: 15 * 60_000 });
    clock.advance(15 * 60_000);
    (await turns.take('a.example', '1', never)).end();
  });

  it('has no pause after everything is closed', async () => {
    const given: string[] = [];
    const first = await ask('a.example', '1', given);
    await ask('a.example', '1', given);
    void ask('a.example', '2', given);
    first.end();
    await clock.untilAsleep(pauseMs);
    turns.close();
    await settle();
    expect(given).toEqual(['1', '1', '2']);
    expect(clock.sleeping).toBe(0);
  });
});
