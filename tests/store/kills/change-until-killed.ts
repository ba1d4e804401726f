import { openUntilKilled } from './store-until-killed.ts';

/* A separate process, started by a test: changes an item, is killed, or else prints how many statements there are. */

const [folder = '', id = '', notes = '', at = '0'] = process.argv.slice(2);
const { store, statements } = await openUntilKilled(folder, 'update_content', Number(at));
await store.updateContent(id, { notes, addTags: [notes] });
process.stdout.write(`${statements()}\n`);
process.exit();
