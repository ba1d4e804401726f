import { openSqliteStores } from '../../src/store/sqlite/open.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { type StoreEngine, storeContract } from './store-contract.ts';

storeContract('sqlite', () => {
  const folder = temporaryFolder();
  return { open: (clock) => openSqliteStores({ folder: folder.path, clock }), remove: folder.remove };
});

storeContract('sqlite, searched in threads', () => {
  const folder = temporaryFolder();
  const open: StoreEngine['open'] = (clock) => openSqliteStores({ folder: folder.path, clock, searchThreads: {} });
  return { open, remove: folder.remove };
});
