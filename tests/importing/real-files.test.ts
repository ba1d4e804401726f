import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { entriesOf, folder, read, shown, write } from './written-exports.ts';

/* Exports as people have them: in other encodings and languages, opened and saved by a spreadsheet, packed by other programs. */

const url = 'https://example.com/a';
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const page = (more: object) => ({ url, title: null, tags: [], notes: null, date: null, ...more });

test.each<[string, string | Uint8Array, object]>([
  [
    'with a byte order mark and line breaks of Windows',
    '\ufefftitle,url,time_added,tags,status\r\nCafé,https://example.com/a,1600000000,x|y,unread\r\n',
    { title: 'Café', tags: ['x', 'y'], state: 'inbox', date: '2020-09-13' },
  ],
  [
    'in windows-1252',
    latin('title,url,time_added,tags,status\nCafé Müller,https://example.com/a,1600000000,Übung,unread\n'),
    { title: 'Café Müller', tags: ['Übung'], state: 'inbox', date: '2020-09-13' },
  ],
  [
    'in windows-1251',
    Uint8Array.from(
      [...'title,url,tags\n']
        .map((one) => one.charCodeAt(0))
        .concat(
          [207, 240, 232, 226, 229, 242],
          [...`,${url},x\n`].map((one) => one.charCodeAt(0)),
        ),
    ),
    { title: 'Привет', tags: ['x'] },
  ],
  [
    'in UTF-16 without a mark',
    Buffer.from(`title,url,tags\nNaïve,${url},x\n`, 'utf16le'),
    { title: 'Naïve', tags: ['x'] },
  ],
  [
    'in UTF-8 with a broken byte',
    Buffer.concat([
      Buffer.from(`title,url,tags\nÜber Äpfel, größere Übungen, süße Öle und kühle Flüsse,`.replaceAll(', ', ' ')),
      Buffer.from(`${url},`),
      Buffer.from([0xff, 0x0a]),
    ]),
    { title: 'Über Äpfel größere Übungen süße Öle und kühle Flüsse', tags: ['\ufffd'] },
  ],
  [
    'saved by a spreadsheet, with semicolons and German names',
    latin(
      `"Titel";"Adresse";"Schlagwörter";"Notiz";"Datum";"gelesen"\r\n"Größe; und mehr";"${url}";"eins, zwei";"so ""gut""";"13.09.2020 10:00";"1"\r\n`,
    ),
    { title: 'Größe; und mehr', tags: ['eins', 'zwei'], state: 'read', notes: 'so "gut"', date: '2020-09-13' },
  ],
  [
    'with the line by which a spreadsheet knows the separator',
    `sep=;\r\nTitle;Link;Created\r\nA, B;${url};2020/9/13\r\n`,
    { title: 'A, B', date: '2020-09-13' },
  ],
  ['with tabs', `Name\tURL\tLabels\nT\t${url}\tx, y\n`, { title: 'T', tags: ['x', 'y'] }],
  [
    'with columns in Japanese',
    `タイトル,リンク,タグ,メモ\n本,${url},読む,また\n`,
    { title: '本', tags: ['読む'], notes: 'また' },
  ],
  [
    'with columns that nobody knows',
    `Nr,Qwx,Was,Foo\n1,${url},Ein Titel,2020-09-13\n2,,Ohne,\n3,https://example.com/b,Noch einer,\n`,
    { title: 'Ein Titel' },
  ],
  [
    'with a column missing',
    `title,url,time_added,tags\nT,${url},1600000000,x|y\n`,
    { title: 'T', tags: ['x', 'y'], date: '2020-09-13' },
  ],
  [
    'with characters of HTML',
    `title,url\n"AT&amp;T&#39;s &quot;new&quot; R&D",${url}\n`,
    { title: `AT&T's "new" R&D` },
  ],
  ['with quoted names and plain rows', `"URL","Title"\n${url},T\n`, { title: 'T' }],
])('a table %s', async (_, content, expected) => {
  const { entries } = await read('table.csv', content);
  expect(entries[0]).toEqual(page(expected));
});

test.each<[string, string]>([
  ['seconds', '1600000000'],
  ['milliseconds', '1600000000000'],
  ['microseconds', '1600000000000000'],
  ['nanoseconds', '1600000000000000000'],
  ['microseconds since 1601', '13244473600000000'],
  ['seconds with a fraction', '1600000000.25'],
  ['a date of ISO', '2020-09-13T12:26:40.123456Z'],
  ['a date and time of a database', '2020-09-13 12:26:40'],
  ['a zone', '2020-09-13T02:26:40-10:00'],
  ['American', '9/13/2020'],
  ['British', '13/9/2020 23:30'],
  ['German', '13.09.2020 23:30'],
  ['Notion', '"September 13, 2020 11:30 PM"'],
  ['of e-mail', '"Sun, 13 Sep 2020 10:00:00 GMT"'],
])('a date as %s', async (_, written) => {
  const { entries } = await read('date.csv', `url,created\n${url},${written}\n`);
  expect(entries).toEqual([page({ date: '2020-09-13' })]);
});

test('a Google Takeout playlist in another language is read', async () => {
  const rows =
    'ID de la vidéo,Code temporel de création de la vidéo dans la playlist\ndQw4w9WgXcQ,2020-09-13T10:00:00+00:00\n_9bZkp7q19f,2020-09-13T10:00:00+00:00\n';
  const { formats, entries } = await read('À regarder plus tard-videos.csv', rows);
  expect(formats).toEqual(['YouTube playlist (Google Takeout)']);
  expect(entries).toEqual([
    page({ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', tags: ['À regarder plus tard'], date: '2020-09-13' }),
    expect.objectContaining({ url: 'https://www.youtube.com/watch?v=_9bZkp7q19f' }),
  ]);
});

test('Wallabag tables have the day first, and the tags of Readwise highlights are kept', async () => {
  const wallabag = `Title;URL;Content;Tags;"MIME Type";Language;"Creation date"\n"T";"${url}";"<p>long; text</p>";"x, y";text/html;fr;"05/09/2020 10:00:00"\n`;
  expect(await read('wallabag.csv', wallabag)).toEqual({
    formats: ['Wallabag (CSV)'],
    entries: [page({ title: 'T', tags: ['x', 'y'], date: '2020-09-05' })],
  });
  const readwise = `Highlight,Book Title,Note,Color,Tags,Highlighted at,Document tags,Source URL\nWords,T,,,"a, b",2020-09-13,c,${url}\n`;
  expect((await read('readwise.csv', readwise)).entries).toEqual([
    page({ title: 'T', tags: ['c', 'a', 'b'], date: '2020-09-13', marked: [['Words']] }),
  ]);
});

test('bookmarks: the declared encoding and browser folders in other languages are read', async () => {
  const html = (charset: string) => `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset}">
<H1>Lesezeichen</H1><DL><p>
<DT><H3>Andere Lesezeichen</H3><DL><p>
  <DT><H3>Müller</H3><DL><p>
    <DT><H3>Bookmarks</H3><DL><p><DT><A HREF="${url}" ADD_DATE="1600000000">Größe &amp; M&#246;bel</A></DL><p>
  </DL><p></DL><p></DL><p>`;
  const expected = [page({ title: 'Größe & Möbel', tags: ['Müller', 'Bookmarks'], date: '2020-09-13' })];
  for (const charset of ['ISO-8859-1', 'windows-1252', 'UTF-8'])
    expect((await read('bookmarks.html', latin(html(charset)))).entries, charset).toEqual(expected);
  expect((await read('bookmarks.html', `\ufeff${html('UTF-8')}`)).entries).toEqual(expected);
  const greek = Buffer.concat([
    Buffer.from(html('iso-8859-7').split('Müller')[0] ?? ''),
    Buffer.from([0xe1, 0xe2, 0xe3]),
    Buffer.from(`</H3><DL><p><DT><A HREF="${url}">x</A>`),
  ]);
  expect((await read('greek.html', greek)).entries).toMatchObject([{ tags: ['αβγ'] }]);
});

test('JSON may have a byte order mark, tags as objects, a broken tag, and dates as numbers', async () => {
  const wallabag = JSON.stringify([
    {
      url,
      title: 'R&amp;D',
      is_archived: true,
      is_starred: false,
      tags: [{ label: 'x' }, 7, 'y'],
      created_at: 1_600_000_000,
    },
  ]);
  expect((await read('wallabag.json', `\ufeff${wallabag}`)).entries).toEqual([
    page({ title: 'R&D', tags: ['x', 'y'], state: 'read', date: '2020-09-13' }),
  ]);
});

test("Pocket's archive: tables and separate files of highlights are read", async () => {
  const zip = zipSync({
    'pocket/part_000000.csv': strToU8(`title,url,time_added,tags,status\nT,${url},1600000000,,archive\n`),
    'pocket/annotations/part_000000.json': strToU8(
      JSON.stringify([{ url, title: 'T', highlights: [{ quote: 'Words', created_at: 1_600_000_000 }] }]),
    ),
  });
  const { formats, entries } = await read('pocket.zip', zip);
  expect(formats.toSorted()).toEqual(['Pocket (CSV)', 'Pocket (highlights)']);
  expect(entries).toContainEqual(page({ title: 'T', marked: [['Words']] }));
  expect(entries).toContainEqual(page({ title: 'T', tags: [], state: 'read', date: '2020-09-13' }));
});

test('notes and PDFs in nested archives are read, as Notion packs them', async () => {
  const id = '0123456789abcdef0123456789abcdef';
  const part = zipSync({
    'Private & Shared/': new Uint8Array(),
    [`Private & Shared/Ideas ${id}/An idea ${id}.md`]: strToU8(
      '# An idea\n\nCreated: September 13, 2020\n\nText #later\n',
    ),
    [`Private & Shared/Ideas ${id}/picture.png`]: new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
    'paper.pdf': strToU8('%PDF-1.7\n'),
  });
  const zip = zipSync({ 'Export-0b1c2d3e-1111-2222-3333-444455556666-Part-1.zip': [part, { level: 0 }] });
  const place = write('notion.zip', zip);
  const entries = await entriesOf(place);
  const inside = join(place, 'Export-0b1c2d3e-1111-2222-3333-444455556666-Part-1.zip');
  expect(entries).toMatchObject([
    {
      kind: 'file',
      path: join(inside, `Private & Shared/Ideas ${id}/An idea ${id}.md`),
      title: 'An idea',
      tags: ['Ideas', 'later'],
      bytes: expect.any(Uint8Array) as Uint8Array,
    },
    { kind: 'refusal', what: expect.stringContaining('picture.png') as string },
    { kind: 'file', path: join(inside, 'paper.pdf'), title: null, tags: [] },
  ]);
});

test('archives may have backslashes, folders, system files, and a damaged archive inside', async () => {
  const zip = zipSync({
    'Takeout\\YouTube\\playlists\\Mine-videos.csv': strToU8('Video ID,Time Added\ndQw4w9WgXcQ,2020-09-13T10:00:00Z\n'),
    './list.txt': strToU8(`${url}\n`),
    'Takeout/': new Uint8Array(),
    '__MACOSX/._list.txt': new Uint8Array([0, 5, 22, 7]),
    'Takeout/.DS_Store': new Uint8Array([0, 0, 0, 1]),
    'broken.zip': strToU8('PK\u0003\u0004 and nothing more'),
  });
  const { entries } = await read('takeout.zip', zip);
  expect(entries.filter((one) => typeof one === 'string')).toEqual([
    'failed: broken.zip: the archive is damaged or cut off, or its form is unusual: unpack it with a program of your system, and import the folder',
  ]);
  expect(entries).toContainEqual(page({}));
  expect(entries).toContainEqual(
    page({ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', tags: ['Mine'], date: '2020-09-13' }),
  );
});

/** An archive of one stored file whose sizes and places stand in the fields of ZIP64 alone. */
function zip64(name: string, content: string, flags = 0): Buffer {
  const [path, bytes] = [Buffer.from(name), Buffer.from(content)];
  /** @param lengths the bytes of each value, a digit for each */
  const fields = (lengths: string, values: readonly number[]) =>
    Buffer.concat(
      values.map((value, at) => {
        const field = Buffer.alloc(8);
        field.writeBigUInt64LE(BigInt(value));
        return field.subarray(0, Number(lengths.charAt(at)));
      }),
    );
  const most = 0xffffffff;
  const extra = fields('22888', [1, 24, bytes.length, bytes.length, 0]);
  const local = fields('4222444422', [0x04034b50, 45, flags, 0, 0, 0, most, most, path.length, 0]);
  const about = fields('422224444', [0x02014b50, 45, 45, flags, 0, 0, 0, most, most]);
  const places = fields('2222244', [path.length, extra.length, 0, 0, 0, 0, most]);
  const files = Buffer.concat([local, path, bytes]);
  const directory = Buffer.concat([about, places, path, extra]);
  const end64 = fields('4822448888', [0x06064b50, 44, 45, 45, 0, 0, 1, 1, directory.length, files.length]);
  const locator = fields('4484', [0x07064b50, 0, files.length + directory.length, 1]);
  const end = fields('42222442', [0x06054b50, 0, 0, 0xffff, 0xffff, most, most, 0]);
  return Buffer.concat([files, directory, end64, locator, end]);
}

test('archives larger than 4 GB (ZIP64) are read, and archives with a password refused', async () => {
  expect((await read('large.zip', zip64('list.txt', `${url}\n`))).entries).toEqual([page({})]);
  expect((await read('locked.zip', zip64('list.txt', `${url}\n`, 1))).entries).toEqual([
    'failed: list.txt: it is protected by a password: unpack the archive, and import the folder',
  ]);
  const lying = zip64('list.txt', `${url}\n`);
  lying.writeBigUInt64LE(1n << 60n, lying.length - 22 - 20 - 56 + 48);
  await expect(read('lying.zip', lying)).rejects.toThrow('damaged or cut off');
});

test('a Logseq graph: days and tags of several words are read, without backup copies', async () => {
  write('graph/journals/2020_09_13.md', '- A thought #idea\r\n');
  write('graph/pages/Plan.md', '\ufefftitle:: A plan\r\ntags:: [[two words]], #one\r\n\r\n- text\r\n');
  write('graph/logseq/bak/pages/Plan/2020-09-12T10_00_00.000Z.Desktop.md', '- text before\n');
  const entries = await entriesOf(join(folder, 'graph'));
  expect(entries.map(shown)).toEqual([
    expect.objectContaining({ title: '2020_09_13', tags: ['idea'], date: '2020-09-13' }),
    expect.objectContaining({ title: 'A plan', tags: ['two words', 'one'] }),
  ]);
});

test('long notes are cut, and the report says so', async () => {
  const path = write('long.csv', `url,note\n${url},"${'Wort '.repeat(40_000)}"\n`);
  const [entry] = await entriesOf(path);
  expect(entry).toMatchObject({ kind: 'address', shortened: ['the notes were cut to 10000 characters'] });
});
