import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scopes } from '../../src/domain/records/account.ts';
import { openDataFolder } from '../../src/app/data-folder.ts';
import { ManualClock } from '../support/clock.ts';
import { saveUrls } from '../support/stores.ts';
import { temporaryFolder } from './temporary-folder.ts';

const program = fileURLToPath(new URL('./change-until-killed.ts', import.meta.url));

async function change(folder: string, id: string, notes: string, at: number) {
  const child = spawn(process.execPath, [program, folder, id, notes, String(at)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { signal, statements: Number(await output) };
}

test('killed at any statement of a change, neither the change nor its history is there, or both are', async () => {
  const folder = temporaryFolder();
  const open = () => openDataFolder({ folder: folder.path, clock: new ManualClock() });
  const made = await open();
  const [id = ''] = await saveUrls(await made.open('local'), ['https://example.com/a']);
  await made.close();

  const { statements, signal } = await change(folder.path, id, 'whole', 0);
  expect([signal, statements > 10]).toEqual([null, true]);
  const outcomes: string[] = [];
  for (let at = 1; at <= statements; at += 2) {
    const killed = await change(folder.path, id, `killed${at}`, at);
    expect(killed.signal).toBe('SIGKILL');
    const stores = await open();
    const store = await stores.open('local');
    const { notes, tags } = (await store.getContentSummary(id))!;
    const { items } = (await store.listHistory({ id, scopes, limit: 100, offset: 0 }))!;
    const recorded = items.some(({ changes }) => changes.some(({ after }) => after === `killed${at}`));
    expect([at, recorded, tags.includes(`killed${at}`)]).toEqual([
      at,
      notes === `killed${at}`,
      notes === `killed${at}`,
    ]);
    outcomes.push(recorded ? 'both' : 'neither');
    await stores.close();
  }
  expect(outcomes).toContain('neither');
  await folder.remove();
}, 120_000);
