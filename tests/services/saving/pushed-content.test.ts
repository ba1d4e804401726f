import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { App } from '../../../src/app/app.ts';
import type { SaveRequest } from '../../../src/services/library/saving.ts';
import { openTestServer } from '../../support/test-server.ts';
import { articlePage, serve, startSite, type Site } from '../../support/servers/site.ts';
import { claimJob } from '../../support/store/claims.ts';

const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide.';
const video = 'https://youtu.be/abcDEF12_-3?si=x';
const pastedVideo = 'https://youtu.be/abcDEF12_-4';
const refusedVideo = 'https://www.youtube.com/watch?v=abcDEF12_-5';
const waiting = { signal: new AbortController().signal, onProgress: () => undefined };

describe('content that a client provides with an address', () => {
  let testServer: Awaited<ReturnType<typeof openTestServer>>;
  let app: App;
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
    // Addresses of this machine are refused, and those of tests lead nowhere: what is fetched fails.
    testServer = await openTestServer({ embedder: 'none', allowPrivateAddresses: false });
    app = testServer.app;
  });
  afterAll(async () => {
    await testServer.close();
    await site.close();
  });

  const save = async (request: SaveRequest) => {
    const { id, outcome } = await app.services.library.save(localAccountId, request, waiting);
    await app.worker.runUntilEmpty();
    return { outcome, ...(await app.services.library.get(localAccountId, id)) };
  };

  it('is read as captions, with links to the second of the video', async () => {
    const captions = `WEBVTT\n\n00:01.000 --> 00:04.000\n${sentence}\n\n02:00.000 --> 02:05.500\nIt never sails on Sundays.\n`;
    const item = await save({ url: video, title: '  The\nferry ', captions });
    expect(item).toMatchObject({
      outcome: 'created',
      status: 'completed',
      contentType: 'youtube',
      title: 'The ferry',
      siteName: 'YouTube',
      language: 'en',
      durationSeconds: 125.5,
      canonicalUrl: 'https://www.youtube.com/watch?v=abcDEF12_-3',
      transcript: `${sentence}\n\nIt never sails on Sundays.`,
    });
    const { results } = await app.services.search.search(
      localAccountId,
      { query: 'sails Sundays', limit: 1 },
      waiting.signal,
    );
    expect(results[0]?.passages[0]).toMatchObject({ locator: { kind: 'time' } });
    expect(results[0]?.passages[0]?.url).toMatch(/[?&]t=\d+$/);

    const timed = [
      { start: 120, duration: 5.5, text: 'It never sails on Sundays.' },
      { start: 1, duration: 3, text: sentence },
    ];
    // The same captions in another form are the same.
    expect(await save({ url: video, title: 'The ferry', captions: timed })).toMatchObject({ outcome: 'existed' });
    const srt = `1\n00:00:01,000 --> 00:00:02,000\n${sentence}\n`;
    expect(await save({ url: 'https://example.test/talk', captions: srt })).toMatchObject({
      contentType: 'video',
      durationSeconds: 2,
      title: null,
    });
  });

  it('is read as text, timed or not, without a request to the site', async () => {
    const text = await save({
      url: 'https://members.example.test/essay',
      text: `# On ferries\n\n${sentence}`,
      tags: ['sea'],
    });
    expect(text).toMatchObject({ status: 'completed', contentType: 'article', title: 'On ferries', tags: ['sea'] });
    expect(await save({ url: 'https://members.example.test/plain', text: sentence })).toMatchObject({
      title: null,
      transcript: sentence,
    });
    const pasted = await save({ url: pastedVideo, text: `0:00\n${sentence}\n0:08\nIt is slow.\n0:12\nVery.` });
    expect(pasted).toMatchObject({ contentType: 'youtube', durationSeconds: 12 });
    expect(site.requests).toEqual([]);
  });

  it('is read as HTML and trusted no more than fetched pages', async () => {
    const html = `<meta charset="iso-8859-1">${articlePage('Fähren', [`${sentence} <script>steal()</script><a href="javascript:steal()">Link</a>`, sentence])}`;
    const page = await save({ url: 'https://members.example.test/page', html, title: 'Mine' });
    expect(page).toMatchObject({ status: 'completed', contentType: 'article', title: 'Mine' });
    expect(page.transcript).not.toContain('steal');
    expect(site.requests).toEqual([]);
  });

  it('revives a failed item, replaces existing text, and is reprocessed offline', async () => {
    const url = `${site.url}/page`;
    expect(await save({ url })).toMatchObject({ status: 'failed', failure: { code: 'address_refused' } });
    const revived = await save({ url, text: sentence });
    expect(revived).toMatchObject({ outcome: 'requeued', status: 'completed', transcript: sentence });
    expect(revived.failure).toBeUndefined();
    const replaced = await save({ url, text: `${sentence} Or so it was.` });
    expect(replaced).toMatchObject({ id: revived.id, outcome: 'requeued', transcript: `${sentence} Or so it was.` });
    expect(await save({ url, text: `${sentence} Or so it was.` })).toMatchObject({ outcome: 'existed' });
    await app.services.library.reprocess(localAccountId, 'extract', replaced.id);
    await app.worker.runUntilEmpty();
    expect(await app.services.library.get(localAccountId, replaced.id)).toMatchObject({
      status: 'completed',
      transcript: `${sentence} Or so it was.`,
    });
    expect(site.requests).toEqual([]);
  });

  it('is read as captions for a line or two with a time only when declared so', async () => {
    const item = await save({ url: 'https://example.test/short', captions: `0:05 ${sentence}\n0:15 It never sails.` });
    expect(item).toMatchObject({ outcome: 'created' });
    const stored = await save({ url: 'https://example.test/shorter', captions: `0:05 ${sentence}` });
    expect(stored).toMatchObject({ outcome: 'created' });
  });

  it('keeps the known facts of a video that YouTube refused', async () => {
    const store = await app.stores.open(localAccountId);
    const { id } = await store.saveContent({
      url: refusedVideo,
      canonicalUrl: refusedVideo,
      tags: [],
      notes: undefined,
    });
    const claim = await claimJob(store, 60_000);
    await store.failJob(claim!, {
      code: 'transcript_blocked',
      message: 'No.',
      retryable: false,
      nextAttemptAt: null,
      known: { contentType: 'youtube', title: 'Ferries', author: 'Ann', durationSeconds: 99 },
    });
    const captions = `0:01 ${sentence}\n0:07 Slowly.\n0:09 Very.`;
    expect(await save({ url: refusedVideo, captions })).toMatchObject({
      id,
      status: 'completed',
      title: 'Ferries',
      author: 'Ann',
    });
  });

  it.each<[string, Partial<SaveRequest>, string]>([
    ['two of them', { text: 'a', html: '<p>a' }, 'html'],
    ['a title alone', { title: 'a' }, 'title'],
    ['nothing', { text: '' }, 'text'],
    ['nothing to see', { html: ' \u200b\n' }, 'html'],
    ['a PDF', { text: '%PDF-1.7 x' }, 'text'],
    ['bytes', { html: '\u0000\u0001\ufffd'.repeat(50) }, 'html'],
    ['no captions', { captions: 'WEBVTT\n\n' }, 'captions'],
    ['words for captions', { captions: 'just words' }, 'captions'],
    ['captions without words', { captions: [{ start: 1, text: ' ' }] }, 'captions'],
  ])('is refused with the field and advice: %s', async (_, pushed, path) => {
    const before = (await app.services.library.list(localAccountId, { limit: 1, offset: 0 })).total;
    const saving = app.services.library.save(
      localAccountId,
      { url: 'https://example.test/refused', ...pushed },
      waiting,
    );
    await expect(saving).rejects.toMatchObject({ code: 'invalid_input', fields: [{ path }] });
    expect((await app.services.library.list(localAccountId, { limit: 1, offset: 0 })).total).toBe(before);
  });

  it('may be a page without metadata, and a server that claims its type gains nothing', async () => {
    const open = await openTestServer({ embedder: 'none' });
    site.routes.set('/claim', serve('{"title":"T","nonsense":1}', 'application/vnd.commonplace.pushed+json'));
    const { id } = await open.app.services.library.save(localAccountId, { url: `${site.url}/claim` }, waiting);
    await open.app.worker.runUntilEmpty();
    const item = await open.app.services.library.get(localAccountId, id);
    expect(item).toMatchObject({ status: 'failed', failure: { code: 'unsupported_type' } });
    await open.close();
  });
});
