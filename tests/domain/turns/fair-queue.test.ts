// Second stage, alone.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../src/domain/turns/fair-queue.ts';
import { growthOf, maxGrowth } from '../../support/texts/growth.ts';
import { forAll } from '../../support/for-all.ts';

interface Waiting {
  accountId: string;
  nth: number;
}

const accounts = fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'd'), { maxLength: 40 });
const queueOf = (names: readonly string[]) => {
  const queue = new FairQueue<Waiting>();
  const calls = names.map((accountId, nth) => ({ accountId, nth }));
  for (const call of calls) queue.add(call);
  return { queue, calls };
};
const drain = (queue: FairQueue<Waiting>, mayBeTaken: (call: Waiting) => boolean = () => true) => {
  const taken: Waiting[] = [];
  for (let call = queue.next(mayBeTaken); call !== undefined; call = queue.next(mayBeTaken)) taken.push(call);
  return taken;
};

describe('a queue of several accounts', () => {
  it('hands out every call once, in order within an account', () => {
    forAll(accounts, (names) => {
      const { queue, calls } = queueOf(names);
      const taken = drain(queue);
      expect(taken.toSorted((a, b) => a.nth - b.nth)).toEqual(calls);
      for (const name of new Set(names)) {
        const own = taken.filter(({ accountId }) => accountId === name).map(({ nth }) => nth);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }
    });
  });

  it('gives no account a second turn while another waits for its first', () => {
    forAll(accounts, (names) => {
      const taken = drain(queueOf(names).queue).map(({ accountId }) => accountId);
      for (let left = [...names]; left.length > 0;) {
        const waiting = new Set(left);
        const round = taken.splice(0, waiting.size);
        expect(new Set(round)).toEqual(waiting);
        for (const name of round) left.splice(left.indexOf(name), 1);
      }
    });
  });

  it('skips accounts whose next call must wait, without losing any', () => {
    forAll(accounts, fc.constantFrom('a', 'b'), (names, barred) => {
      const { queue, calls } = queueOf(names);
      const taken = drain(queue, ({ accountId }) => accountId !== barred);
      expect(taken.every(({ accountId }) => accountId !== barred)).toBe(true);
      expect([...taken, ...drain(queue)].toSorted((a, b) => a.nth - b.nth)).toEqual(calls);
    });
  });

  it('puts a returned call before the others of its account, whose turn is used up', () => {
    forAll(accounts, (names) => {
      const { queue } = queueOf(names);
      const before = drain(queueOf(names).queue);
      const turns: string[] = [];
      const taken: Waiting[] = [];
      // Each call needs two turns.
      const seen = new Set<Waiting>();
      for (let call = queue.next(); call !== undefined; call = queue.next()) {
        turns.push(call.accountId);
        if (seen.has(call)) taken.push(call);
        else queue.addFirst(call);
        seen.add(call);
      }
      expect(queue.isEmpty).toBe(true);
      for (const name of new Set(names)) {
        const own = (calls: readonly Waiting[]) => calls.filter(({ accountId }) => accountId === name);
        expect(own(taken)).toMatchObject(own(before));
      }
      // No account waits longer than one turn of each other one.
      const left = new Map<string, number>();
      for (const name of names) left.set(name, (left.get(name) ?? 0) + 2);
      for (let at = 0; at < turns.length;) {
        const waiting = new Set([...left].filter(([, count]) => count > 0).map(([name]) => name));
        expect(new Set(turns.slice(at, at + waiting.size))).toEqual(waiting);
        at += waiting.size;
        for (const name of waiting) left.set(name, (left.get(name) ?? 0) - 1);
      }
    });
  });

  it('takes no longer for a call when many wait', () => {
    const callsOf = (count: number): Waiting[] => Array.from({ length: count }, (_, nth) => ({ accountId: 'a', nth }));
    const pass = (calls: readonly Waiting[]): void => {
      const queue = new FairQueue<Waiting>();
      for (const call of calls) queue.add(call);
      for (let nth = 0; nth < calls.length; nth += 3) queue.remove(calls[nth]!);
      while (queue.next() !== undefined);
    };
    // With more calls, memory beyond the caches of the processor takes a growing part of the time.
    expect(growthOf(callsOf, pass, 2_000)).toBeLessThan(maxGrowth);
  });

  it('removes calls one by one, by account, or all', () => {
    const { queue, calls } = queueOf(['a', 'b', 'a', 'c', 'c']);
    expect([queue.remove(calls[0]!), queue.remove(calls[0]!)]).toEqual([true, false]);
    expect(queue.clear('c')).toEqual([calls[3], calls[4]]);
    expect(queue.clear('c')).toEqual([]);
    expect(queue.clear()).toEqual([calls[2], calls[1]]);
    expect(queue.next(() => true)).toBeUndefined();
  });
});
