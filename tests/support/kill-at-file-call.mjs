import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded before the program (`--import`), in its main thread and in the others: counts the calls that change files, and ends
 * the process before the one with the number KILL_AT_FILE_CALL. Without it, the counts are written to COUNT_FILE_CALLS.
 */

const at = Number(process.env.KILL_AT_FILE_CALL ?? 0);
const report = process.env.COUNT_FILE_CALLS;
let calls = 0;

function count(holder, name) {
  const original = holder[name];
  holder[name] = function counted(...args) {
    calls += 1;
    if (calls === at) process.kill(process.pid, 'SIGKILL');
    return original.apply(this, args);
  };
}

const file = await open(process.execPath);
count(Object.getPrototypeOf(file), 'write');
await file.close();
for (const name of ['renameSync', 'writeSync', 'rmSync', 'fsyncSync', 'mkdirSync']) count(fs, name);
for (const name of ['rename', 'rm', 'mkdir', 'writeFile', 'open']) count(fs.promises, name);
syncBuiltinESMExports();
const { appendFileSync } = fs;
if (report !== undefined) process.on('exit', () => appendFileSync(report, `${calls}\n`));
