import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../../support/mcp.ts';
import {
  documentOf,
  draftJson,
  startMessagesServer,
  type MessagesServer,
} from '../../support/servers/messages-server.ts';

let folder: string;
let server: MessagesServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-claude-'));
  server = await startMessagesServer((asked) => {
    const quote = /Feed the starter[^.]*\./.exec(documentOf(asked))?.[0] ?? '';
    return { text: draftJson({ actions: [{ title: 'Feed the starter', quote, goalId: null, reason: null }] }) };
  });
  writeFileSync(join(folder, 'key'), 'sk-from-a-file\n');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the built program as a person would, with a key in a file. */
function commonplace(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const environment = {
    ...process.env,
    COMMONPLACE_DATA: join(folder, 'data'),
    COMMONPLACE_CLAUDE_BASE_URL: server.url,
    COMMONPLACE_CLAUDE_API_KEY_FILE: join(folder, 'key'),
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [builtProgram, ...args], { env: environment }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test('with a key Claude analyses the items, and reports its cost before and after', async () => {
  const note = join(folder, 'starter.md');
  writeFileSync(note, '# Starter\n\nFeed the starter twice a day, equal parts of flour and water.\n');
  const { id } = JSON.parse((await commonplace('save', note, '--json')).stdout) as { id: string };
  expect((await commonplace('work')).code).toBe(0);
  const shown = JSON.parse((await commonplace('show', id, '--json')).stdout) as object;
  expect(shown).toMatchObject({
    summary: 'A written summary.',
    actions: [{ title: 'Feed the starter', quote: 'Feed the starter twice a day, equal parts of flour and water.' }],
    analysis: { by: 'claude', model: 'claude-haiku-5-5', inputTokens: 1_000, costUsd: 0.00015 },
  });
  expect(server.asked[0]?.headers['authorization']).toBe('Bearer sk-from-a-file');

  const considered = await commonplace('reprocess', '--all', '--from', 'analyse', '--dry-run');
  expect(considered.stderr).toContain('claude-haiku-5-5 analyses 1 item again: about ');
  expect(considered.stdout).toBe('Nothing was done.\n');
  expect(server.asked).toHaveLength(1);

  const again = await commonplace('reprocess', id, '--from', 'analyse');
  expect(again.stderr).toMatch(/claude-haiku-5-5 analyses 1 item again: about [\d,]+ tokens, \$0\.00/);
  expect(server.asked).toHaveLength(2);

  const doctor = await commonplace('doctor');
  expect(doctor.stdout).toContain('claude-haiku-5-5, 0 waiting, 0 failed, $0.00 of $1.00 spent today');
  const config = await commonplace('config', '--json');
  expect(config.stdout).toContain('(set, not shown)');
  for (const { stdout, stderr } of [again, doctor, config]) expect(stdout + stderr).not.toContain('sk-from');
});

test('work says that analyses wait when the provider rejects the key', async () => {
  const written = server.reply;
  server.reply = () => ({ status: 401 });
  try {
    const note = join(folder, 'bread.md');
    writeFileSync(note, '# Bread\n\nBake the bread for forty minutes in a hot pot with a lid.\n');
    await commonplace('save', note);
    const worked = await commonplace('work');
    expect(worked).toMatchObject({
      code: 0,
      stdout: '1 completed, 0 failed. 1 analysis of the model waits: `commonplace doctor` says why.\n',
    });
    expect(JSON.parse((await commonplace('work', '--json')).stdout)).toEqual({
      completed: 0,
      failed: 0,
      waiting: 0,
      analysesWaiting: 1,
    });
    expect((await commonplace('doctor')).stdout).toContain('does not accept the API key');
  } finally {
    server.reply = written;
  }
});

test('an unreadable key file is reported with the variable that names it', async () => {
  const environment = { ...process.env, COMMONPLACE_CLAUDE_API_KEY_FILE: join(folder, 'nowhere') };
  const failed = await new Promise<string>((resolve) => {
    execFile(process.execPath, [builtProgram, 'list'], { env: environment }, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
  expect(failed).toContain('COMMONPLACE_CLAUDE_API_KEY_FILE');
});
