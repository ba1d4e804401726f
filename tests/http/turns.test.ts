import { expect, test } from 'vitest';
import { RequestTurns } from '../../src/http/incoming/request-turns.ts';

test('many that come at once go on in their order, some in each turn of the event loop', async () => {
  const turns = new RequestTurns();
  const begun: number[] = [];
  const all = Array.from({ length: 100 }, (_, index) => turns.next().then(() => begun.push(index)));
  const perTurn: number[] = [];
  while (begun.length < 100) {
    await new Promise((resolve) => setImmediate(resolve));
    perTurn.push(begun.length - perTurn.reduce((sum, one) => sum + one, 0));
  }
  await Promise.all(all);
  expect(begun).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
});
