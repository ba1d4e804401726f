import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '../../support/servers/site.ts';
import { CommandLibrary } from './commands.ts';
import { diskMaker } from './disk.ts';
import { type Plan, plans } from './plans.ts';
import { randomOf } from './random.ts';
import { newTally, type Tally } from './tally.ts';
import { TorturedLibrary } from './tortured-library.ts';

/** Kills in one data folder: then everything in it is done to its end, and a fresh one is taken. */
const killsInOneFolder = 40;

/** Kills the built program so many times, and says what it found. */
export async function torture({
  kills,
  seed,
  hasDisk = true,
  onProgress = () => undefined,
  stop,
}: {
  kills: number;
  seed: number;
  /** False: as where there is no C compiler. */
  hasDisk?: boolean;
  /** Called after each kill. */
  onProgress?: (tally: Tally) => void;
  /** Aborted: the round that goes on is the last one. */
  stop?: AbortSignal;
}): Promise<Tally> {
  const workFolder = mkdtempSync(join(tmpdir(), 'commonplace-torture-'));
  const site = await startSite();
  const [tally, random] = [newTally(), randomOf(seed)];
  const around = { workFolder, site, random, tally, makeDisk: hasDisk ? diskMaker(workFolder) : null };
  const commands = new CommandLibrary(join(workFolder, 'commands'), tally, random);
  const planned = plans(seed);
  const isOver = (end: number): boolean => tally.kills >= end || stop?.aborted === true;
  for (let folder = 1; !isOver(kills); folder += 1) {
    const library = await TorturedLibrary.make(around, `library-${folder}`);
    const end = Math.min(kills, tally.kills + killsInOneFolder);
    while (!isOver(end)) {
      const plan = planned.next().value as Plan;
      if ('command' in plan) await commands.suffer(plan);
      else {
        await library.begin(plan);
        if (!library.needsPlan) await library.suffer();
      }
      onProgress(tally);
    }
    await library.finish();
  }
  await site.close();
  if (tally.failures.length === 0) rmSync(workFolder, { recursive: true, force: true });
  return tally;
}
