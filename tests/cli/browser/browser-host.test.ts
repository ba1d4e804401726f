import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messageBytes, readMessages } from '../../../src/cli/browser/native-messages.ts';
import { builtProgram } from '../../support/mcp.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const body of readMessages(pieces)) messages.push(JSON.parse(new TextDecoder().decode(body.take())));
  return messages;
}

describe('native messages', () => {
  it('are read in whatever pieces they arrive', async () => {
    const messages = [{ id: 1, call: 'hello' }, { id: 2, call: 'x'.repeat(500) }, { id: 3 }];
    const bytes = Buffer.concat(messages.map((message) => messageBytes(message) as Buffer));
    for (const size of [1, 3, 4, 5, 7, 64, bytes.length])
      expect(await collect(inPieces(bytes, size))).toEqual(messages);
  });

  it('are refused above 64 MB before they are collected, and when nested too deeply', async () => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(2 ** 32 - 1);
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield head;
      for (;;) yield Buffer.alloc(2 ** 20, 'a');
    }
    await expect(collect(endless())).rejects.toMatchObject({ code: 'payload_too_large' });
    const deep = messageBytes({ deep: JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown }) as Buffer;
    await expect(collect(inPieces(deep, 100))).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('have at most 1 MB when sent to a browser', () => {
    expect(messageBytes({ text: 'a'.repeat(2 ** 20) })).toBeNull();
  });
});

describe('the program that a browser starts', () => {
  it('saves, looks up and marks for the extension and refuses everything else', async () => {
    const flags = ['--data', folder, '--embedder', 'none'];
    // As Chromium and Firefox call it: with the extension, or with its own file and the extension.
    const child = spawn(process.execPath, [builtProgram, 'browser-host', ...flags, 'chrome-extension://abc/']);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const answers = readMessages(child.stdout);
    let count = 0;
    const ask = async (call: string, input: object, content?: string) => {
      count += 1;
      child.stdin.write(messageBytes({ id: count, call, input, ...(content !== undefined && { content }) }));
      const { value } = await answers.next();
      const said = JSON.parse(new TextDecoder().decode(value?.take())) as { id: number };
      expect(said.id).toBe(count);
      return said;
    };
    const url = 'https://example.org/private';
    expect(await ask('hello', {})).toMatchObject({ answer: { version: expect.any(String) as string } });
    expect(await ask('look_up_page', { url })).toMatchObject({ answer: { item: null, highlights: [], tags: [] } });
    const words = 'Only the person who signed in reads these words of the page.';
    const page = `<!doctype html><title>Private</title><article>${`<p>${words}</p>`.repeat(9)}</article>`;
    const saved = await ask('save_content', { url, title: 'Private', tags: ['own'] }, page);
    const { answer } = saved as unknown as { answer: { id: string } };
    // May write: an acknowledgement, without the item.
    expect(answer).toEqual({ id: expect.stringMatching(/^c_/) as string, status: 'pending', outcome: 'created' });
    expect(await ask('add_highlight', { contentId: answer.id, quote: words })).toMatchObject({ answer: {} });
    expect(await ask('look_up_page', { url: `${url}#top` })).toMatchObject({
      answer: { item: { id: answer.id, tags: ['own'], notes: null }, highlights: [{ quote: words }], tags: ['own'] },
    });
    expect(await ask('get_content', { id: answer.id })).toMatchObject({ problem: { code: 'not_found' } });
    expect(await ask('save_pdf', { url: 'file:///etc/passwd' }, 'JVBERi0=')).toMatchObject({
      problem: { code: 'invalid_input' },
    });
    expect(await ask('save_pdf', { url }, '')).toMatchObject({ problem: { code: 'invalid_input' } });
    child.stdin.end();
    expect(await ended).toBe(0);
  });
});
