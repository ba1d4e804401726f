import { afterAll, describe, expect, it } from 'vitest';
import type { Document } from '../../../src/domain/records/texts/document.ts';
import { ProcessingError } from '../../../src/errors.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';
import { parseCaptions } from '../../../src/domain/captions/caption-formats.ts';
import { readCaptionXml } from '../../../src/sources/captions/read-captions.ts';

// The first page of a thread waits for its libraries, which a busy machine loads slowly.
const readers = openReaders({ timeLimitMs: 60_000 });
afterAll(() => readers.close());

const address = 'https://talks.example/2024/bread';
const notes = 'A baker tells what a night in the cold does to dough, and why cheap bread tastes of nothing at all.';
const vtt = 'WEBVTT\n\n00:05.000 --> 00:09.000\nBread needs a clock.\n\n01:00.000 --> 01:04.500\nLet it cool.\n';
const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>Why bread needs time</title>${head}</head><body><main><h1>Why bread needs time</h1><p>${notes}</p>${body}</main></body></html>`;
const data = (object: object) => `<script type="application/ld+json">${JSON.stringify(object)}</script>`;

async function read(
  html: string,
  files: Record<string, string> = {},
): Promise<{ document: Document; asked: string[] }> {
  const asked: string[] = [];
  const context = alone({
    async supply(need) {
      if (need.kind !== 'fetch') throw new Error('there is no program to ask');
      asked.push(need.url);
      const text = files[need.url];
      if (text === undefined) throw new ProcessingError('not_found', 'No.');
      return original(text, { url: need.url });
    },
  });
  const page = original(html, { url: address, declaredType: 'text/html' });
  return { document: documentOf(await readers.read(page, context)), asked };
}

const video =
  '<video controls><track kind="captions" srclang="fr" src="fr.vtt"><track kind="subtitles" srclang="en" src="/en.vtt"><track kind="descriptions" src="d.vtt"></video>';

describe('a page of a recording', () => {
  it('has its description, then the speech with its seconds', async () => {
    const { document, asked } = await read(page(video), { 'https://talks.example/en.vtt': vtt });
    expect(document).toMatchObject({
      contentType: 'video',
      title: 'Why bread needs time',
      durationSeconds: 64.5,
      warnings: [],
    });
    expect(document).not.toHaveProperty('media');
    expect(asked).toEqual(['https://talks.example/en.vtt']);
    const at = (seconds: number) => ({ kind: 'time', seconds });
    expect(document.blocks.slice(-3).map(({ text, locator }) => [text, locator])).toEqual([
      ['## Transcript', at(0)],
      ['Bread needs a clock.', at(5)],
      ['Let it cool.', at(60)],
    ]);
    const first = document.blocks.find(({ text }) => text.includes('A baker tells'));
    expect(first).toBeDefined();
    expect(first?.locator).toBeUndefined();
  });

  it('may have captions in another format, chapters, and no text of its own', async () => {
    const bare = `<!doctype html><html><head><title>Talk</title><meta property="og:type" content="video.movie"></head><body><video></video><link rel="alternate" href="talk.srt"><track kind="chapters" src="c.vtt"></body></html>`;
    const { document } = await read(bare, {
      'https://talks.example/2024/talk.srt':
        '1\n00:00:05,000 --> 00:00:09,000\nBread needs a clock.\n\n2\n00:01:00,000 --> 00:01:04,000\nLet it cool.\n',
      'https://talks.example/2024/c.vtt':
        'WEBVTT\n\n00:00.000 --> 00:50.000\nTime\n\n00:50.000 --> 01:10.000\nPatience\n',
    });
    expect(document.blocks.map(({ text }) => text)).toEqual([
      '## Time',
      'Bread needs a clock.',
      '## Patience',
      'Let it cool.',
    ]);
  });

  it('has the length and the transcript named in its data', async () => {
    const episode = {
      '@type': 'PodcastEpisode',
      name: 'Bread',
      associatedMedia: { '@type': 'AudioObject', duration: 'PT1H2M3S', transcript: 'First words.\nLast words.' },
    };
    const { document, asked } = await read(page('<audio src="a.mp3"></audio>', data({ '@graph': [episode] })));
    expect(document).toMatchObject({ contentType: 'podcast', durationSeconds: 3_723, warnings: [] });
    expect(document.blocks.slice(-3).map(({ text }) => text)).toEqual(['## Transcript', 'First words.', 'Last words.']);
    expect(asked).toEqual([]);
  });

  it('keeps its notes when there are no captions, or they cannot be fetched', async () => {
    const episode = data({ '@type': 'PodcastEpisode', name: 'Bread', duration: 'PT20M' });
    const notesOnly = await read(page('<audio src="a.mp3"></audio>', episode));
    expect(notesOnly.document).toMatchObject({
      contentType: 'podcast',
      durationSeconds: 1_200,
      warnings: [{ code: 'no_transcript', message: expect.stringContaining('No captions') }],
    });
    expect(notesOnly.document.blocks.map(({ text }) => text).join('\n')).toContain(notes);
    const gone = await read(page(video));
    expect(gone.document.warnings).toMatchObject([
      { code: 'no_transcript', message: expect.stringContaining('could not be read') },
    ]);
    expect(gone.asked).toEqual(['https://talks.example/en.vtt', 'https://talks.example/2024/fr.vtt']);
    const empty =
      '<!doctype html><html><head><title>Talk</title><meta property="og:type" content="video.movie"></head><body><video><track src="x.vtt"></video></body></html>';
    await expect(read(empty)).rejects.toMatchObject({
      code: 'no_captions',
      known: { contentType: 'video', title: 'Talk' },
    });
  });

  it('is an article when the recording only accompanies one', async () => {
    const long = `<p>${`${notes} `.repeat(70)}</p>`;
    const beside = await read(page(long + video));
    expect(beside).toMatchObject({ document: { contentType: 'article', warnings: [] }, asked: [] });
    const article = await read(
      page(
        video.replace(/<track[^>]*>/g, ''),
        data([{ '@type': 'NewsArticle', headline: 'B', video: { '@type': 'VideoObject', duration: 'PT9S' } }]),
      ),
    );
    expect(article.document).toMatchObject({ contentType: 'article', durationSeconds: null });
  });

  it('has a transcript when its own text is one', async () => {
    const spoken = 'So I asked him how long the dough had been in the cold, and he laughed. '.repeat(12);
    const recording = data({ '@type': 'VideoObject', name: 'Why bread needs time', duration: 'PT20M' });
    const own = await read(page(`<h2>Full transcript</h2><p>${spoken}</p>`, recording));
    expect(own.document).toMatchObject({ contentType: 'video', warnings: [] });
    const linked = await read(page('<h2>Transcript</h2><p>Download it <a href="/t">here</a>.</p>', recording));
    expect(linked.document.warnings).toMatchObject([{ code: 'no_transcript' }]);
  });

  it('requests only web addresses', async () => {
    const { asked } = await read(
      page(
        '<video><track src="javascript:alert(1)"><track src="file:///etc/passwd"><track src="data:text/vtt,x"></video>',
      ),
    );
    expect(asked).toEqual([]);
  });

  it('from the demo has readable captions', async () => {
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(new URL('../../../demo/site/talk.vtt', import.meta.url), 'utf8');
    expect(parseCaptions(text, readCaptionXml)).toHaveLength(9);
  });
});
