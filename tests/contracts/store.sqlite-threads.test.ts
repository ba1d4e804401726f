import { openDataFolder } from '../../src/app/data-folder.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { type StoreEngine, storeContract } from './store-contract.ts';

storeContract('sqlite, searched and written in threads, all vectors in memory', () => {
  const folder = temporaryFolder();
  const more = {
    searchThreads: {},
    largeSizes: { passages: 0, bytes: 0, characters: 0, bytesToMigrate: 0 },
    vectors: { few: 0 },
  };
  const open: StoreEngine['open'] = (clock) => openDataFolder({ folder: folder.path, clock, ...more });
  return { open, remove: folder.remove };
});
