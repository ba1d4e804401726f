import { parseArgs } from 'node:util';
import { torture } from './torture.ts';

/*
 * `npm run torture`: kills the built program again and again, and compares what clients were promised with what is there
 * (docs/reliability.md).
 */

const { values: options } = parseArgs({
  options: { kills: { type: 'string', default: '10000' }, seed: { type: 'string', default: '20261123' } },
});

const stop = new AbortController();
// Told to end, it says what it has found until then.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

const began = performance.now();
const seconds = (): number => Math.round((performance.now() - began) / 1_000);
let [said, shown] = [0, 0];
const tally = await torture({
  kills: Number(options.kills),
  seed: Number(options.seed),
  stop: stop.signal,
  onProgress({ kills, failures }) {
    for (const failure of failures.slice(shown)) console.log(`FAILED ${failure}`);
    shown = failures.length;
    if (kills < said + 10) return;
    said = kills;
    console.log(`${seconds()} s: ${kills} kills, ${failures.length} failures`);
  },
});
for (const [place, count] of [...tally.places].toSorted()) console.log(`${String(count).padStart(6)}  ${place}`);
console.log(
  JSON.stringify({ seconds: seconds(), ...tally, places: undefined, failures: tally.failures.length }, null, 2),
);
for (const failure of tally.failures.slice(shown)) console.log(`FAILED ${failure}`);
console.log(tally.failures.length === 0 ? 'held' : `repeat it with --seed ${options.seed}`);
process.exitCode = tally.failures.length === 0 ? 0 : 1;
