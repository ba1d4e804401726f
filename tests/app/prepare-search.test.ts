import { expect, it } from 'vitest';
import { createSearchPreparation } from '../../src/app/prepare-search.ts';
import { localAccountId } from '../../src/domain/records/account.ts';

/** Accounts with so many items that can be found, and what was asked of the model and of the search. */
function open(searchable: Readonly<Record<string, number>>, asking: () => void = () => undefined, msOfEach = 10) {
  let processorMs = 0;
  const asked: string[] = [];
  const preparation = createSearchPreparation({
    countSearchable: (accountId) => Promise.resolve(searchable[accountId] ?? 0),
    listTitles: () => Promise.resolve(['Sleep', 'Bread']),
    embedder: {
      load: () => void asked.push('load'),
      embedQuery: (text) => {
        asked.push(`embed ${text}`);
        return Promise.resolve(new Float32Array(0));
      },
    },
    processorMs: () => processorMs,
  });
  const prepare = (account: string) =>
    preparation.prepareSearch(account, async (query, signal) => {
      signal.throwIfAborted();
      asked.push(`search ${account}: ${query}`);
      processorMs += msOfEach;
      asking();
    });
  return { asked, preparation, prepare };
}

it('loads nothing for an account without searchable items', async () => {
  const { asked, preparation, prepare } = open({ other: 3 });
  await preparation.loadModel();
  await prepare(localAccountId);
  expect(asked).toEqual([]);
});

it('loads the model each time and asks varied questions once, the first by words alone', async () => {
  const { asked, preparation, prepare } = open({ [localAccountId]: 1, other: 3 });
  await prepare(localAccountId);
  const first = asked.splice(0);
  await prepare('other');
  await preparation.loadModel('other');
  expect(asked).toEqual(['load', 'load']);
  expect(first.slice(0, 4)).toEqual([
    'load',
    `search ${localAccountId}: Sleep`,
    'embed Sleep',
    `search ${localAccountId}: how Bread`,
  ]);
  expect(first.filter((one) => one.startsWith('search')).length).toBe(35);
});

it('loads the model alone when the library is so large that its index takes long', async () => {
  const { asked, prepare } = open({ [localAccountId]: 10_001, other: 10_000 });
  await prepare(localAccountId);
  expect(asked).toEqual(['load']);
  await prepare('other');
  expect(asked.slice(0, 3)).toEqual(['load', 'load', 'search other: Sleep']);
});

it('stops when a real question arrives or the program closes', async () => {
  const { asked, preparation, prepare } = open({ [localAccountId]: 1 }, () => preparation.stopPreparing());
  await prepare(localAccountId);
  expect(asked.filter((one) => one.startsWith('search'))).toEqual([`search ${localAccountId}: Sleep`]);
});

it('takes at most half a second of processor time', async () => {
  const { asked, prepare } = open({ [localAccountId]: 1 }, () => undefined, 200);
  await prepare(localAccountId);
  expect(asked.filter((one) => one.startsWith('search')).length).toBe(3);
});
