import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { followTo } from '../../support/access/assistant.ts';
import { becomeOwner, serveSignIn } from '../../support/access/sign-in.ts';
import type { TestBrowser } from '../../support/access/browser.ts';

/* The official suite's scenarios for authorization servers. It prints an address; a person's browser opens it here. */

const program = fileURLToPath(new URL('../../../node_modules/conformance-2026/dist/index.js', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Opens the address, says yes, and calls the suite with the answer. */
async function sayYes(browser: TestBrowser, address: string): Promise<void> {
  const page = await followTo(browser, address);
  const done = await browser.post(new URL(page.url).pathname, { decision: 'allow', scope: ['content:read'] });
  const back = await browser.get(done.location ?? '');
  await (await fetch(back.location ?? '')).text();
}

test.each(['2025-11-25', '2026-07-28'])('the authorization server passes %s', async (version) => {
  const testServer = await serveSignIn();
  await becomeOwner(testServer);
  const port = await freePort();
  const registered = await fetch(`${testServer.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const flags = [
    '--client-id',
    clientId,
    '--resource',
    `${testServer.url}/mcp`,
    '--port',
    String(port),
    '--spec-version',
    version,
  ];
  const child = spawn(process.execPath, [program, 'authorization', '--url', testServer.url, ...flags]);
  let output = '';
  let answering: Promise<void> | undefined;
  const listen = (chunk: Buffer): void => {
    output += chunk.toString();
    // The suite listens for the answer before it has written this line.
    const [, address] = /^(http:\S+\/oauth\/authorize\?\S+)$[^]*^Callback server started/m.exec(output) ?? [];
    if (address !== undefined) answering ??= sayYes(testServer.browser, address);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const exitCode = await new Promise((resolve) => child.once('exit', resolve));
  await answering;
  expect(exitCode, output).toBe(0);
  expect(output).toContain('Total: 3 passed, 0 failed');
});
