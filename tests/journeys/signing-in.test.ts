import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, createAssistant, startConnecting } from '../support/access/assistant.ts';
import { openBrowser } from '../support/access/browser.ts';
import { runBuiltIn } from '../support/command.ts';
import { builtProgram } from '../support/mcp.ts';
import { runCommand, startServing, type ServingProcess } from '../support/servers/serving.ts';

let folder: string;
let server: ServingProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-sign-in-'));
  server = await startServing(folder, 0, ['--sign-in', 'password', '--embedder', 'none']);
});
afterAll(async () => {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

const codeOf = (link: string) => new URL(link).searchParams.get('code') ?? '';
const password = 'correct horse battery';

test('the built program signs in its owner with the printed link, and then an assistant', async () => {
  const browser = openBrowser(server.url);
  const link = String(server.printed['ownerLink']);
  expect(link.startsWith(`${server.url}/sign-in/link?code=`)).toBe(true);
  await browser.get(link);
  const done = await browser.post('/sign-in/link', { code: codeOf(link), name: 'Ann', password });
  expect(done.location).toBe('/');
  const assistant = createAssistant();
  const transport = await startConnecting(server.url, assistant);
  const place = await answer(browser, assistant.sentTo().href, { decision: 'allow', scope: ['goals:read'] });
  await transport.finishAuth(place.searchParams);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: assistant.auth }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_goals']);
  await client.close();
});

test('the command line invites, resets and signs in beside the running server', async () => {
  const { account, link } = await runCommand<{ account: { id: string }; link: string }>(
    folder,
    'account',
    'invite',
    'Bob',
  );
  const listed = async () => {
    const { items } = await runCommand<{ items: { id: string }[] }>(folder, 'account', 'list');
    return items.find(({ id }) => id === account.id);
  };
  const day = expect.stringMatching(/^20\d\d-/);
  expect(await listed()).toMatchObject({ signInName: null, lastUsedAt: null, invitedUntil: day });
  const bob = openBrowser(server.url);
  await bob.get(`/sign-in/link?code=${codeOf(link)}`);
  await bob.post('/sign-in/link', { code: codeOf(link), name: 'Bob', password });
  expect((await bob.get('/account')).text).toContain('The library “Bob”.');
  expect(await listed()).toMatchObject({ signInName: 'Bob', lastUsedAt: day, invitedUntil: null });
  const shown = await runBuiltIn({ HOME: folder }, 'account', 'list', '--data', folder);
  expect(shown.stdout).toMatch(/ {2}Bob {2}pro {2}since \S+ {2}signs in as Bob {2}last used \S+\n/);

  const again = await runBuiltIn({ HOME: folder }, 'account', 'invite', account.id, '--data', folder);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`account reset ${account.id}`)]);
  const reset = await runCommand<{ link: string }>(folder, 'account', 'reset', account.id);
  await bob.get(`/sign-in/link?code=${codeOf(reset.link)}`);
  await bob.post('/sign-in/link', { code: codeOf(reset.link), name: 'Bob', password: 'another password' });
  expect((await bob.get('/account')).status).toBe(200);

  const identity = ['account', 'identity', account.id, 'bob@example.org', '--data', folder];
  const kept = await runBuiltIn({ HOME: folder, COMMONPLACE_SIGN_IN: 'password' }, ...identity);
  expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining('would replace the password')]);
  expect((await bob.get('/account')).status).toBe(200);
  const given = await runBuiltIn({ HOME: folder }, ...identity);
  expect([given.code, given.stdout]).toEqual([0, `${account.id}  Bob  is bob@example.org\n`]);
  expect((await bob.get('/account')).location).toBe('/sign-in');

  const noDisplay = { HOME: folder, DISPLAY: '', WAYLAND_DISPLAY: '' };
  const { port } = new URL(server.url);
  const pages = ['open', '--data', folder, '--sign-in', 'password', '--port'];
  const opened = await runBuiltIn(noDisplay, ...pages, port);
  expect(opened.code).toBe(0);
  const local = openBrowser(server.url);
  await local.get(`/sign-in/link?code=${codeOf(opened.stdout.trim())}`);
  await local.post('/sign-in/link', { code: codeOf(opened.stdout.trim()) });
  expect((await local.get('/account')).text).toContain('The library “Local”.');
  // Nothing listens on port 1 of this machine: no link is made that nobody could follow.
  const nowhere = await runBuiltIn(noDisplay, ...pages, '1');
  expect(nowhere.stdout).toBe('');
  expect(nowhere.stderr).toContain('No server answers at http://127.0.0.1:1.');
  // Without sign-in the page is for whoever sits at this machine, and for nobody else.
  const reachable = ['--public-url', 'https://notes.example'];
  const off = await runBuiltIn(noDisplay, 'open', '--data', folder, ...reachable);
  expect([off.code, off.stderr]).toEqual([2, expect.stringContaining('signIn')]);
});

test('the authorization server is loaded with the first assistant, and never while sign-in is off', async () => {
  const told = "registerHooks({load(url,context,next){process.stderr.write(url+'\\n');return next(url,context)}})";
  const hook = `data:text/javascript,${encodeURIComponent(`import{registerHooks}from'node:module';${told}`)}`;
  /** What the server has loaded when it ends. */
  const loadedWith = async (signIn: string, path: string): Promise<string> => {
    const flags = ['--port', '0', '--embedder', 'none', '--sign-in', signIn, '--json', '--log-level', 'error'];
    const data = ['--data', join(folder, 'loading')];
    const serving = spawn(process.execPath, ['--import', hook, builtProgram, 'serve', ...flags, ...data]);
    let [said, loaded] = ['', ''];
    serving.stderr.setEncoding('utf8').on('data', (chunk: string) => (loaded += chunk));
    serving.stdout.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    while (!said.includes('\n}')) await once(serving.stdout, 'data');
    const { url } = JSON.parse(said) as { url: string };
    const body = JSON.stringify({ redirect_uris: ['https://assistant.example/callback'] });
    await fetch(`${url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const ended = once(serving, 'close');
    serving.kill();
    await ended;
    expect(loaded).toContain('/dist/parts/serve');
    return loaded;
  };
  const server = '/dist/parts/provider';
  expect(await loadedWith('off', '/oauth/register')).not.toContain(server);
  expect(await loadedWith('password', '/mcp')).not.toContain(server);
  expect(await loadedWith('password', '/oauth/register')).toContain(server);
});
