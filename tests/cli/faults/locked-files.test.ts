// Second stage.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { builtProgram } from '../../support/mcp.ts';
import { lockedPdf } from '../../support/texts/pdf.ts';

// Every step starts the program again: on a busy machine that takes seconds.
const folder = mkdtempSync(join(tmpdir(), 'commonplace-locked-'));
const data = join(folder, 'data');
const file = join(folder, 'letter.pdf');
const password = 'open-sesame-73';
writeFileSync(file, lockedPdf('Meet me at the old mill on Friday.', password));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the built program. */
function run(args: string[], stdin = ''): Promise<{ code: number; answer: Record<string, unknown>; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [builtProgram, ...args, '--json', '--data', data, '--embedder', 'none'],
      (error, stdout, stderr) => {
        resolve({
          code: typeof error?.code === 'number' ? error.code : 0,
          answer: (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown>,
          stderr,
        });
      },
    );
    child.stdin?.end(stdin);
  });
}

it('a locked PDF fails with advice and is read with its password, which is stored nowhere', async () => {
  expect(await run(['extract', file, '--password', 'wrong'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('does not open') as string,
  });
  const extracted = await run(['extract', file, '--password', '-'], `${password}\n`);
  expect(extracted.answer).toMatchObject({ transcript: 'Meet me at the old mill on Friday.', pageCount: 1 });

  const failed = await run(['save', file, '--wait']);
  expect(failed).toMatchObject({
    code: 4,
    answer: {
      status: 'failed',
      failure: {
        code: 'password_required',
        retryable: false,
        message: expect.stringContaining('--password') as string,
      },
    },
  });
  const id = String(failed.answer['id']);
  expect(await run(['retry', id, '--password', password])).toMatchObject({
    code: 0,
    answer: { id, status: 'pending' },
  });
  await run(['work']);
  expect((await run(['show', id])).answer).toMatchObject({
    status: 'completed',
    contentType: 'pdf',
    title: 'letter.pdf',
    pageCount: 1,
    transcript: 'Meet me at the old mill on Friday.',
  });

  const again = await run(['save', file, '--password', password, '--wait']);
  expect(again.answer).toMatchObject({ id, status: 'completed', outcome: 'existed' });
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const entry of files) expect(readFileSync(join(entry.parentPath, entry.name)).includes(password)).toBe(false);
});
