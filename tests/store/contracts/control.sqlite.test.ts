import { openDataFolder } from '../../../src/app/installations/data-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { controlContract } from './control/control-contract.ts';

controlContract('sqlite', () => {
  const folder = temporaryFolder();
  return { open: (clock) => openDataFolder({ folder: folder.path, clock }), remove: folder.remove };
});
