import { openDataFolder } from '../../src/app/data-folder.ts';
import { startWorkerOf } from '../../src/store/sqlite/threads/account-thread.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { searchingAndWriting, type StoreEngine, storeContract } from './store-contract.ts';

/** Some hundreds of threads are started: the built ones load in half the processor time of the sources. */
const built = (file: string) => ({ startWorker: startWorkerOf(new URL(`../../dist/${file}`, import.meta.url)) });

storeContract(
  'sqlite, searched and written in threads, all vectors in memory',
  () => {
    const folder = temporaryFolder();
    const more = {
      searchThreads: built('app/search-worker.js'),
      writeThreads: built('store/sqlite/writing/write-worker.js'),
      largeSizes: { passages: 0, imported: 0, bytes: 0, characters: 0, bytesToMigrate: 0 },
      vectors: { few: 0 },
    };
    const open: StoreEngine['open'] = (clock) => openDataFolder({ folder: folder.path, clock, ...more });
    return { open, remove: folder.remove };
  },
  searchingAndWriting,
);
