// Second stage.
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBuilt } from '../support/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const commonplace = (...args: string[]) => runBuilt(...args, '--data', join(folder, 'data'), '--embedder', 'none');

test('doctor --check reports whether the files are intact, and what to do if not', async () => {
  const note = join(folder, 'note.txt');
  writeFileSync(
    note,
    Array.from({ length: 3_000 }, (_, at) => `Sentence ${at} of a long note about bread.`).join('\n'),
  );
  expect((await commonplace('save', note, '--wait')).code).toBe(0);
  const whole = await commonplace('doctor', '--check');
  expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files checked') as string });

  const path = join(folder, 'data', 'accounts', 'local.db');
  const file = openSync(path, 'r+');
  const end = statSync(path).size;
  // The middle of the file holds the text and its index.
  writeSync(file, Buffer.alloc(65_536), 0, 65_536, Math.floor(end / 2 / 8_192) * 8_192);
  closeSync(file);
  const broken = await commonplace('doctor', '--check', '--account', 'local', '--json');
  expect(broken.code).toBe(1);
  const { findings } = JSON.parse(broken.stdout) as { findings: { file: string; fix: string }[] };
  expect(findings.length).toBeGreaterThan(0);
  for (const { file: name, fix } of findings)
    expect([name, fix]).toEqual(['local', expect.stringMatching(/backup|reprocess/)]);
  expect(await commonplace('doctor', '--check', '--account', 'u_aaaaaaaaaaaaaaaa')).toMatchObject({ code: 3 });
  expect((await commonplace('doctor', '--account', 'local')).code).toBe(2);
});
