import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeBooklet } from './booklet.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  css: 'text/css',
  vtt: 'text/vtt',
  pdf: 'application/pdf',
};

/** Serves the files of `demo/site`, and a booklet that is made as a PDF, on this machine only. */
export async function startSite(): Promise<{ url: string; close: () => void }> {
  const booklet = await makeBooklet();
  const server = createServer((request, response) => {
    const name = /^\/([\w-]+\.(html|md|css|vtt|pdf))$/.exec(request.url ?? '');
    const file = new URL(`./site/${name?.[1] ?? 'none'}`, import.meta.url);
    const body = name?.[1] === 'balcony.pdf' ? Promise.resolve(booklet) : readFile(file);
    body.then(
      (bytes) => response.writeHead(200, { 'content-type': types[name?.[2] ?? ''] ?? 'text/plain' }).end(bytes),
      () => response.writeHead(404).end('There is no such page.'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
