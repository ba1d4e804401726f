import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainText } from '../../../src/cli/terminal/look.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { operations } from '../../../src/operations/index.ts';
import { search } from '../../../src/operations/search.ts';
import { createSearchService, type SearchAnswer } from '../../../src/services/search/search.ts';
import { ManualClock } from '../../support/clock.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { openStores, rememberingLog, saveUrls, type TestStores } from '../../support/store/stores.ts';

/*
 * What a search says where nothing can be found, because nothing is there.
 */

let testServer: TestStores;
let ask: () => Promise<SearchAnswer>;

beforeEach(async () => {
  const clock = new ManualClock();
  testServer = await openStores(clock);
  const service = createSearchService(testServer.stores, null, clock, rememberingLog());
  ask = () => service.search(localAccountId, { query: 'bees', limit: 10 }, new AbortController().signal);
});
afterEach(() => testServer.close());

const shown = (answer: SearchAnswer) => plainText(search.cli?.print(answer as never) ?? []);

test('an empty library says to save something first, without naming a tool', async () => {
  const answer = await ask();
  expect(answer.hint).toContain('Nothing is saved yet');
  const tools = operations.map(({ name }) => name).filter((name) => name.includes('_'));
  for (const name of tools) expect(answer.hint).not.toContain(name);
  expect(shown(answer)).toMatchInlineSnapshot(`
    "Nothing is saved yet, so there is nothing to find. Save a page, a video or a document first, then search again.
    Save a page:      commonplace save <address> --wait
    Or by assistant:  commonplace setup

    Searched 0 items by words."
  `);
});

test('a library with only waiting items says that they wait', async () => {
  await saveUrls(testServer.store, ['https://example.com/wasps']);
  const answer = await ask();
  expect(answer.hint).toContain('still being processed');
  expect(shown(answer)).toContain('commonplace work');
});

test('an answer without results does not say to save something when there is something to search', async () => {
  await addFinishedItem(testServer.store, {
    url: 'https://example.com/tea',
    blocks: paragraphs('Green tea wants water.'),
  });
  const answer = await ask();
  expect(answer).toMatchObject({ results: [], coverage: { searchable: 1 } });
  expect(answer).toMatchObject({ match: 'weak', hint: expect.stringContaining('Ask again in other words') as string });
  expect(shown(answer)).toMatch(/^Nothing saved has many of these words.*\n\nSearched /);
});
