import { openDataFolder } from '../../src/app/data-folder.ts';
import { temporaryFolder } from '../store/temporary-folder.ts';
import { storeContract } from './store-contract.ts';

storeContract('sqlite', () => {
  const folder = temporaryFolder();
  return { open: (clock) => openDataFolder({ folder: folder.path, clock }), remove: folder.remove };
});
