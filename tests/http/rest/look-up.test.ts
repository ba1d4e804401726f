import { expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { mounts } from '../../../src/http/listen.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { httpParts } from '../../support/http.ts';
import { makeKey } from '../../support/access/keys.ts';
import { openTestServer } from '../../support/test-server.ts';

it('a key of the extension saves, looks one page up and marks words in it, without `apiV1`, and nothing else', async () => {
  const { app, close } = await openTestServer({ embedder: 'none' });
  try {
    const server = await createHttpServer({ ...httpParts(app), mounts });
    const { secret } = await makeKey(app, ['content:write', 'capture:read']);
    const { secret: other } = await makeKey(app, ['content:write']);
    const send = async (path: string, body: object | FormData, token = secret) => {
      const isForm = body instanceof FormData;
      const response = await server.app.request(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const url = 'https://example.org/private?b=2&a=1';
    expect(await send('/capture/look-up', { url })).toMatchObject({ status: 200, body: { item: null } });
    const form = new FormData();
    form.set('url', url);
    form.set('html', '<article><p>Words that only one person may read, with some more of them.</p></article>');
    const { status, body: saved } = await send('/capture', form);
    expect([status, Object.keys(saved).toSorted()]).toEqual([201, ['id', 'outcome', 'status']]);
    const mark = { contentId: saved['id'], quote: 'only one person' };
    expect(await send('/capture/highlights', mark)).toMatchObject({
      status: 200,
      body: { id: expect.any(String) as string },
    });
    expect((await send('/capture/look-up', { url: `${url}#part` })).body).toMatchObject({
      item: { id: saved['id'], tags: [], notes: null },
      highlights: [{ quote: 'only one person' }],
    });

    expect(await send('/capture/look-up', { url }, other)).toMatchObject({ status: 403 });
    expect(await send('/capture/look-up', { url }, 'cpl_wrong')).toMatchObject({ status: 401 });
    expect(await send('/capture/look-up', { url, more: 1 })).toMatchObject({ status: 400 });
    for (const [path, body] of [
      ['/search', { query: 'words' }],
      ['/actions/a_aaaaaaaaaaaaaaaa/complete', {}],
    ] as const)
      expect((await send(path, body)).status).toBe(403);
    const list = await server.app.request('/content', { headers: { authorization: `Bearer ${secret}` } });
    expect(list.status).toBe(403);
    // Another account's page is not known.
    const account = await app.access.addAccount('Bob', 'pro');
    expect(account.id).not.toBe(localAccountId);
    const { secret: ofBob } = await makeKey(app, ['capture:read'], { account: account.id });
    expect((await send('/capture/look-up', { url }, ofBob)).body).toMatchObject({ item: null, highlights: [] });
    await server.close();
  } finally {
    await close();
  }
});
