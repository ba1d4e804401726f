import { expect, it } from 'vitest';
import { createSearchPreparation } from '../../src/app/prepare-search.ts';
import { localAccountId } from '../../src/domain/records/account.ts';

/** Accounts with so many items that can be found, and what was asked of the model and of the search. */
function open(searchable: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const preparation = createSearchPreparation({
    countSearchable: (accountId) => Promise.resolve(searchable[accountId] ?? 0),
    embedder: { load: () => void asked.push('load') },
    search: async (accountId, _query, signal) => {
      asked.push(`search ${accountId}`);
      signals.push(signal);
    },
  });
  return { asked, signals, preparation };
}

it('loads nothing for an account in which nothing can be found', async () => {
  const { asked, preparation } = open({ other: 3 });
  await preparation.loadModel();
  await preparation.prepareSearch();
  expect(asked).toEqual([]);
});

it('loads the model each time, and searches once', async () => {
  const { asked, preparation } = open({ [localAccountId]: 1, other: 3 });
  await preparation.prepareSearch();
  await preparation.prepareSearch('other');
  await preparation.loadModel('other');
  expect(asked).toEqual(['load', `search ${localAccountId}`, 'load', 'load']);
});

it('loads the model alone when the library is so large that its index takes long', async () => {
  const { asked, preparation } = open({ [localAccountId]: 10_001, other: 10_000 });
  await preparation.prepareSearch();
  expect(asked).toEqual(['load']);
  await preparation.prepareSearch('other');
  expect(asked).toEqual(['load', 'load', 'search other']);
});

it('gives up when the program closes', async () => {
  const { signals, preparation } = open({ [localAccountId]: 1 });
  await preparation.prepareSearch();
  expect(signals[0]?.aborted).toBe(false);
  preparation.close();
  expect(signals[0]?.aborted).toBe(true);
});
