import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { openRaw } from '../support/raw-database.ts';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import type { Locator } from '../../src/domain/records/locator.ts';
import { locatorColumn, locatorOf, quoteColumn } from '../../src/store/sqlite/items/repeated-columns.ts';
import { openHttpHouse, type HttpHouse } from '../support/http.ts';

const offset = fc.nat({ max: 40 });
const anyLocator: fc.Arbitrary<Locator> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), start: offset, end: offset }),
  fc.record({ kind: fc.constant('page' as const), page: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('time' as const), seconds: offset }),
);

test('a locator is the same when it is read back', () => {
  fc.assert(
    fc.property(anyLocator, offset, offset, (locator, start, end) => {
      expect(locatorOf(locatorColumn(locator, { start, end }), { start, end })).toEqual(locator);
    }),
  );
});

test('a quote that says nothing is none, and not the text of the insight', () => {
  const text = 'Salt keeps skins whole.';
  expect([text, 'Salt', '', null].map((quote) => quoteColumn(quote, text))).toEqual(['', 'Salt', null, null]);
});

describe('a saved text', () => {
  let testServer: HttpHouse;
  let id: string;
  let database: Database.Database;

  beforeAll(async () => {
    testServer = await openHttpHouse({ embedder: 'none' }, {}, { llmAnalyst: null });
    const { services, worker } = testServer.app;
    const text = [
      'Soaking beans overnight halves the time that they take to cook, because water reaches their middle first.',
      'Salt in the water keeps their skins whole, which surprises people who learned the opposite from their parents.',
      'Old beans may stay hard however long they are cooked, so buy them where many people buy them every week.',
      'Hard water slows the cooking, since calcium holds the walls of their cells together for much longer.',
      'A pinch of baking soda does the opposite: beans turn soft in half an hour, and lose some of their taste.',
      'Acid keeps beans firm, which is why tomatoes are added to a stew when the beans in it are already soft.',
      'Kidney beans have a poison that only boiling destroys, so a slow cooker alone is not enough for them.',
      'Lentils are thin and need no soaking, because water has a short way to the middle of each of them.',
      'Cooked beans keep for four days in their own water, and for months when they are frozen in portions.',
    ].join('\n\n');
    const save = { url: 'https://example.com/beans', title: 'Beans', text };
    ({ id } = await services.library.save(localAccountId, save, {
      onProgress: () => undefined,
      signal: new AbortController().signal,
    }));
    await worker.runUntilEmpty();
    database = openRaw(join(testServer.folder, 'accounts', `${localAccountId}.db`));
  });
  afterAll(async () => {
    database.close();
    await testServer.close();
  });

  const read = async () => {
    const { services } = testServer.app;
    const signal = new AbortController().signal;
    const query = { query: 'why are beans soaked', limit: 3 };
    const store = await testServer.app.stores.open(localAccountId);
    return {
      insights: (await store.getContent(id))?.keyInsights,
      passages: (await services.search.search(localAccountId, query, signal)).results,
      exported: await store.readToExport(id),
    };
  };

  test('stores locators and quotes once, and reads rows that repeat them the same', async () => {
    const short = await read();
    expect(short.insights?.length).toBeGreaterThan(0);
    expect(short.insights?.[0]).toMatchObject({ quote: short.insights?.[0]?.text, locator: { kind: 'text' } });
    expect(short.exported?.insights[0]?.quote).toBe(short.insights?.[0]?.text);
    expect(short.exported?.passages[0]?.locator).toMatchObject({ kind: 'text', start: 0 });

    const repeated = `SELECT (SELECT count(*) FROM insights WHERE quote <> '' OR locator <> '')
      + (SELECT count(*) FROM passages WHERE locator <> '') AS rows`;
    expect(database.prepare(repeated).get()).toEqual({ rows: 0 });
    const locator = `json_object('kind', 'text', 'start', start_at, 'end', end_at)`;
    database.exec(`UPDATE insights SET quote = text, locator = ${locator}; UPDATE passages SET locator = ${locator}`);
    expect(await read()).toEqual(short);
  });
});
