import { afterAll, describe, expect, it } from 'vitest';
import { layOutTranscript, type Document } from '../../../src/domain/records/texts/document.ts';
import { alone, documentOf, openReaders, original } from '../../support/texts/reading.ts';
import { makeBook, prose } from '../../support/texts/office-files.ts';

const readers = openReaders();
afterAll(() => readers.close());

const read = async (bytes: Uint8Array): Promise<Document> => documentOf(await readers.read(original(bytes), alone()));
const textOf = (document: Document): string => layOutTranscript(document.blocks).text;
const body = (html: string): string => `<html><body>${html}</body></html>`;
/** A book with these facts, items (an id and its file) and references to them. */
const book = (facts: string, items: [string, string][], refs: string, files: Record<string, string> = {}): Uint8Array =>
  makeBook({
    'OEBPS/book.opf': `<package xmlns:dc="x" xmlns:opf="y"><metadata>${facts}</metadata><manifest>${items.map(([id, href]) => `<item id="${id}" href="${href}" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${refs}</spine></package>`,
    ...files,
  });
const ref = (id: string, more = ''): string => `<itemref idref="${id}"${more}/>`;

describe('The chapters of an e-book', () => {
  const whole = {
    'OEBPS/one.xhtml': body('<p>First.</p>'),
    'OEBPS/two.xhtml': body(`<p>${'Second. '.repeat(90)}</p>`),
  };
  const items: [string, string][] = [
    ['a', 'one.xhtml'],
    ['b', 'two.xhtml'],
    ['c', 'gone.xhtml'],
  ];

  it('are read without damaged or missing ones, which a warning names', async () => {
    const bytes = Buffer.from(book('<dc:title>T</dc:title>', items, ref('a') + ref('b') + ref('c') + ref('d'), whole));
    const name = bytes.indexOf('OEBPS/two.xhtml');
    // Bytes of the second chapter: first such that it cannot be unpacked, then such that its checksum differs.
    for (const [offset, byte] of [
      [0, 0xff],
      [20, bytes[name + 15 + 20]! ^ 1],
    ] as const) {
      const damaged = Buffer.from(bytes);
      damaged[name + 15 + offset] = byte;
      const document = await read(new Uint8Array(damaged));
      expect(textOf(document)).toBe('First.');
      expect(document.warnings).toEqual([
        {
          code: 'chapters_missing',
          message:
            '3 of 4 chapters of this e-book could not be read (damaged: 2; not in the file: 3, 4). Download it again to keep them.',
        },
      ]);
    }
  });

  it('outside the reading order come last, and names may differ in case', async () => {
    const refs = ref('b', ' linear="no"') + ref('a');
    const files = { 'OEBPS/one.xhtml': body('<p>First.</p>'), 'OEBPS/two.xhtml': body('<p>Notes.</p>') };
    const named: [string, string][] = [
      ['a', 'oNe.xhtml'],
      ['b', 'two.xhtml'],
    ];
    const document = await read(book('<dc:title>T</dc:title>', named, refs, files));
    expect(textOf(document)).toBe('First.\n\nNotes.');
    expect(document.warnings).toEqual([]);
  });

  it('are read after elements that XML closes at once', async () => {
    const empty = ['h2', 'blockquote', 'ul', 'iframe src="x"', 'textarea', 'title', 'sup', 'table'].map(
      (name) => `<${name}/><p>Behind ${name.split(' ')[0]}.</p>`,
    );
    const text = textOf(
      await read(
        makeBook(
          { 'OEBPS/one.xhtml': body(`${empty.join('')}<p>A<br/>line, <a href=https://a.example/>a link</a>.</p>`) },
          ['one.xhtml'],
        ),
      ),
    );
    for (const name of ['h2', 'blockquote', 'ul', 'iframe', 'textarea', 'title', 'sup', 'table'])
      expect(text).toContain(`\n\nBehind ${name}.`.slice(name === 'h2' ? 2 : 0));
    expect(text).toContain('A  \nline, [a link](https://a.example/).');
  });

  it('have note marks, also for notes in another file', async () => {
    const html = body(
      '<p>The keeper<a epub:type="noteref" href="#n1">1</a> wound<sup><a href="notes.xhtml#n2">2</a></sup> it<a href="notes.xhtml#n3">3</a>, see <a href="two.xhtml#x">there</a>.</p><aside epub:type="footnote" id="n1"><p>1. His name was Reed.</p></aside>',
    );
    expect(textOf(await read(makeBook({ 'OEBPS/one.xhtml': html }, ['one.xhtml'])))).toContain(
      'The keeper[^1] wound[^2] it[^3], see there.\n\n[^1]: His name was Reed.',
    );
  });

  it('have notes that are numbered over the whole book', async () => {
    const chapter = (name: string): string =>
      body(
        `<p>${name}<a epub:type="noteref" href="#n1">1</a> went<sup><a href="notes.xhtml#${name}">2</a></sup>.</p><aside epub:type="footnote" id="n1"><p>1. Of ${name}.</p></aside>`,
      );
    const files = {
      'OEBPS/one.xhtml': chapter('Ada'),
      'OEBPS/two.xhtml': chapter('Tom'),
      'OEBPS/notes.xhtml': body('<p id="Ada">2. By boat.</p><p><a id="Tom" href="two.xhtml#x">2</a>. On foot.</p>'),
    };
    expect(
      textOf(
        await read(
          book(
            '<dc:title>T</dc:title>',
            [
              ['a', 'one.xhtml'],
              ['b', 'two.xhtml'],
              ['c', 'notes.xhtml'],
            ],
            ref('a') + ref('b') + ref('c'),
            files,
          ),
        ),
      ),
    ).toBe(
      'Ada[^1] went[^2].\n\n[^1]: Of Ada.\n\nTom[^3] went[^4].\n\n[^3]: Of Tom.\n\n[^2]: By boat.\n\n[^4]: On foot.',
    );
  });

  it('have each word once, without its ruby text', async () => {
    const html = body(
      '<p><ruby>毎晩<rp>(</rp><rt>まいばん</rt><rp>)</rp></ruby>、<ruby>階段<rt>かいだん</rt></ruby>を上る。</p>',
    );
    expect(textOf(await read(makeBook({ 'OEBPS/one.xhtml': html }, ['one.xhtml'])))).toContain('毎晩、階段を上る。');
  });

  it('that are all damaged fail with that reason', async () => {
    const bytes = Buffer.from(makeBook({ 'OEBPS/one.xhtml': body(`<p>${prose.repeat(9)}</p>`) }, ['one.xhtml']));
    bytes[bytes.indexOf('OEBPS/one.xhtml') + 15] = 0xff;
    await expect(read(new Uint8Array(bytes))).rejects.toMatchObject({ code: 'extraction_failed' });
  });
});

describe('An e-book', () => {
  it('has its main title, its authors and the day of its publication', async () => {
    const facts =
      '<dc:title id="s">A story</dc:title><meta refines="#s" property="title-type">subtitle</meta><dc:title id="m">The ledger</dc:title><meta refines="#m" property="title-type">main</meta>' +
      '<dc:creator>Ada Marsh</dc:creator><dc:creator opf:role="trl">Tom Reed</dc:creator><dc:creator id="i">Ina Ill</dc:creator><meta refines="#i" property="role">ill</meta>' +
      '<dc:date opf:event="modification">2024-01-01</dc:date><dc:date opf:event="publication">1998-05-06</dc:date>';
    expect(await read(book(facts, [['a', 'one.xhtml']], ref('a')))).toMatchObject({
      title: 'The ledger',
      author: 'Ada Marsh',
      publishedAt: '1998-05-06T00:00:00.000Z',
    });
    const edited =
      '<dc:title>T</dc:title><dc:creator opf:role="edt">Eda Edit</dc:creator><dc:creator opf:role="trl">Tom Reed</dc:creator>';
    expect((await read(book(edited, [['a', 'one.xhtml']], ref('a')))).author).toBe('Eda Edit');
    const old = '<dc:title>T</dc:title><dc:creator>Marsh, Ada</dc:creator><dc:date>1851-02-03</dc:date>';
    expect(await read(book(old, [['a', 'one.xhtml']], ref('a')))).toMatchObject({
      author: 'Ada Marsh',
      publishedAt: '1851-02-03T00:00:00.000Z',
    });
    const year = '<dc:title>T</dc:title><dc:date>1970</dc:date>';
    expect((await read(book(year, [['a', 'one.xhtml']], ref('a')))).publishedAt).toBe('1970-01-01T00:00:00.000Z');
  });
});
