import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { builtProgram } from '../../support/mcp.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-unhandled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plants a fault in the program while it runs: a promise that is rejected, and nobody looks. */
const hook = `data:text/javascript,${encodeURIComponent(
  `process.on('SIGUSR2', () => void Promise.reject(new Error('planted fault')));`,
)}`;

test('an unhandled rejection is logged, and the server continues', async () => {
  const args = ['serve', '--json', '--data', folder, '--port', '0', '--embedder', 'none', '--workers', '0'];
  const server = spawn(process.execPath, ['--import', hook, builtProgram, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(server, 'exit');
  let stdout = '';
  let stderr = '';
  const said = (pattern: RegExp, of: () => string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(of())?.[1];
        if (found !== undefined) resolve(found);
      };
      server.stdout.on('data', look);
      server.stderr.on('data', look);
      void ended.then(() => reject(new Error(`the server ended: ${stderr}`)));
    });
  server.stdout.on('data', (chunk) => (stdout += String(chunk)));
  server.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const url = await said(/"url": "([^"]+)"/, () => stdout);
  server.kill('SIGUSR2');
  expect(await said(/(unhandled failure)/, () => stderr)).toBeDefined();
  expect(stderr).toContain('planted fault');
  expect((await fetch(`${url}/health`)).status).toBe(200);
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
