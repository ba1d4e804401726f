import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { openBrowser } from '../../support/access/browser.ts';
import { acceptsHtml, cookiesOf, enter, tokenOf } from '../../support/access/page-calls.ts';
import { servePage } from '../../support/access/page.ts';
import { becomeOwner, invite, serveSignIn } from '../../support/access/sign-in.ts';

/* How files come to the server, and what it tells of their progress. */

interface Sent {
  url: string;
  cookie?: string;
  formToken?: string;
  name?: string;
  /** Further fields of the form. */
  fields?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

async function sendFile({
  url,
  cookie = '',
  formToken = '',
  name = 'a.txt',
  fields = {},
  headers = {},
  body = 'Text.',
}: Sent) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new File([body], name));
  const response = await fetch(`${url}/app/capture`, {
    method: 'POST',
    headers: { origin: url, ...(cookie !== '' && { cookie }), 'x-commonplace-form': formToken, ...headers },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('an uploaded file', () => {
  it('is saved with its name and content, tags and notes', async () => {
    const testServer = await servePage();
    const { browser, formToken } = await enter(testServer);
    const sent = { url: testServer.url, cookie: cookiesOf(browser), formToken };
    const about = { name: '../../boiler:.md', fields: { tags: 'house,heat', notes: 'By Ann' } };
    const first = await sendFile({ ...sent, ...about, body: '# The boiler\n\nServiced in May.' });
    expect([first.status, first.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^c_/),
        title: 'boiler:.md',
        url: null,
        status: 'pending',
        outcome: 'created',
        undo: expect.stringMatching(/^x_/),
      },
    ]);
    await testServer.app.worker.runUntilEmpty();
    const item = await testServer.app.services.library.get(localAccountId, String(first.body['id']));
    expect(item).toMatchObject({ title: 'The boiler', tags: ['house', 'heat'], notes: 'By Ann', status: 'completed' });
    expect(item).toMatchObject({ url: null, canonicalUrl: null, fileName: 'boiler:.md' });
    // The same file again is the same item.
    const again = await sendFile({ ...sent, ...about, body: '# The boiler\n\nServiced in May.' });
    expect(again.body).toMatchObject({ id: first.body['id'], outcome: 'existed' });
    const other = await sendFile({ ...sent, ...about, body: '# The boiler\n\nServiced in June.' });
    expect(other.body).toMatchObject({ outcome: 'created' });
    const asked = await fetch(`${testServer.url}/app/api/undo`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: testServer.url,
        cookie: sent.cookie,
        'x-commonplace-form': formToken,
      },
      body: JSON.stringify({ id: other.body['undo'] }),
    });
    const undone: unknown = await asked.json();
    expect(undone).toMatchObject({ outcome: 'undone' });
  });

  it('is accepted only from the page', async () => {
    const testServer = await servePage();
    const { browser, formToken } = await enter(testServer);
    const { token } = await testServer.app.access.createToken({
      account: localAccountId,
      name: 'x',
      scopes: ['content:write'],
    });
    const right = { url: testServer.url, cookie: cookiesOf(browser), formToken };
    const tries: [status: number, Sent][] = [
      [401, { url: testServer.url, formToken }],
      [401, { url: testServer.url, formToken, headers: { authorization: `Bearer ${token}` } }],
      [400, { ...right, formToken: '' }],
      [400, { ...right, formToken: `${formToken}x` }],
      [400, { ...right, headers: { origin: 'https://attacker.example' } }],
      [400, { ...right, fields: { title: 'a'.repeat(1_001) } }],
      [400, { ...right, fields: { colour: 'red' } }],
      [400, { ...right, body: '' }],
      [200, right],
    ];
    for (const [index, [status, sent]] of tries.entries())
      expect([index, (await sendFile(sent)).status]).toEqual([index, status]);
    expect((await testServer.app.services.library.list(localAccountId, { limit: 5, offset: 0 })).total).toBe(1);
  });

  it('is refused before it arrives when it is too large, and its memory is freed', async () => {
    const testServer = await servePage({ fetchMaxMegabytes: 1 });
    const { browser, formToken } = await enter(testServer);
    const sent = { url: testServer.url, cookie: cookiesOf(browser), formToken };
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        `${testServer.url}/app/capture`,
        {
          method: 'POST',
          headers: {
            cookie: sent.cookie,
            origin: testServer.url,
            'x-commonplace-form': formToken,
            'content-type': 'multipart/form-data; boundary=x',
            'content-length': 2 ** 40,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(status).toBe(413);
    // 50 of the largest, one after the other: more than all may hold at once.
    for (let i = 0; i < 50; i += 1)
      expect((await sendFile({ ...sent, body: new Uint8Array(2 ** 20).fill(97) })).status).toBe(200);
  });
});

describe('content shared from a phone', () => {
  /** As the browser sends it: a document is wanted, and no page sent it. */
  const share = async (url: string, cookie: string, fields: [string, string | File][], headers = {}) => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    const response = await fetch(`${url}/app/share`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', cookie, 'sec-fetch-site': 'none', ...headers },
      body,
    });
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
  };

  it('is saved at once: a link with its words, a text, files', async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    const cookie = cookiesOf(browser);
    const list = async () =>
      (await testServer.app.services.library.list(localAccountId, { limit: 9, offset: 0 })).items.map(
        ({ url, title, notes, fileName }) => ({ url, title, notes, fileName }),
      );
    const link = await share(testServer.url, cookie, [
      ['title', 'A talk'],
      ['text', 'Look at this: https://talks.example/1'],
      ['url', ''],
    ]);
    expect(link.status).toBe(303);
    expect(link.location).toMatch(/^\/app\/save\?shared=1&undo=x_/);
    await share(testServer.url, cookie, [['text', 'Buy a lamp']]);
    const files = await share(testServer.url, cookie, [
      ['text', 'From the fair'],
      ['file', new File(['One.'], 'one.txt')],
      ['file', new File(['Two.'], 'two.txt')],
    ]);
    expect(files.location).toContain('shared=2');
    expect(await list()).toMatchObject([
      { url: null, fileName: 'two.txt', notes: 'From the fair' },
      { url: null, fileName: 'one.txt', notes: 'From the fair' },
      { url: null },
      { url: 'https://talks.example/1', title: 'A talk', notes: 'Look at this:' },
    ]);
    // Both files go with one undo.
    const id = new URLSearchParams(files.location.split('?')[1]).get('undo') ?? '';
    await (await testServer.app.stores.open(localAccountId)).undo(id, { force: false });
    expect(await list()).toHaveLength(2);
  });

  it('is saved up to the first refusal, which is reported', async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    const cookie = cookiesOf(browser);
    const page = `<html><!--\n Page saved with SingleFile \n url: https://a.example/${'x'.repeat(6_000)}\n--><p>Hello`;
    const fields: [string, File][] = ['one.txt', 'long.html', 'two.txt'].map((name) => [
      'file',
      new File([name.endsWith('html') ? page : name], name),
    ]);
    const shown = await share(testServer.url, cookie, fields);
    expect(shown.location).toMatch(/^\/app\/save\?shared=1&undo=x_\w+&refused=1$/);
    const told = await share(testServer.url, cookie, fields, { accept: 'application/json' });
    expect(JSON.parse(told.text)).toMatchObject({
      saved: [{ outcome: 'existed' }],
      detail: expect.any(String) as string,
    });
    expect((await share(testServer.url, cookie, fields.slice(1))).status).toBe(400);
    expect((await testServer.app.services.library.list(localAccountId, { limit: 5, offset: 0 })).total).toBe(1);
  });

  it('comes from the browser itself, or from this page', async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    const cookie = cookiesOf(browser);
    const statusOf = async (headers: Record<string, string>, shown = cookie) =>
      (await share(testServer.url, shown, [['text', 'x']], headers)).status;
    const other = 'https://attacker.example';
    expect(await statusOf({ origin: other, 'sec-fetch-site': 'cross-site' })).toBe(400);
    expect(await statusOf({ origin: other, 'sec-fetch-site': 'none' })).toBe(400);
    expect(await statusOf({ origin: 'null', 'sec-fetch-site': 'cross-site' })).toBe(400);
    expect(await statusOf({ 'sec-fetch-site': 'same-site' })).toBe(400);
    expect(await statusOf({}, '')).toBe(401);
    expect((await testServer.app.services.library.list(localAccountId, { limit: 5, offset: 0 })).total).toBe(0);
    expect(await statusOf({ origin: 'null' })).toBe(303);
    expect(await statusOf({ origin: testServer.url, 'sec-fetch-site': 'same-origin' })).toBe(303);
  });
});

/** A stream of events, as far as it came. */
interface Events {
  status: number;
  headers: Headers;
  /** Reads until the text matches, or the stream ends. */
  until(pattern: RegExp): Promise<string>;
  ended: () => Promise<void>;
  close(): void;
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(url: string, cookie: string, query = '', headers: Record<string, string> = {}): Promise<Events> {
  const ending = new AbortController();
  closers.push(() => ending.abort());
  const response = await fetch(`${url}/app/events${query}`, { headers: { cookie, ...headers }, signal: ending.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    headers: response.headers,
    async until(pattern) {
      while (!pattern.test(text)) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) throw new Error(`the stream ended after: ${text}`);
        text += value;
      }
      return text;
    },
    async ended() {
      while ((await reader?.read())?.done === false);
    },
    close: () => ending.abort(),
  };
}

describe('the events of a library', () => {
  it('report progress and each change', async () => {
    const testServer = await servePage();
    const { browser, formToken } = await enter(testServer);
    const cookie = cookiesOf(browser);
    const events = await listen(testServer.url, cookie);
    expect([events.status, events.headers.get('content-type'), events.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    await events.until(/"counts":\{"searchable":0,"pending":0,"failed":0\}/);
    const { body } = await sendFile({ url: testServer.url, cookie, formToken, body: 'The fence was painted.' });
    const id = String(body['id']);
    await events.until(new RegExp(`"id":"${id}"[^}]*"status":"pending"`));
    await testServer.app.worker.runUntilEmpty();
    const told = await events.until(new RegExp(`"id":"${id}"[^}]*"status":"completed"`));
    expect(told).toMatch(/^event: news\ndata: \{.*\}\n\n/);
    expect(told).toContain('"searchable":1');
    // Whoever comes later and asks for it is told, too.
    const later = await listen(testServer.url, cookie, `?id=${id}&id=c_unknown`);
    await later.until(new RegExp(`"id":"${id}"[^}]*"status":"completed"`));
  });

  it("require a signed-in person and this server's page", async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    const cookie = cookiesOf(browser);
    const { token } = await testServer.app.access.createToken({
      account: localAccountId,
      name: 'x',
      scopes: ['content:read'],
    });
    expect((await listen(testServer.url, '')).status).toBe(401);
    expect((await listen(testServer.url, '', '', { authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await listen(testServer.url, cookie, '', { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    expect((await listen(testServer.url, cookie, '', { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('end when the server stops', async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    const events = await listen(testServer.url, cookiesOf(browser));
    await events.until(/counts/);
    await Promise.all([testServer.stop(), events.ended()]);
    await expect(listen(testServer.url, cookiesOf(browser))).rejects.toThrow('fetch failed');
  });

  it('are limited to twelve streams per account, until one is closed', async () => {
    const testServer = await servePage();
    const { browser } = await enter(testServer);
    const cookie = cookiesOf(browser);
    const open: Events[] = [];
    for (let i = 0; i < 12; i += 1) open.push(await listen(testServer.url, cookie));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    expect((await listen(testServer.url, cookie)).status).toBe(429);
    open[0]?.close();
    await expect.poll(async () => (await listen(testServer.url, cookie)).status).toBe(200);
  });

  it('show each person their own library, send heartbeats, and end with the session', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const bob = openBrowser(testServer.url);
    const bobsId = await invite(testServer, bob, 'Bob');
    const token = tokenOf(await bob.get('/', acceptsHtml));
    const [annsCookie, bobsCookie] = [cookiesOf(testServer.browser), cookiesOf(bob)];
    const [anns, bobs] = [await listen(testServer.url, annsCookie), await listen(testServer.url, bobsCookie)];
    await anns.until(/counts/);
    await bobs.until(/counts/);
    // The token of Bob is no use with the cookies of Ann.
    expect((await sendFile({ url: testServer.url, cookie: annsCookie, formToken: token })).status).toBe(400);
    const { body } = await sendFile({ url: testServer.url, cookie: bobsCookie, formToken: token });
    expect((await testServer.app.services.library.list(bobsId, { limit: 5, offset: 0 })).total).toBe(1);
    testServer.clock.advance(15_000);
    await bobs.until(new RegExp(String(body['id'])));
    const ofAnn = await anns.until(/event: beat/);
    expect(ofAnn).not.toContain(String(body['id']));
    // Ann asks for an item of Bob, and learns nothing of it.
    const curious = await listen(testServer.url, annsCookie, `?id=${String(body['id'])}`);
    testServer.clock.advance(15_000);
    expect(await curious.until(/event: beat/)).not.toContain('a.txt');

    await bob.get('/account');
    await bob.post('/sign-out', {});
    const gone = bobs.ended();
    testServer.clock.advance(15_000);
    await gone;
    expect((await listen(testServer.url, bobsCookie)).status).toBe(401);
  });

  it('end when the account loses access', async () => {
    const testServer = await serveSignIn();
    await becomeOwner(testServer);
    const bob = openBrowser(testServer.url);
    const bobsId = await invite(testServer, bob, 'Bob');
    await bob.get('/', acceptsHtml);
    const bobs = await listen(testServer.url, cookiesOf(bob));
    await bobs.until(/counts/);
    await testServer.app.access.setPlan(bobsId, 'free');
    const gone = bobs.ended();
    testServer.clock.advance(15_000);
    await gone;
    expect((await listen(testServer.url, cookiesOf(bob))).status).toBe(403);
  });
});
