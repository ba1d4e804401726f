import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLocalFile } from '../../src/fetching/local-file.ts';
import { ManualClock } from '../support/clock.ts';

let folder: string;
const options = { clock: new ManualClock(), maxBytes: 1_000 };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a local file', () => {
  it('is read as bytes without interpretation', async () => {
    const path = file('a note.md', 'just a line');
    expect(await readLocalFile(path, options)).toMatchObject({
      url: pathToFileURL(path).href,
      finalUrl: pathToFileURL(path).href,
      // The end of a name is all that tells Markdown from text; what else the bytes are is found out where they are read.
      declaredType: 'text/markdown',
      bytes: Buffer.from('just a line'),
    });
    expect((await readLocalFile(file('page.txt', '<!doctype html><p>x'), options)).declaredType).toBeNull();
  });

  it('may stand for the address that it came from', async () => {
    const address = 'https://example.com/behind-a-login';
    const resource = await readLocalFile(file('saved.html', '<html><p>x'), { ...options, address });
    expect(resource).toMatchObject({ url: address, finalUrl: address, declaredType: null });
  });

  it('fails with the reason', async () => {
    await expect(readLocalFile(join(folder, 'missing'), options)).rejects.toMatchObject({ code: 'file_unreadable' });
    await expect(readLocalFile(folder, options)).rejects.toMatchObject({ code: 'file_unreadable' });
    await expect(readLocalFile(file('long.txt', 'a'.repeat(1_001)), options)).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  // Opening a pipe that nobody writes to waits for ever, and a device never ends.
  it.skipIf(process.platform === 'win32')(
    'that is a pipe, a socket or a device is refused before it is opened',
    async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const link = join(folder, 'link.txt');
      symlinkSync(pipe, link);
      const socket = join(folder, 'socket');
      const server = createServer().listen(socket);
      await once(server, 'listening');
      for (const path of [pipe, link, socket, '/dev/zero', '/dev/tty']) {
        await expect(readLocalFile(path, options)).rejects.toMatchObject({
          code: 'file_unreadable',
          message: expect.stringContaining('not a file') as string,
        });
      }
      server.close();
    },
  );

  it.skipIf(process.platform !== 'linux')('without a size is read up to the limit', async () => {
    expect((await readLocalFile('/proc/self/comm', options)).bytes.length).toBeGreaterThan(0);
    await expect(readLocalFile('/proc/self/maps', options)).rejects.toMatchObject({ code: 'too_large' });
  });
});
