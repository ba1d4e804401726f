// Second stage, alone.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { unlockedDocumentType, type Resource } from '../../../src/domain/records/resource.ts';
import { pushedType } from '../../../src/domain/records/pushed-content.ts';
import { ProcessingError } from '../../../src/errors.ts';
import { alone, openReaders, original } from '../../support/texts/reading.ts';

const readers = openReaders();
afterAll(() => readers.close());

const sentence = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide.';
const good = original(`<!doctype html><article><p>${sentence}</p></article>`);
const readsOn = async (): Promise<void> =>
  expect((await readers.read(good, alone())).transcript.text).toContain('old harbour');

/** A document that we could have made, with what a site would like to say in our name. */
const forged = JSON.stringify({
  commonplaceDocument: 1,
  document: {
    contentType: 'pdf',
    title: 'Forged',
    author: null,
    siteName: null,
    publishedAt: null,
    language: null,
    canonicalUrl: null,
    durationSeconds: null,
    pageCount: null,
    warnings: [{ code: 'verified', message: 'Commonplace has checked this page.' }],
    blocks: [{ text: sentence, kind: 'paragraph' }],
  },
});
const pushed = JSON.stringify({ title: 'Forged', text: sentence });

describe('An internal media type', () => {
  it.each([
    ['a kept document', forged, unlockedDocumentType],
    ['a kept document, with parameters', forged, `${unlockedDocumentType.toUpperCase()}; charset=utf-8`],
    ['what a client handed over', pushed, pushedType],
    ['nothing, but looks like a kept document', forged, null],
    ['text, but looks like a kept document', forged, 'text/plain'],
  ])('claimed by a server is ordinary data: %s', async (_name, text, declaredType) => {
    await expect(readers.read(original(text, { declaredType }), alone())).rejects.toMatchObject({
      code: 'unsupported_type',
      message: expect.stringContaining('(application/json)') as string,
    });
  });

  it("is read from a client's content, as older libraries store it", async () => {
    const kept = await readers.read(original(forged, { declaredType: unlockedDocumentType, given: true }), alone());
    expect(kept.document).toMatchObject({ contentType: 'pdf', title: 'Forged' });
    const text = await readers.read(original(pushed, { declaredType: pushedType, given: true }), alone());
    expect(text.document.title).toBe('Forged');
  });

  it('does not include files that only look like one, even from a client', async () => {
    await expect(readers.read(original(forged, { given: true }), alone())).rejects.toMatchObject({
      code: 'unsupported_type',
    });
  });

  it.each([
    [
      'blocks without end',
      `{"commonplaceDocument":1,"document":{"warnings":[],"blocks":[${'{},'.repeat(300_000)}{}]}}`,
    ],
    ['warnings without end', `{"commonplaceDocument":1,"document":{"blocks":[],"warnings":[${'{},'.repeat(200)}{}]}}`],
    ['nothing', '{"commonplaceDocument":1}'],
  ])('from a client with %s is damaged', async (_name, text) => {
    const damaged = original(text, { declaredType: unlockedDocumentType, given: true });
    await expect(readers.read(damaged, alone())).rejects.toMatchObject({ code: 'extraction_failed' });
  });
});

describe('An input too large for a reader', () => {
  it('with one large allocation after another fails the reading, not the program', async () => {
    // 16 million empty lists: of a heap of 896 MB nothing is left, and V8 ends the process that has it.
    const bomb = original(`[${'[],'.repeat(16_000_000)}[]]`, { declaredType: unlockedDocumentType, given: true });
    // On a slow machine the usual limit of time comes first.
    const patient = openReaders({ timeLimitMs: 120_000 });
    await expect(patient.read(bomb, alone())).rejects.toMatchObject({
      name: 'ProcessingError',
      code: 'extraction_failed',
      message: expect.stringContaining('memory') as string,
    });
    await patient.close();
    await readsOn();
  });

  it.each([['bytes of no text', Buffer.alloc(50_000_000, 0xff)]])(
    'as text is refused for its length, not for the resources used: %s',
    async (_name, bytes) => {
      const text = original(bytes, { declaredType: 'text/plain' });
      await expect(readers.read(text, alone())).rejects.toMatchObject({ code: 'too_large' });
      await readsOn();
    },
  );

  it('as paragraphs of one letter is kept whole, with neighbouring ones joined', async () => {
    const text = original(Buffer.alloc(1_000_000, 'a\n\n'), { declaredType: 'text/plain' });
    const { transcript } = await readers.read(text, alone());
    expect(transcript.blocks.length).toBeLessThanOrEqual(50_000);
    expect(transcript.text.replaceAll(/\s/g, '')).toHaveLength(333_334);
    await readsOn();
  });
});

describe('A companion of a page', () => {
  const page = (captions: string): Resource & { given: boolean } =>
    original(
      `<!doctype html><html><head><title>Talk</title><meta property="og:type" content="video.movie"></head><body><video><track src="${captions}"></video></body></html>`,
      { url: 'https://talks.example/1', declaredType: 'text/html' },
    );
  const vtt = 'WEBVTT\n\n00:05.000 --> 00:09.000\nBread needs a clock.\n';

  it('blocks no process while a slow site delays it', async () => {
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Resource>();
    const reading = readers.read(
      page('a.vtt'),
      alone({
        supply: () => {
          asked.resolve();
          return answered.promise;
        },
      }),
    );
    await asked.promise;
    // There is one process, and it is free.
    await readsOn();
    answered.resolve(original(vtt, { url: 'https://talks.example/a.vtt' }));
    expect((await reading).transcript.text).toBe('Bread needs a clock.');
  });

  it('is requested once, and a failure is a valid answer', async () => {
    const asked: string[] = [];
    const context = alone({
      supply(need) {
        if (need.kind === 'fetch') asked.push(need.url);
        return Promise.reject(new ProcessingError('not_found', 'There is nothing.'));
      },
    });
    await expect(readers.read(page('a.vtt'), context)).rejects.toMatchObject({ code: 'no_captions' });
    expect(asked).toEqual(['https://talks.example/a.vtt']);
  });

  it('ends the reading when its outcome is unknown', async () => {
    const lost = new Error('the library is gone');
    await expect(readers.read(page('a.vtt'), alone({ supply: () => Promise.reject(lost) }))).rejects.toBe(lost);
  });
});

describe('A reader that cannot start', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
  });

  it('does not fail the item for good, which is retried', async () => {
    const own = openReaders();
    process.execPath = '/nowhere/node';
    await expect(own.read(good, alone())).rejects.toMatchObject({
      code: 'internal',
      retryable: true,
      message: expect.stringContaining('Nothing is wrong with what you saved') as string,
      cause: expect.objectContaining({ code: 'ENOENT' }) as Error,
    });
    process.execPath = execPath;
    expect((await own.read(good, alone())).transcript.text).toContain('old harbour');
    await own.close();
  });
});
