import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { openBrowser, type TestBrowser } from '../../support/access/browser.ts';
import { addFinishedItem, paragraphs } from '../../support/content.ts';
import { becomeOwner, invite, serveSignIn, type SignInServer } from '../../support/access/sign-in.ts';

/* Who may use a library, its originals and its files: the server's half of the page. */

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The page of a browser that is signed in. */
async function openPage({ url }: SignInServer, browser: TestBrowser) {
  const { text } = await browser.get('/app/settings', { accept: 'text/html' });
  const formToken = /"formToken":"([^"]+)"/.exec(text)?.[1] ?? '';
  const session = /"session":"([^"]+)"/.exec(text)?.[1] ?? '';
  const headers = () => ({
    cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
    origin: url,
    'x-commonplace-form': formToken,
  });
  const call = async (operation: string, input: object): Promise<Answer> => {
    const answer = await fetch(`${url}/app/api/${operation}`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { call, headers, session, text };
}

async function twoPeople() {
  const testServer = await serveSignIn({ rateLimitPerMinute: 0 });
  await becomeOwner(testServer);
  const other = openBrowser(testServer.url);
  const bob = await invite(testServer, other, 'Bob');
  return {
    testServer,
    ann: await openPage(testServer, testServer.browser),
    ofBob: await openPage(testServer, other),
    bob,
  };
}

const ids = (list: unknown): string[] => (list as { id: string }[]).map(({ id }) => id);

describe('the access to a library', () => {
  it('is shown only to its owner, without any secret', async () => {
    const { ann, ofBob } = await twoPeople();
    const { body: made } = await ann.call('make_token', { name: ' the laptop ', scopes: ['search:read'], days: 30 });
    expect([made['name'], made['scopes'], String(made['token']).slice(0, 4)]).toEqual([
      'the laptop',
      ['search:read'],
      'cpl_',
    ]);
    const { body: seen } = await ann.call('show_access', {});
    expect([seen['name'], ids(seen['tokens']), ids(seen['sessions'])]).toEqual(['Ann', [made['id']], [ann.session]]);
    expect(JSON.stringify(seen)).not.toContain(String(made['token']));
    const { body: elsewhere } = await ofBob.call('show_access', {});
    expect([elsewhere['name'], elsewhere['tokens'], ids(elsewhere['sessions'])]).toEqual(['Bob', [], [ofBob.session]]);
  });

  it('is ended only by its owner', async () => {
    const { testServer, ann, ofBob } = await twoPeople();
    const { body: made } = await ann.call('make_token', { name: 'the laptop', scopes: ['content:read'] });
    const works = async () =>
      (await fetch(`${testServer.url}/content`, { headers: { authorization: `Bearer ${made['token']}` } })).status;
    const id = String(made['id']);
    expect((await ofBob.call('end_token', { id })).status).toBe(404);
    expect((await ofBob.call('end_assistant', { id })).status).toBe(404);
    await ofBob.call('end_session', { id: ann.session });
    expect([await works(), (await ann.call('show_access', {})).status]).toEqual([200, 200]);
    expect((await ann.call('end_token', { id })).body).toEqual({ id });
    expect([await works(), (await ann.call('end_token', { id })).status]).toEqual([401, 404]);
    await ann.call('end_session', { id: ann.session });
    expect((await ann.call('show_access', {})).status).toBe(401);
  });

  it('is given with a name and permissions, and reports missing ones', async () => {
    const { ann } = await twoPeople();
    const tried = await Promise.all(
      [
        { name: ' \u0000 ', scopes: ['content:read'] },
        { name: 'a'.repeat(101), scopes: ['content:read'] },
        { name: 'a', scopes: [] },
        { name: 'a', scopes: ['everything'] },
        { name: 'a', scopes: ['content:read'], days: 3_650 },
      ].map((input) => ann.call('make_token', input)),
    );
    expect(tried.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(JSON.stringify(tried[2]?.body)).toContain('Choose at least one thing that is allowed.');
  });

  it('cannot be given with a token: programs cannot create tokens', async () => {
    const { testServer } = await twoPeople();
    const { token } = await testServer.app.access.createToken({
      account: localAccountId,
      name: 'a',
      scopes: ['content:read', 'content:write'],
    });
    const answer = await fetch(`${testServer.url}/app/api/make_token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin: testServer.url },
      body: JSON.stringify({ name: 'b', scopes: ['content:read'] }),
    });
    expect(answer.status).toBe(401);
  });
});

it('a signed-in person does not wait for hundreds of requests by another at the same address', async () => {
  const { ann, ofBob } = await twoPeople();
  const answered: string[] = [];
  const ask = async (who: string, page: typeof ann) => {
    await page.call('list_goals', {});
    answered.push(who);
  };
  await Promise.all([...Array.from({ length: 200 }, () => ask('Bob', ofBob)), ask('Ann', ann)]);
  expect(answered.indexOf('Ann')).toBeLessThan(150);
});

describe('an original', () => {
  const save = async ({ app }: SignInServer, declaredType: string | null, text = 'bytes', account = localAccountId) => {
    const url = `https://example.com/${encodeURIComponent(declaredType ?? 'none')}`;
    const bytes = new TextEncoder().encode(text);
    const original = { url, finalUrl: url, bytes, declaredType, fetchedAt: '2026-11-02T08:00:00.000Z' };
    return addFinishedItem(await app.stores.open(account), { url, blocks: paragraphs(`Of ${url}`), original });
  };

  it('is shown in a sandbox when a browser can show it, and downloaded otherwise', async () => {
    const { testServer, ann } = await twoPeople();
    const ask = async (declaredType: string | null) => {
      const id = await save(testServer, declaredType);
      const { status, headers } = await fetch(`${testServer.url}/app/original/${id}`, { headers: ann.headers() });
      const policy = headers.get('content-security-policy') ?? '';
      expect([status, policy.split('; ').slice(0, 2)]).toEqual([200, ['sandbox', "default-src 'none'"]]);
      expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
        'nosniff',
        'private, no-store',
      ]);
      return [headers.get('content-type'), (headers.get('content-disposition') ?? '').replace(id, 'ID')];
    };
    expect(await ask('text/html; charset=ISO-8859-1')).toEqual([
      'text/html; charset=iso-8859-1',
      'inline; filename="ID.html"',
    ]);
    expect(await ask('text/html; charset="><script>')).toEqual(['text/html', 'inline; filename="ID.html"']);
    expect(await ask('application/pdf')).toEqual(['application/pdf', 'attachment; filename="ID.pdf"']);
    for (const hostile of ['image/svg+xml', 'text/javascript', 'text/xml', 'constructor', '__proto__', null])
      expect([hostile, ...(await ask(hostile))]).toEqual([
        hostile,
        'application/octet-stream',
        'attachment; filename="ID"',
      ]);
  });

  it('of many megabytes cannot be requested so often that all copies are in memory', async () => {
    const { testServer, ann } = await twoPeople();
    const url = 'https://example.com/large';
    const original = { url, finalUrl: url, bytes: new Uint8Array(2 ** 24), declaredType: null };
    const id = await addFinishedItem(await testServer.app.stores.open(localAccountId), {
      url,
      blocks: paragraphs('Large'),
      original: { ...original, fetchedAt: '2026-11-02T08:00:00.000Z' },
    });
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connect(Number(new URL(testServer.url).port), '127.0.0.1');
      socket.write(`GET /app/original/${id} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${ann.headers().cookie}\r\n\r\n`);
      return socket;
    });
    const statuses = await Promise.all(
      sockets.map(async (socket) => {
        const [head] = (await once(socket, 'data')) as [Buffer];
        socket.pause();
        return head.toString('latin1').split(' ')[1];
      }),
    );
    for (const socket of sockets) socket.destroy();
    expect(statuses.filter((status) => status === '200').length).toBeLessThan(6);
    expect(new Set(statuses)).toEqual(new Set(['200', '429']));
  });

  it('is visible only to its owner', async () => {
    const { testServer, ann, ofBob } = await twoPeople();
    const id = await save(testServer, 'text/html', '<p>Mine</p>');
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(`${testServer.url}/app/original/${id}`, { headers, redirect: 'manual' });
      return [answer.status, (await answer.text()).includes('Mine')];
    };
    expect([await ask(ann.headers()), await ask(ofBob.headers()), await ask({})]).toEqual([
      [200, true],
      [404, false],
      [303, false],
    ]);
  });
});

describe('files', () => {
  it('are accepted only from the page, and belong to the sender', async () => {
    const { testServer, ann, ofBob } = await twoPeople();
    const send = (headers: Record<string, string>) =>
      fetch(`${testServer.url}/app/files/import?name=links.txt`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: 'https://example.com/one\n',
      });
    const { 'x-commonplace-form': _, ...withoutToken } = ann.headers();
    expect((await send(withoutToken)).status).toBe(400);
    expect((await send({ ...ann.headers(), origin: 'https://attacker.example' })).status).toBe(400);
    const sent = await send(ann.headers());
    const { id } = (await sent.json()) as { id: string };
    expect([sent.status, ids((await ann.call('list_imports', {})).body['items'])]).toEqual([201, [id]]);
    const report = (of: typeof ann) => fetch(`${testServer.url}/app/files/import/${id}`, { headers: of.headers() });
    await expect.poll(async () => (await ann.call('get_import', { id })).body['state']).toBe('done');
    const mine = await report(ann);
    expect([mine.status, mine.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="report.csv"']);
    expect((await report(ofBob)).status).toBe(404);

    const { body: made } = await ann.call('start_export', { format: 'csv' });
    await expect.poll(async () => (await ann.call('get_export', { id: made['id'] })).body['state']).toBe('done');
    const get = (of: typeof ann) =>
      fetch(`${testServer.url}/app/files/export/${made['id']}`, { headers: of.headers() });
    expect([(await get(ann)).status, (await get(ofBob)).status]).toEqual([200, 404]);
  });
});
