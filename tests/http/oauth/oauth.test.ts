import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, vi } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { ProcessingError } from '../../../src/errors.ts';
import { answer, callback, createAssistant, followTo, startConnecting } from '../../support/access/assistant.ts';
import { openBrowser } from '../../support/access/browser.ts';
import {
  allow,
  authorizeUrl,
  connect,
  connected,
  everything,
  owned,
  register,
  statusWith,
  token,
} from '../../support/access/raw-assistant.ts';
import { becomeOwner, invite, password, serveSignIn, sessionCookie, signIn } from '../../support/access/sign-in.ts';

describe('an assistant that connects by signing in', () => {
  it('gets from a 401 to a tool call with the new SDK client', async () => {
    const testServer = await serveSignIn();
    const { app, browser, url } = testServer;
    // Ann has a password, but this browser is not signed in yet.
    await becomeOwner({ ...testServer, browser: openBrowser(url) });
    const assistant = createAssistant();
    const transport = await startConnecting(url, assistant);
    const page = await followTo(browser, assistant.sentTo().href);
    expect(page.text).toContain('An assistant asks to use your library');
    const waiting = new URL(page.url).pathname.split('/').at(-1) ?? '';
    const wrong = await browser.post('/sign-in', { name: 'Ann', password: 'wrong password', waiting });
    expect(wrong.status).toBe(401);
    const signedIn = await browser.post('/sign-in', { name: 'Ann', password, waiting });
    expect(signedIn.location).toBe(`/oauth/consent/${waiting}`);
    const place = await answer(browser, `${url}${signedIn.location}`, allow);
    expect(place.searchParams.get('iss')).toBe(url);
    await transport.finishAuth(place.searchParams);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: assistant.auth }));
    const goals = await client.callTool({ name: 'list_goals', arguments: {} });
    expect(goals.isError).not.toBe(true);
    expect((await client.listTools()).tools).toHaveLength(8);
    await client.close();
    expect((await browser.get('/account')).text).toContain('<strong>Test assistant</strong>');
    expect(await app.assistants.list(localAccountId)).toHaveLength(1);
  });

  it('gets from a 401 to a tool call with the older SDK client', async () => {
    const testServer = await owned();
    const assistant = createAssistant();
    const open = () => new OldTransport(new URL(`${testServer.url}/mcp`), { authProvider: assistant.auth as never });
    const first = open();
    await expect(new OldClient({ name: 'old', version: '1' }).connect(first as never)).rejects.toThrow(/unauthorized/i);
    const place = await answer(testServer.browser, assistant.sentTo().href, allow);
    await first.finishAuth(place.searchParams.get('code') ?? '');
    const client = new OldClient({ name: 'old', version: '1' });
    await client.connect(open() as never);
    expect((await client.callTool({ name: 'list_goals', arguments: {} })).isError).not.toBe(true);
    await client.close();
  });

  it('is refused when the person denies access', async () => {
    const testServer = await owned();
    const assistant = createAssistant();
    await startConnecting(testServer.url, assistant);
    const place = await answer(testServer.browser, assistant.sentTo().href, { decision: 'refuse' });
    expect(place.searchParams.get('error')).toBe('access_denied');
    expect(place.searchParams.has('code')).toBe(false);
    expect(await testServer.app.assistants.list(localAccountId)).toEqual([]);
  });

  it('gets less when the person ticks less, and cannot refresh to more', async () => {
    const testServer = await owned();
    const { url } = testServer;
    const { body } = await register(url);
    const clientId = body['client_id'] ?? '';
    const { address, verifier } = authorizeUrl(url, clientId);
    const fields = { decision: 'allow', scope: ['search:read', 'goals:read', 'admin'] };
    const place = await answer(testServer.browser, address, fields);
    const code = place.searchParams.get('code') ?? '';
    const got = await token(url, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: verifier,
      code,
    });
    expect(got.body['scope']).toBe('search:read goals:read');
    const access = got.body['access_token'] ?? '';
    expect([await statusWith(url, access, '/goals'), await statusWith(url, access, '/content')]).toEqual([200, 403]);
    const refresh = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: got.body['refresh_token'] ?? '',
    };
    const wider = await token(url, { ...refresh, scope: everything.join(' ') });
    expect(wider.body['error']).toBe('invalid_scope');
    const same = await token(url, refresh);
    expect(same.body['scope']).toBe('search:read goals:read');
    expect(await statusWith(url, same.body['access_token'] ?? '', '/content')).toBe(403);
  });

  it('may use a trailing slash, and an unknown prompt value', async () => {
    const testServer = await owned();
    const { url } = testServer;
    const clientId = (await register(url)).body['client_id'] ?? '';
    const { address, verifier } = authorizeUrl(url, clientId, { resource: `${url}/mcp/`, prompt: 'select_account' });
    const place = await answer(testServer.browser, address, allow);
    const got = await token(url, {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: verifier,
      code: place.searchParams.get('code') ?? '',
      resource: `${url}/mcp/`,
    });
    expect(await statusWith(url, got.body['access_token'] ?? '', '/goals')).toBe(200);
  });

  it('gets nothing when nothing is ticked', async () => {
    const testServer = await owned();
    const { body } = await register(testServer.url);
    const { address } = authorizeUrl(testServer.url, body['client_id'] ?? '');
    const page = await followTo(testServer.browser, address);
    const refused = await testServer.browser.post(new URL(page.url).pathname, { decision: 'allow' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Tick at least one');
  });

  it('is told when the person has no Pro account', async () => {
    const testServer = await owned();
    const { access } = await connected(testServer);
    await testServer.app.access.setPlan(localAccountId, 'free');
    const refused = await fetch(`${testServer.url}/content`, { headers: { authorization: `Bearer ${access}` } });
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringContaining('for Pro accounts')]);
    const { body } = await register(testServer.url);
    const page = await followTo(testServer.browser, authorizeUrl(testServer.url, body['client_id'] ?? '').address);
    expect((await testServer.browser.post(new URL(page.url).pathname, allow)).status).toBe(400);
  });
});

describe('refreshing', () => {
  it('twice at once gives two valid tokens, and reusing one later revokes the whole family', async () => {
    const testServer = await owned();
    const { url, clock } = testServer;
    const { access, refresh } = await connected(testServer);
    const both = await Promise.all([refresh(), refresh()]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of both) expect(await statusWith(url, body['access_token'] ?? '')).toBe(200);
    clock.advance(119_000);
    expect((await refresh()).status).toBe(200);
    clock.advance(2_000);
    expect((await refresh()).body['error']).toBe('invalid_grant');
    for (const { body } of both) {
      expect(await statusWith(url, body['access_token'] ?? '')).toBe(401);
      expect((await refresh(body['refresh_token'])).body['error']).toBe('invalid_grant');
    }
    expect(await statusWith(url, access)).toBe(401);
  });
});

describe('ending access', () => {
  it('on the account page takes effect with the next request and refresh', async () => {
    const testServer = await owned();
    const { url, browser, app } = testServer;
    const [one, two] = [await connected(testServer), await connected(testServer)];
    const grants = await app.assistants.list(localAccountId);
    expect(grants).toHaveLength(2);
    await browser.get('/account');
    await browser.post('/account/assistants/end', { id: grants.at(-1)?.id ?? '' });
    const statuses = [await statusWith(url, one.access), await statusWith(url, two.access)];
    expect(statuses.sort()).toEqual([200, 401]);
    await browser.get('/account');
    await browser.post('/account/assistants/end', { id: grants.at(0)?.id ?? '' });
    expect([await statusWith(url, one.access), await statusWith(url, two.access)]).toEqual([401, 401]);
    expect([(await one.refresh()).status, (await two.refresh()).status]).toEqual([400, 400]);
  });

  it('also happens when an assistant revokes its token or the account is removed', async () => {
    const testServer = await owned();
    const { url, app } = testServer;
    const { clientId, refreshToken, access } = await connected(testServer);
    const body = new URLSearchParams({ token: refreshToken, client_id: clientId });
    expect((await fetch(`${url}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    expect(await statusWith(url, access)).toBe(401);
    const bob = openBrowser(url);
    const id = await invite(testServer, bob, 'Bob');
    const his = await connected({ ...testServer, browser: bob });
    expect(await statusWith(url, his.access)).toBe(200);
    await app.access.removeAccount(id);
    expect([await statusWith(url, his.access), (await his.refresh()).status]).toEqual([401, 400]);
  });
});

describe('an attacker', () => {
  it('cannot use a code twice, even at the same time: access from the first use is revoked', async () => {
    const testServer = await owned();
    const { exchange } = await connect(testServer);
    const { records } = testServer.app.assistants;
    const { promise: allHaveFound, resolve } = Promise.withResolvers<void>();
    const find = records.find.bind(records);
    let found = 0;
    vi.spyOn(records, 'find').mockImplementation(async (kind, key) => {
      const record = await find(kind, key);
      if (kind !== 'AuthorizationCode') return record;
      found += 1;
      if (found === 3) resolve();
      await allHaveFound;
      return record;
    });
    const all = await Promise.all(Array.from({ length: 3 }, () => token(testServer.url, exchange)));
    const given = all.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(await statusWith(testServer.url, given[0]?.body['access_token'] ?? '')).toBe(401);
  });

  it('cannot answer for the person: from another site, another browser or another account', async () => {
    const testServer = await owned();
    const { url, browser } = testServer;
    const { body } = await register(url);
    const { address } = authorizeUrl(url, body['client_id'] ?? '');
    const path = new URL((await followTo(browser, address)).url).pathname;
    const bob = openBrowser(url);
    await invite(testServer, bob, 'Bob');
    await bob.get('/account');
    const refused = [
      await browser.post(path, allow, { origin: 'https://evil.example' }),
      await browser.post(path, { ...allow, form: '' }),
      await bob.post(path, allow),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 404]);
    // With the cookie of the request, but signed in as somebody else.
    for (const [name, value] of browser.cookies) if (name.includes('oauth')) bob.cookies.set(name, value);
    await bob.get('/account');
    expect((await bob.post(path, allow)).status).toBe(404);
    expect(await testServer.app.assistants.list(localAccountId)).toEqual([]);
  });

  it('cannot continue a request that a person left by signing out', async () => {
    const testServer = await owned();
    const { url, browser } = testServer;
    const { body } = await register(url);
    const page = await followTo(browser, authorizeUrl(url, body['client_id'] ?? '').address);
    await browser.get('/account');
    await browser.post('/sign-out', {});
    await browser.get('/sign-in');
    expect((await browser.post(new URL(page.url).pathname, allow)).status).toBe(404);
    await signIn(browser, 'Ann', password);
    expect((await browser.get('/account')).text).toContain('None yet');
  });

  it('who reads the database finds no token, code, password or session', async () => {
    const testServer = await owned();
    const { code, exchange } = await connect(testServer);
    const { body } = await token(testServer.url, exchange);
    const secrets = [
      body['access_token'],
      body['refresh_token'],
      code,
      password,
      testServer.browser.cookies.get(sessionCookie),
    ];
    const files = readdirSync(testServer.folder).filter((name) => name.startsWith('control.db'));
    for (const file of files) {
      const bytes = readFileSync(join(testServer.folder, file));
      for (const secret of secrets) expect(bytes.includes(secret ?? '-')).toBe(false);
    }
  });
});

describe('an assistant identified by a document at its own address', () => {
  const clientId = 'https://assistant.example/client.json';
  const document = { client_id: clientId, client_name: 'Described', redirect_uris: [callback] };
  const fetching = (text: string) => ({ fetchDocument: () => Promise.resolve({ bytes: Buffer.from(text) }) });

  it('is shown with that address, and connects', async () => {
    const testServer = await owned({}, fetching(JSON.stringify({ ...document, logo_uri: 'https://x.example/' })));
    const { address, verifier } = authorizeUrl(testServer.url, clientId);
    const page = await followTo(testServer.browser, address);
    expect(page.text).toContain('<dt>It is described at</dt><dd>assistant.example</dd>');
    const done = await testServer.browser.post(new URL(page.url).pathname, allow);
    const place = new URL((await followTo(testServer.browser, new URL(done.location ?? '', page.url).href)).url);
    const exchange = {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: callback,
      code_verifier: verifier,
    };
    const got = await token(testServer.url, { ...exchange, code: place.searchParams.get('code') ?? '' });
    expect(await statusWith(testServer.url, got.body['access_token'] ?? '')).toBe(200);
  });

  it.each([
    ['a document that names another client', JSON.stringify({ ...document, client_id: 'https://other.example/' })],
    ['a document with another address', JSON.stringify({ ...document, redirect_uris: ['https://other.example/'] })],
    ['a document that is no JSON', '<html>'],
    ['a document that is a list', '[]'],
  ])('is refused with %s', async (_, text) => {
    const testServer = await owned({}, fetching(text));
    const shown = await testServer.browser.get(authorizeUrl(testServer.url, clientId).address);
    expect([shown.status, shown.location]).toEqual([400, null]);
  });

  it('is refused when the document cannot be fetched', async () => {
    const failing = { fetchDocument: () => Promise.reject(new ProcessingError('timeout', 'too slow')) };
    const testServer = await owned({}, failing);
    expect((await testServer.browser.get(authorizeUrl(testServer.url, clientId).address)).status).toBe(400);
  });
});

describe('the metadata', () => {
  it('lead from a refused request to the authorization server', async () => {
    const { url } = await serveSignIn();
    const refused = await fetch(`${url}/mcp`, { method: 'POST' });
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    const resource = (await (await fetch(address)).json()) as Record<string, unknown>;
    expect(resource).toMatchObject({
      resource: `${url}/mcp`,
      authorization_servers: [url],
      scopes_supported: everything,
    });
    const server = (await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()) as object;
    expect(server).toMatchObject({
      issuer: url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
    });
  });

  it('name no authorization server while nobody can sign in', async () => {
    const { url } = await serveSignIn({ signIn: 'off' });
    const resource = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await resource.json()).not.toHaveProperty('authorization_servers');
    for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize'])
      expect((await fetch(`${url}${path}`)).status).toBe(401);
    expect((await fetch(`${url}/oauth/register`, { method: 'POST' })).status).toBe(401);
  });

  it('tell a client that tries to register what to do, so that it does not wait for a person', async () => {
    const { url } = await serveSignIn({ signIn: 'off' });
    const assistant = createAssistant();
    await expect(startConnecting(url, assistant)).rejects.toThrow(/takes tokens, and there was none or a wrong one/);
    expect(assistant.sentTo().href).toBe('about:blank');
  });
});

it('a registered assistant without consent is forgotten after a day, others are not', async () => {
  const testServer = await owned();
  const unused = (await register(testServer.url)).body['client_id'] ?? '';
  const { clientId } = await connected(testServer);
  testServer.clock.advance(25 * 3_600_000);
  expect((await testServer.browser.get(authorizeUrl(testServer.url, unused).address)).status).toBe(400);
  expect((await testServer.browser.get(authorizeUrl(testServer.url, clientId).address)).status).toBe(303);
});
