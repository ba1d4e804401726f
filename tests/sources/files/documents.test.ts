import { readFileSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import { PDFDocument } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';
import { makeBook, makeDocx, paragraph, prose } from '../../support/texts/office-files.ts';

const plain = openReaders();
const recognising = openReaders({ ocr: true });
afterAll(() => Promise.all([plain.close(), recognising.close()]));

/** As the pipeline reads: the kind is told by the bytes. */
async function read(bytes: Uint8Array, url = 'https://example.com/file', readers = plain): Promise<Document> {
  return documentOf(await readers.read(original(bytes, { url }), alone()));
}

const textOf = (document: Document): string => layOutTranscript(document.blocks).text;

describe('An e-book', () => {
  it('is read in the order of its spine, with titles from its table of contents', async () => {
    const document = await read(makeBook());
    expect(document).toMatchObject({
      contentType: 'ebook',
      title: 'The ferry & the quay',
      author: 'Ada Tester, Bo Tester',
      publishedAt: '2019-05-02T00:00:00.000Z',
      language: 'en',
    });
    expect(textOf(document)).toBe(
      `# Departure\n\n${prose} *Always*.\n\n## Coming home\n\n${prose}\n\nSee above and [there](https://example.com/).`,
    );
  });

  it('with DRM says so, but obfuscated fonts are no DRM', async () => {
    const method = (algorithm: string): string =>
      `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/></EncryptedData></encryption>`;
    const locked = makeBook({ 'META-INF/encryption.xml': method('http://www.w3.org/2001/04/xmlenc#aes128-cbc') });
    await expect(read(locked)).rejects.toMatchObject({ code: 'drm_protected', retryable: false });
    const fonts = makeBook({ 'META-INF/encryption.xml': method('http://www.idpf.org/2008/embedding') });
    expect((await read(fonts)).title).toBe('The ferry & the quay');
  });

  it.each([
    ['unfolds without end', makeBook({ 'OEBPS/one.xhtml': ' '.repeat(60_000_000) }), 'too_large'],
    ['has no package', makeBook({ 'META-INF/container.xml': '<container/>' }), 'extraction_failed'],
    ['is cut off', makeBook().subarray(0, 900), 'extraction_failed'],
    ['has no text', makeBook({ 'OEBPS/one.xhtml': '<p/>', 'OEBPS/two.xhtml': '' }), 'empty'],
  ])('that %s fails', async (_name, bytes, code) => {
    await expect(read(bytes)).rejects.toMatchObject({ name: 'ProcessingError', code });
  });
});

describe('A Word document', () => {
  it('keeps its headings, tables and metadata', async () => {
    const row = (cells: string[]): string =>
      `<w:tr>${cells.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`;
    const document = await read(
      makeDocx(
        `${paragraph('What was decided', 'Heading1')}${paragraph(prose)}<w:tbl>${row(['Who', 'What'])}${row(['Ada', 'the boat'])}</w:tbl>`,
      ),
    );
    expect(document).toMatchObject({
      contentType: 'document',
      title: 'Minutes',
      author: 'Ada Tester',
      publishedAt: '2024-03-05T10:15:00.000Z',
      language: 'en',
    });
    const text = textOf(document);
    expect(text).toContain(`# What was decided\n\n${prose}`);
    expect(text).toContain('| Who | What |\n| --- | --- |\n| Ada | the boat |');
  });

  it('that unpacks endlessly, or is broken, fails', async () => {
    const bomb = Buffer.from(makeDocx(paragraph(prose)));
    // What the archive's list says of the last entry's size.
    bomb.writeUInt32LE(0x40000000, bomb.lastIndexOf('PK\u0001\u0002') + 24);
    await expect(read(new Uint8Array(bomb))).rejects.toMatchObject({ code: 'too_large' });
    await expect(read(makeDocx('<w:p><w:r>'))).rejects.toMatchObject({ name: 'ProcessingError' });
  });
});

describe('A picture', () => {
  const canvas = createCanvas(1_000, 220);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  context.font = '36px sans-serif';
  context.fillText('The quick brown fox jumps', 40, 80);
  context.fillText('over the lazy dog.', 40, 140);
  const png = new Uint8Array(canvas.toBuffer('image/png'));
  const scan = async (): Promise<Uint8Array> => {
    const document = await PDFDocument.create();
    const page = document.addPage([500, 400]);
    page.drawImage(await document.embedPng(png), { x: 0, y: 200, width: 500, height: 110 });
    document.addPage([500, 400]).drawText('This page has its own text.', { x: 40, y: 300, size: 12 });
    return document.save();
  };

  it('fails with advice while text recognition is off', async () => {
    await expect(read(png)).rejects.toMatchObject({
      code: 'scanned',
      message: expect.stringContaining('`ocr`') as string,
    });
  });

  it('is recognised when it is on: images, and PDF pages without text', async () => {
    const image = await read(png, 'https://example.com/fox.png', recognising);
    expect(image).toMatchObject({ contentType: 'image', title: 'fox.png', warnings: [{ code: 'recognised_text' }] });
    expect(textOf(image)).toContain('quick brown fox jumps over the lazy dog');
    const document = await read(await scan(), 'https://example.com/scan.pdf', recognising);
    expect(document.blocks.map(({ text, locator }) => [text, locator])).toEqual([
      ['The quick brown fox jumps over the lazy dog.', { kind: 'page', page: 1 }],
      ['This page has its own text.', { kind: 'page', page: 2 }],
    ]);
    expect(document.warnings).toEqual([expect.objectContaining({ code: 'recognised_text' })]);
  });

  it('without text, or broken, fails', async () => {
    const blank = new Uint8Array(createCanvas(300, 200).toBuffer('image/png'));
    await expect(read(blank, 'https://example.com/a.png', recognising)).rejects.toMatchObject({ code: 'empty' });
    await expect(read(png.subarray(0, 60), 'https://example.com/a.png', recognising)).rejects.toMatchObject({
      code: 'extraction_failed',
    });
  });
});

describe('Text recognition', () => {
  it('requires the packages that this program is tested with', () => {
    const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as Record<string, Record<string, unknown>>;
    for (const [name, version] of Object.entries(peerDependencies ?? {})) {
      expect(devDependencies?.[name]).toBe(version);
      expect(peerDependenciesMeta?.[name]).toEqual({ optional: true });
    }
    expect(Object.keys(peerDependencies ?? {}).toSorted()).toEqual([
      '@napi-rs/canvas',
      '@tesseract.js-data/eng',
      'tesseract.js',
    ]);
  });
});
