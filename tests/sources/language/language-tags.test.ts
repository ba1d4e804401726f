import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import type { Document } from '../../../src/domain/records/texts/document.ts';
import { languageTag } from '../../../src/sources/language/language.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';
import { makeBook, makeDocx, paragraph } from '../../support/texts/office-files.ts';

const readers = openReaders();
afterAll(() => readers.close());

const read = async (bytes: Uint8Array): Promise<Document> =>
  documentOf(await readers.read(original(bytes, { url: 'https://example.com/short' }), alone()));

/** Too short to tell the language by, so that the tag is all there is. */
const words = 'Rui, Ana.';

const files: [kind: string, make: (tag: string) => Uint8Array | Promise<Uint8Array>][] = [
  ['page', (tag) => Buffer.from(`<!doctype html><html lang="${tag}"><body><p>${words}</p></body></html>`)],
  [
    'PDF',
    async (tag) => {
      const pdf = await PDFDocument.create();
      pdf.setLanguage(tag);
      pdf.addPage([300, 300]).drawText(words, { x: 50, y: 200, font: await pdf.embedFont(StandardFonts.Courier) });
      return pdf.save();
    },
  ],
  [
    'Word document',
    (tag) =>
      makeDocx(paragraph(words), {
        'docProps/core.xml': Buffer.from(`<cp:coreProperties><dc:language>${tag}</dc:language></cp:coreProperties>`),
      }),
  ],
  [
    'e-book',
    (tag) =>
      makeBook({
        'OEBPS/book.opf': `<package><metadata><dc:title>T</dc:title><dc:language>${tag}</dc:language></metadata><manifest><item id="a" href="one.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`,
        'OEBPS/one.xhtml': `<html><body><p>${words}</p></body></html>`,
      }),
  ],
];

describe.each(files)('the language that a %s claims', (_kind, make) => {
  it('is stored in its usual form', async () => {
    expect((await read(await make('pt-br'))).language).toBe('pt-BR');
  });

  // All but the last two look like tags, and Intl refuses them.
  it.each(['en-us-us', 'de-a', 'en-u', 'sl-rozaj-rozaj', 'x', `en${'-abcdefgh'.repeat(2_000)}`])(
    'is ignored when it is invalid: %.30s',
    async (tag) => {
      const document = await read(await make(tag));
      expect(document.language).toBeNull();
      expect(document.blocks.map(({ text }) => text)).toContain(words);
    },
  );
});

it.each([
  [' EN_gb ', 'en-GB'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['und', null],
  ['english', null],
  ['', null],
  [null, null],
])('the tag %j becomes %j', (claimed, tag) => {
  expect(languageTag(claimed)).toBe(tag);
});

describe('the language of a short text', () => {
  const languageOf = async (text: string) =>
    documentOf(await readers.read(original(Buffer.from(text), { url: 'https://example.com/a.txt' }), alone())).language;

  it.each([
    ['Best hikes near Los Angeles and San Diego for the family', 'en'],
    ['Las mejores rutas cerca de Los Ángeles y San Diego', 'es'],
    ['Die besten Wanderungen in der Nähe von Los Angeles', 'de'],
  ])('of %j is %j', async (text, language) => {
    expect(await languageOf(text)).toBe(language);
  });
});
