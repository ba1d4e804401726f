import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HeldPlace, SharedPlaces } from '../../../src/domain/turns/shared-places.ts';
import { Turns } from '../../../src/domain/turns/fair-queue.ts';
import { forAllAsync } from '../../support/for-all.ts';

const never = new AbortController().signal;
const names = ['a', 'b', 'c', 'd'];
const settle = async () => {
  for (let step = 0; step < 5; step += 1) await Promise.resolve();
};

describe('slots', () => {
  it('are never more than the maximum, and a single account leaves the reserved ones free', async () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('take', 'leave'), fc.constantFrom(...names)), { maxLength: 60 });
    await forAllAsync(
      steps,
      fc.integer({ min: 2, max: 6 }),
      fc.integer({ min: 1, max: 5 }),
      async (asked, total, r) => {
        const reserved = Math.min(r, total - 1);
        const places = new SharedPlaces({ total, reserved });
        const held: { name: string; place: HeldPlace }[] = [];
        const waiting = new Map(names.map((name) => [name, 0]));
        const hold = async (name: string): Promise<void> => {
          held.push({ name, place: await places.take(name, never) });
          waiting.set(name, (waiting.get(name) ?? 0) - 1);
        };
        for (const [kind, name] of asked) {
          if (kind === 'take') {
            waiting.set(name, (waiting.get(name) ?? 0) + 1);
            void hold(name);
          } else {
            const at = held.findIndex((one) => one.name === name);
            if (at !== -1) held.splice(at, 1)[0]!.place.leave();
          }
          await settle();
          expect(held.length).toBeLessThanOrEqual(total);
          const free = total - held.length;
          for (const one of names) {
            const own = held.filter((other) => other.name === one).length;
            const isAlone = held.every((other) => other.name === one);
            const waitsForNothing = own === 0 && (waiting.get(one) ?? 0) > 0 && free > 0;
            expect([waitsForNothing, isAlone && own > total - reserved]).toEqual([false, false]);
            expect(places.hasRoom(one)).toBe(free > reserved || (free > 0 && own === 0));
            expect(places.heldBy(one)).toBe(own);
            expect(places.roomFor(one)).toBe(free > reserved ? free - reserved : free > 0 && own === 0 ? 1 : 0);
          }
        }
      },
    );
  });

  it('go to waiting accounts in turns, and releasing twice frees one slot', async () => {
    const places = new SharedPlaces({ total: 1, reserved: 0 });
    const first = await places.take('a', never);
    const order: string[] = [];
    const last = ['a1', 'a2', 'a3', 'b1', 'c1'].map(async (name) => {
      const place = await places.take(name[0]!, never);
      order.push(name);
      place.leave();
      place.leave();
    });
    first.leave();
    await Promise.all(last);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
    expect(places.hasRoom('a')).toBe(true);
    expect(places.tryTake('a')).not.toBeNull();
    expect(places.tryTake('a')).toBeNull();
  });

  it('are not kept for a waiter whose signal was aborted', async () => {
    const places = new SharedPlaces({ total: 1, reserved: 0 });
    const first = await places.take('a', never);
    const cancel = new AbortController();
    const gone = places.take('b', cancel.signal);
    const next = places.take('c', never);
    cancel.abort(new Error('not needed'));
    await expect(gone).rejects.toThrow('not needed');
    await expect(places.take('d', cancel.signal)).rejects.toThrow('not needed');
    first.leave();
    (await next).leave();
    expect(places.hasRoom('b')).toBe(true);
  });
});

it('turns go round until all are done; additions come last', () => {
  const turns = new Turns(['a', 'b', 'c']);
  expect([turns.next(), turns.next(), turns.next(), turns.next()]).toEqual(['a', 'b', 'c', 'a']);
  turns.done('c');
  turns.add('d');
  turns.add('b');
  expect([turns.next(), turns.next(), turns.next()]).toEqual(['b', 'a', 'd']);
  for (const name of ['a', 'b', 'd']) turns.done(name);
  expect(turns.next()).toBeUndefined();
});
