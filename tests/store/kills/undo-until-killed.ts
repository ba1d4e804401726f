import { openUntilKilled } from './store-until-killed.ts';

/* A separate process, started by a test: undoes a change, is killed, or else prints how many statements there are. */

const [folder = '', id = '', at = '0'] = process.argv.slice(2);
const { store, statements } = await openUntilKilled(folder, 'undo', Number(at));
const undone = await store.undo(id, { force: false });
process.stdout.write(undone?.outcome === 'undone' ? `${statements()}\n` : '0\n');
process.exit();
