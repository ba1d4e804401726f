import { describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { ProcessingError } from '../../../src/errors.ts';
import { articleSource } from '../../../src/sources/page/kinds/site-sources.ts';
import { decoded, readBy, sourceContext } from '../../support/texts/reading.ts';

const start = 'https://ferry.example/old/times';
const prose = 'The ferry leaves the old harbour at seven in the morning and comes back with the evening tide. '.repeat(
  8,
);
const page = `<html><head><title>Ferry times</title></head><body><h1>Ferry times</h1><p>${prose}</p></body></html>`;
const leads = (content: string, body = ''): string =>
  `<html><head><title>Moved</title><meta http-equiv="Refresh" content="${content}"></head><body>${body}</body></html>`;

/** Reads the page at `start`, with the pages of a site that it may ask for. */
async function read(
  html: string,
  pages: Record<string, string> = {},
  mediaType = 'text/html',
): Promise<{ document: Document; asked: string[] }> {
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    const text = pages[url];
    if (text === undefined) return Promise.reject(new ProcessingError('address_refused', 'No.'));
    return Promise.resolve(decoded(text, mediaType, url));
  };
  const document = await readBy(articleSource, decoded(html, 'text/html', start), sourceContext({ fetch }));
  return { document, asked };
}

describe('A page that redirects', () => {
  it.each([
    ['0; url=https://ferry.example/times', 'https://ferry.example/times'],
    ['0;URL=&quot;/times&quot;', 'https://ferry.example/times'],
    ["3, '../times'", 'https://ferry.example/times'],
  ])('by %j is read at its target', async (content, target) => {
    const { document, asked } = await read(leads(content, '<p>This page has moved.</p>'), { [target]: page });
    expect(asked).toEqual([target]);
    expect(document).toMatchObject({ title: 'Ferry times', canonicalUrl: target });
    expect(layOutTranscript(document.blocks).text).toContain('old harbour');
  });

  it('is refused where a redirect would be', async () => {
    await expect(read(leads('0; url=http://127.0.0.1/admin'))).rejects.toMatchObject({ code: 'address_refused' });
  });

  it('in a circle is not followed forever', async () => {
    const there = 'https://ferry.example/there';
    const pages = { [there]: leads(`0; url=${start}`), [start]: leads(`0; url=${there}`) };
    await expect(read(leads(`0; url=${there}`), pages)).rejects.toMatchObject({ code: 'too_many_redirects' });
  });

  it('to a file says so', async () => {
    const file = 'https://ferry.example/times.zip';
    await expect(read(leads(`0; url=${file}`), { [file]: 'x' }, 'application/zip')).rejects.toMatchObject({
      code: 'unsupported_type',
    });
  });

  it.each([
    ['shows its own text', leads('5; url=/home', `<p>${prose}</p>`)],
    ['only loads itself again', leads(`0; url=${start}#top`, `<p>${prose.slice(0, 400)}</p>`)],
    ['waits for minutes', leads('300; url=/home', `<p>${prose.slice(0, 400)}</p>`)],
    ['leads to no web address', leads('0; url=javascript:alert(1)', `<p>${prose.slice(0, 400)}</p>`)],
  ])('is read itself when it %s', async (_name, html) => {
    const { document, asked } = await read(html);
    expect(asked).toEqual([]);
    expect(layOutTranscript(document.blocks).text).toContain('old harbour');
  });
});

describe('A page of frames', () => {
  it('says where its text is', async () => {
    const frames =
      '<html><head><title>Ferry</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="times.html"></frameset></html>';
    await expect(read(frames)).rejects.toMatchObject({
      code: 'empty',
      message: expect.stringContaining('frames') as string,
    });
  });
});
