import { writeSync } from 'node:fs';
import { SqliteFile } from '../../../src/store/sqlite/files/sqlite-file.ts';

/* Writes a row after the other until the disk refuses one. Then it says which, and is killed. Arguments: the file. */

const [, , path = ''] = process.argv;
const schema = { sql: 'CREATE TABLE numbers (number INTEGER PRIMARY KEY) STRICT', migrations: [] };
const file = SqliteFile.open({ path, schema, readOnly: false, synchronous: 'full' });
for (let number = 0; ; number += 1) {
  try {
    file.write(() => file.run('INSERT INTO numbers VALUES (?)', number));
  } catch {
    writeSync(1, String(number));
    process.kill(process.pid, 'SIGKILL');
  }
}
