import { expect, it } from 'vitest';
import { createSearchPreparation } from '../../src/app/prepare-search.ts';
import { localAccountId } from '../../src/domain/records/account.ts';

/** Accounts of which something can be found, and what was asked of the model and of the search. */
function open(...withTexts: string[]) {
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const preparation = createSearchPreparation({
    hasTexts: (accountId) => Promise.resolve(withTexts.includes(accountId)),
    embedder: { load: () => void asked.push('load') },
    search: async (accountId, _query, signal) => {
      asked.push(`search ${accountId}`);
      signals.push(signal);
    },
  });
  return { asked, signals, preparation };
}

it('loads nothing for an account in which nothing can be found', async () => {
  const { asked, preparation } = open('other');
  await preparation.loadModel();
  await preparation.prepareSearch();
  expect(asked).toEqual([]);
});

it('loads the model each time, and searches once', async () => {
  const { asked, preparation } = open(localAccountId, 'other');
  await preparation.prepareSearch();
  await preparation.prepareSearch('other');
  await preparation.loadModel('other');
  expect(asked).toEqual(['load', `search ${localAccountId}`, 'load', 'load']);
});

it('gives up when the program closes', async () => {
  const { signals, preparation } = open(localAccountId);
  await preparation.prepareSearch();
  expect(signals[0]?.aborted).toBe(false);
  preparation.close();
  expect(signals[0]?.aborted).toBe(true);
});
