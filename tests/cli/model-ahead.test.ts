import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startModelAhead } from '../../src/app/model-ahead.ts';
import { packagedModelFolder } from '../../src/models/embedding/start-minilm.ts';

/* The sentence model begins to load before the program does, when a command line asks a question. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-ahead-'));
  writeFileSync(join(folder, 'control.db'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

const search = () => ['search', 'a hungry fox', '--data', folder];

it('is handed over once, to the first caller that wants this model', async () => {
  const take = startModelAhead(search(), {});
  expect(take('/another/model')).toBeNull();
  const child = take(packagedModelFolder);
  expect(await once(child!, 'message')).toEqual([{ kind: 'ready' }, undefined]);
  expect(take(packagedModelFolder)).toBeNull();
  child!.disconnect();
  await once(child!, 'exit');
});

it('ends with the program when nobody takes it', async () => {
  const child = startModelAhead(search(), {})(packagedModelFolder)!;
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it.each<[string, (library: string) => { argv?: string[]; environment?: Record<string, string> }]>([
  ['another command', (data) => ({ argv: ['list', '--data', data] })],
  ['a request for help', (data) => ({ argv: ['search', '--help', '--data', data] })],
  ['a flag that names a model', (data) => ({ argv: ['search', 'fox', '--embedder=none', '--data', data] })],
  ['a variable that names one', () => ({ environment: { COMMONPLACE_EMBEDDER: 'none' } })],
  ['a folder without a library', (data) => ({ argv: ['search', 'fox', '--data', join(data, 'none')] })],
  [
    'config.json that names one',
    (data) => {
      writeFileSync(join(data, 'config.json'), '{ "embedder": "none" }');
      return {};
    },
  ],
])('is not started for %s', (_, given) => {
  const { argv = search(), environment = {} } = given(folder);
  expect(startModelAhead(argv, environment)(packagedModelFolder)).toBeNull();
});
