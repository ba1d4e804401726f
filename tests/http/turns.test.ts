import { expect, test } from 'vitest';
import { mountDocs } from '../../src/http/docs/docs.ts';
import { RequestTurns } from '../../src/http/incoming/requests-under-way.ts';
import { openHttpServer } from '../support/http.ts';

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

test('many concurrent requests continue in order, some in each turn of the event loop', async () => {
  const turns = new RequestTurns();
  const begun: number[] = [];
  const all = Array.from({ length: 100 }, (_, index) => turns.next('a').then(() => begun.push(index)));
  const perTurn: number[] = [];
  while (begun.length < 100) {
    await turnOfTheLoop();
    perTurn.push(begun.length - perTurn.reduce((sum, one) => sum + one, 0));
  }
  await Promise.all(all);
  expect(begun).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(2);
});

test('a request does not wait for the hundreds of another account that came before it', async () => {
  const turns = new RequestTurns();
  const begun: string[] = [];
  const begin = (who: string) => turns.next(who).then(() => begun.push(who));
  const all = Array.from({ length: 500 }, () => begin('attacker'));
  await turnOfTheLoop();
  all.push(begin('neighbour'), begin('another'));
  await Promise.all(all);
  expect(begun.indexOf('neighbour')).toBeLessThan(6);
  expect(begun.indexOf('another')).toBeLessThan(7);
});

test('pages that need no token start one after the other as well', async () => {
  const testServer = await openHttpServer({ embedder: 'none' }, { mounts: [mountDocs] });
  let turnsOfTheLoop = 0;
  const count = (): void => {
    turnsOfTheLoop += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const answers = await Promise.all(Array.from({ length: 200 }, () => testServer.ask('/docs', { token: null })));
  clearImmediate(next);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(turnsOfTheLoop).toBeGreaterThanOrEqual(195);
  await testServer.close();
});
