// Second stage.
import { afterAll } from 'vitest';
import { startWorkerOf } from '../../../src/store/sqlite/threads/account-thread.ts';
import { SharedDataFolder } from './shared-data-folder.ts';
import { searchingAndWriting, storeContract, withoutRepeatedSearches } from './store-contract.ts';

const built = (file: string) => ({ startWorker: startWorkerOf(new URL(`../../../dist/${file}`, import.meta.url)) });

const shared = new SharedDataFolder({
  libraryThreads: built('app/library-worker.js'),
  vectors: { few: 0 },
});
afterAll(() => shared.close());

storeContract(
  'sqlite in threads, all vectors in memory',
  () => shared.engine(),
  withoutRepeatedSearches(searchingAndWriting),
);
