import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, closeSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { builtProgram } from '../../support/mcp.ts';

it.skipIf(process.platform === 'win32')('an answer that fits its file only in part is a failure', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-lost-'));
  try {
    const answer = join(folder, 'answer');
    // No file of the program may be larger, in blocks of 1,024 bytes. It ends a while after it has said something.
    const blocks = 8_192;
    writeFileSync(answer, '');
    truncateSync(answer, blocks * 1_024 - 3);
    const command = `ulimit -f ${blocks}; exec "$@" >>"$0"`;
    const args = [process.execPath, builtProgram, 'note', 'The boiler was serviced.', '--data', join(folder, 'data')];
    const { status, stderr } = spawnSync('bash', ['-c', command, answer, ...args], { encoding: 'utf8' });
    expect(stderr).toContain('The answer could not be written');
    expect(status).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A device that has no room for anything. */
const full = '/dev/full';

async function run(args: readonly string[], stdout: number | 'pipe' | 'ignore', stderr: number | 'pipe') {
  const child = spawn(process.execPath, [builtProgram, ...args], { stdio: ['ignore', stdout, stderr] });
  // Nobody reads the answer.
  child.stdout?.destroy();
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const said = child.stderr === null ? '' : await text(child.stderr);
  return { code: await ended, said };
}

it.skipIf(!existsSync(full))(
  'an answer that cannot be written to its file is a failure, but a lost message on stderr is not',
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'commonplace-lost-'));
    const noRoom = openSync(full, 'w');
    try {
      const kept = await run(['note', 'The boiler was serviced in May.', '--data', data], 'ignore', noRoom);
      expect(kept.code).toBe(0);
      for (const args of [['list', '--data', data], ['config', '--json', '--data', data], ['--help']]) {
        const lost = await run(args, noRoom, 'pipe');
        expect(lost.said).toContain('The answer could not be written');
        expect(lost.code).toBe(1);
      }
      const unread = await run(['config', '--data', data], 'pipe', 'pipe');
      expect(unread).toEqual({ code: 0, said: '' });
    } finally {
      closeSync(noRoom);
      rmSync(data, { recursive: true, force: true });
    }
  },
);
