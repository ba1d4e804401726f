import { afterEach, expect } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { listen, type Listening } from '../../../src/http/listen.ts';
import type { HttpParts } from '../../../src/http/mount.ts';
import { openBrowser, type Shown, type TestBrowser } from './browser.ts';
import { ManualClock } from '../clock.ts';
import { openTestServer } from '../test-server.ts';
import { httpParts } from '../http.ts';

export interface SignInServer {
  app: App;
  folder: string;
  clock: ManualClock;
  /** The server's address; it listens on a port of this machine. */
  url: string;
  browser: TestBrowser;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export const password = 'correct horse battery';
export const sessionCookie = 'commonplace-local-session';

/** The program with sign-in switched on, until the test ends. */
export async function serveSignIn(...given: Parameters<typeof openSignIn>): Promise<SignInServer> {
  const { testServer, close } = await openSignIn(...given);
  closers.push(close);
  return testServer;
}

/** The program with sign-in switched on, until `close`. */
export async function openSignIn(
  settings: Record<string, unknown> = {},
  parts: Partial<HttpParts> = {},
  environment: Record<string, string> = {},
): Promise<{ testServer: SignInServer; close: () => Promise<void> }> {
  const clock = new ManualClock();
  const given = { embedder: 'none', httpPort: 0, signIn: 'password', ...settings };
  const testServer = await openTestServer(given, { clock }, environment);
  const { createHttpServer } = await import('../../../src/http/server.ts');
  const { mounts } = await import('../../../src/http/listen.ts');
  const http = await createHttpServer({ mounts, ...httpParts(testServer.app), ...parts });
  const server: Listening = await listen(http, testServer.app.config, testServer.app.log);
  return {
    testServer: {
      app: testServer.app,
      folder: testServer.folder,
      clock,
      url: server.url,
      browser: openBrowser(server.url),
    },
    async close() {
      await server.close(AbortSignal.abort());
      await testServer.close();
    },
  };
}

/** Makes Ann the owner, and signs her in with this browser. */
export async function becomeOwner({ app, browser }: SignInServer): Promise<void> {
  const code = (await app.signIn.createOwnerLink()) ?? '';
  await browser.get(`/sign-in/link?code=${code}`);
  const done = await browser.post('/sign-in/link', { code, name: 'Ann', password });
  expect([done.status, done.location]).toEqual([303, '/']);
}

/** Adds an account, and signs its person in with this browser. */
export async function invite({ app }: SignInServer, browser: TestBrowser, name: string): Promise<string> {
  const account = await app.access.addAccount(name, 'pro');
  const code = await app.signIn.createLink(account.id, 'invitation');
  await browser.get(`/sign-in/link?code=${code}`);
  await browser.post('/sign-in/link', { code, name, password });
  return account.id;
}

export async function signIn(browser: TestBrowser, name: string, secret: string): Promise<Shown> {
  await browser.get('/sign-in');
  return browser.post('/sign-in', { name, password: secret });
}
