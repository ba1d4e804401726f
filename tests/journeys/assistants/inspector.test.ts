import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProgram } from '../../support/mcp.ts';
import { runCommand, startServing, type ServingProcess } from '../../support/servers/serving.ts';

/* The official inspector, as somebody who looks at the server for the first time uses it. */

const inspector = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'commonplace-inspector-'));
let server: ServingProcess;
const targets: Record<string, string[]> = {};

beforeAll(async () => {
  const { token } = await runCommand<{ token: string }>(folder, 'token', 'create', 'inspector');
  server = await startServing(folder);
  targets['HTTP'] = [`${server.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
  targets['stdio'] = [process.execPath, builtProgram, 'stdio', '--data', folder];
});
afterAll(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

function inspect(target: string, ...options: string[]): Promise<{ exitCode: number; answer: unknown }> {
  const command = [inspector, '--cli', ...(targets[target] ?? []), ...options];
  return new Promise((resolve) => {
    execFile(process.execPath, command, (error, stdout) => {
      const exitCode = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
      resolve({ exitCode, answer: JSON.parse(stdout === '' ? 'null' : stdout) });
    });
  });
}

describe.each(['stdio', 'HTTP'])('the MCP inspector over %s', (target) => {
  test('lists the tools', async () => {
    const { exitCode, answer } = await inspect(target, '--method', 'tools/list');
    expect(exitCode).toBe(0);
    expect(answer).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: 'search' })]) });
  });

  test('calls a tool', async () => {
    const { exitCode, answer } = await inspect(target, '--method', 'tools/call', '--tool-name', 'list_goals');
    expect(exitCode).toBe(0);
    const { content } = answer as { content: { text: string }[] };
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ items: [], total: 0 });
  });

  test('sees an error as an error', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'get_content', '--tool-arg', 'id=c_none'];
    const { exitCode, answer } = await inspect(target, ...call);
    expect(exitCode).toBe(5);
    expect(answer).toMatchObject({ isError: true });
  });
});
