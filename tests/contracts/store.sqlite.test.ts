import { openSqliteStores } from '../../src/store/sqlite/open.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { storeContract } from './store-contract.ts';

storeContract('sqlite', () => {
  const folder = temporaryFolder();
  return { open: (clock) => openSqliteStores({ folder: folder.path, clock }), remove: folder.remove };
});
