import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/settings/config.ts';
import { maxCharactersWith, memoryWarning } from '../../src/domain/machine-limits.ts';
import { fitMemory } from '../../src/app/app.ts';
import { openTestServer } from '../support/test-server.ts';

let testServer: Awaited<ReturnType<typeof openTestServer>> | undefined;
afterEach(() => testServer?.close());

test('there is one worker on low memory, unless the settings say otherwise', () => {
  const config = loadConfig({}, {});
  expect(fitMemory(config, 256)).toMatchObject({ workers: 1 });
  expect(fitMemory(config, 512)).toBe(config);
  const chosen = loadConfig({ workers: 3 }, {});
  expect(fitMemory(chosen, 256)).toMatchObject({ workers: 3 });
  expect(fitMemory({ ...config, workers: 0 }, 256)).toMatchObject({ workers: 0 });
});

test('doctor reports low memory', async () => {
  testServer = await openTestServer({ embedder: 'none' }, { memoryMegabytes: 256 });
  const memory = (await testServer.app.inspect()).find(({ name }) => name === 'Memory');
  expect(memory).toMatchObject({ state: 'warning', fix: expect.stringContaining('256 MB of memory') as string });
});

test('the text of an item may be shorter on low memory', () => {
  expect(maxCharactersWith(256)).toBe(2_048_000);
  expect(maxCharactersWith(511)).toBe(4_088_000);
  expect(maxCharactersWith(512)).toBe(20_000_000);
});

test.each([128, 511])('%i MB count as low memory, with advice', (megabytes) => {
  expect(memoryWarning(megabytes)).toMatch(/512 MB are enough for one worker .* one item at a time/);
});
