import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { putNewLibrary } from '../../support/store/new-library.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { boundedHistoryContract } from './records/store-bounded-history.ts';
import { storeContract } from './store-contract.ts';

storeContract('sqlite', () => {
  const folder = temporaryFolder();
  return {
    async open(clock) {
      await putNewLibrary(folder.path);
      return openDataFolder({ folder: folder.path, clock });
    },
    remove: folder.remove,
  };
});

boundedHistoryContract(() => {
  const folder = temporaryFolder();
  return {
    async open(clock, history) {
      await putNewLibrary(folder.path);
      return openDataFolder({ folder: folder.path, clock, history });
    },
    remove: folder.remove,
  };
});
