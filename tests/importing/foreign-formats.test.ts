import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportEntry } from '../../src/domain/records/transfers/import.ts';
import { formatNames, recognise } from '../../src/importing/recognise-format.ts';
import { entriesOf, folder, read, shown, write } from './written-exports.ts';
import { rows } from '../support/texts/rows.ts';

/* Exports whose form is that of one program alone: each is read for what it is, and what is not taken of it is named. */

async function entriesIn(name: string, content: unknown): Promise<ImportEntry[]> {
  return entriesOf(write(name, typeof content === 'string' ? content : JSON.stringify(content)));
}

/** The texts of notes, and of pages that are kept. */
function textsOf(entries: readonly ImportEntry[]): (string | undefined)[] {
  return entries.map((entry) =>
    entry.kind === 'text' ? entry.text : entry.kind === 'address' ? (entry.page?.text ?? entry.page?.html) : undefined,
  );
}

function notTaken(entries: readonly ImportEntry[]): string[] {
  return entries.flatMap((entry) => ('shortened' in entry ? entry.shortened : []));
}

const microseconds = Date.UTC(2020, 8, 13) * 1_000;

test('the documentation names every supported format', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/importing.md'), 'utf8');
  expect(formatNames.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});

test('Google Keep: notes, checklists, labels and links are read, without trash and duplicates', async () => {
  const note = (more: object) => ({
    color: 'DEFAULT',
    isTrashed: false,
    isPinned: false,
    isArchived: false,
    title: '',
    createdTimestampUsec: microseconds,
    userEditedTimestampUsec: microseconds + 9e12,
    ...more,
  });
  const notes = {
    Boat: note({
      title: 'Boat',
      textContent: 'Paint the hull.',
      textContentHtml: '<p>Paint the hull.</p>',
      labels: [{ name: 'sea' }, { name: 'to do' }],
      annotations: [{ source: 'WEBLINK', title: 'Paint', url: 'https://example.com/paint' }],
      attachments: [{ filePath: 'hull.jpg', mimetype: 'image/jpeg' }],
    }),
    Gone: note({ title: 'Gone', textContent: 'x', isTrashed: true }),
    Link: note({ title: 'A page', textContent: 'https://example.com/kept ' }),
    List: note({
      isPinned: true,
      isArchived: true,
      listContent: [
        { text: 'rope', isChecked: true },
        { text: 'tar', isChecked: false },
      ],
    }),
    Twin: note({ textContent: 'made in the same moment' }),
  };
  for (const [name, content] of Object.entries(notes)) {
    write(`Keep/${name}.json`, JSON.stringify(content));
    write(
      `Keep/${name}.html`,
      `<?xml version="1.0" ?><!DOCTYPE html><html><body><div class="note"><div class="heading">today</div><div class="content">x</div></div></body></html>`,
    );
  }
  write('Keep/Labels.txt', 'sea\nto do\n');
  const entries = await entriesOf(join(folder, 'Keep'));
  expect(entries.map(shown)).toEqual([
    { url: null, title: 'Boat', tags: ['sea', 'to do'], notes: null, date: '2020-09-13' },
    'skipped: Gone: it is in the trash of Google Keep',
    { url: 'https://example.com/kept', title: 'A page', tags: [], notes: null, date: '2020-09-13' },
    { url: null, title: null, tags: ['favourite', 'archived'], notes: null, date: '2020-09-13' },
    { url: null, title: null, tags: [], notes: null, date: '2020-09-13' },
  ]);
  expect(textsOf(entries)).toEqual([
    'Paint the hull.\n\n[Paint](https://example.com/paint)',
    undefined,
    undefined,
    '- [x] rope\n- [ ] tar',
    'made in the same moment',
  ]);
  expect(notTaken(entries)).toContain('the attachment hull.jpg is not taken');
  expect(new Set(entries.flatMap((entry) => (entry.kind === 'text' ? [entry.name] : []))).size).toBe(3);
});

test.each([
  ['a package', { name: 'x', contributors: [{ name: 'Ann', email: 'a@b.c', url: 'https://ann.example/' }] }],
  ['a licence', { licenses: [{ type: 'MIT', url: 'https://opensource.org/licenses/MIT' }] }],
  ['a chat', { title: 'A chat', messages: [{ role: 'user', link: 'https://example.com/x', text: 'words' }] }],
  ['attachments', { items: [{ url: 'https://example.com/x.png', mimeType: 'image/png', title: 'x' }] }],
  ['people', [{ name: 'Ann', email: 'a@b.c', url: 'https://ann.example/' }]],
  ['things without a word', [{ url: 'https://example.com/x', height: 3 }]],
  ['nested lists', { a: { b: [{ url: 'https://example.com/x', title: 'T' }] } }],
])('addresses in JSON that is %s are not bookmarks', async (_, content) => {
  expect((await entriesIn('other.json', content)).map(shown)).toEqual([expect.stringMatching(/^failed: other\.json/)]);
});

test("Chrome and Firefox JSON: folders, tags and dates are read, without the browser's own folders", async () => {
  const chrome = {
    checksum: 'c',
    roots: {
      bookmark_bar: {
        name: 'Lesezeichenleiste',
        type: 'folder',
        children: [
          {
            name: 'Sea',
            type: 'folder',
            children: [
              { name: 'Knots', type: 'url', url: 'https://example.com/knots', date_added: '13244473600000000' },
            ],
          },
        ],
      },
      other: { name: 'Other', type: 'folder', children: [{ name: 'JS', type: 'url', url: 'javascript:void(0)' }] },
    },
    version: 1,
  };
  const entries = await entriesIn('Bookmarks', chrome);
  expect(entries.map(shown)).toEqual([
    { url: 'https://example.com/knots', title: 'Knots', tags: ['Sea'], notes: null, date: '2020-09-13' },
    expect.stringMatching(/^skipped: javascript/),
  ]);
  expect(notTaken(entries)).toEqual(['not taken: type']);
  const container = { type: 'text/x-moz-place-container', typeCode: 2 };
  const place = (title: string, more: object) => ({
    type: 'text/x-moz-place',
    title,
    dateAdded: microseconds,
    ...more,
  });
  const firefox = {
    ...container,
    root: 'placesRoot',
    children: [
      {
        ...container,
        title: 'menu',
        root: 'bookmarksMenuFolder',
        children: [
          {
            ...container,
            title: 'Sea',
            children: [place('Knots', { uri: 'https://example.com/knots', tags: 'a,b c' })],
          },
          { type: 'text/x-moz-place-separator' },
        ],
      },
      { ...container, title: 'tags', root: 'tagsFolder', children: [place('twice', { uri: 'https://example.com/2' })] },
    ],
  };
  expect((await entriesIn('bookmarks-2020-09-13.json', firefox)).map(shown)).toEqual([
    { url: 'https://example.com/knots', title: 'Knots', tags: ['Sea', 'a', 'b c'], notes: null, date: '2020-09-13' },
  ]);
  expect((await entriesIn('bookmarks.jsonlz4', 'mozLz40\0\u0001\u0002')).map(shown)).toEqual([
    expect.stringMatching(/^failed: .*In its library, choose Import and Backup, Backup…/),
  ]);
});

const enex = (notes: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n<en-export export-date="20240101T000000Z" application="Evernote">${notes}</en-export>`;
const enml = (body: string): string =>
  `<content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note>${body}</en-note>]]></content>`;

test('Evernote: texts, checkboxes, tables, tasks, clips with their text, and attachments are read', async () => {
  const entries = await entriesIn(
    'notes.enex',
    enex(`
<note><title>Sail &amp; rope</title><created>20200913T122640Z</created><updated>20210101T000000Z</updated><tag>sea</tag><tag>two words</tag>
<note-attributes><author>Ann</author><latitude>1.5</latitude></note-attributes>
${enml(
  '<h1>Plan</h1><div>First&nbsp;line<br/>second</div><div><en-todo checked="true"/>mast</div><div><en-todo/>boom</div>' +
    '<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>done</div></li><li><div>open</div></li></ul>' +
    '<ul><li><div>outer</div><ul><li>inner</li></ul></li></ul>' +
    '<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>' +
    '<div>See <a href="https://example.com/knots">knots</a>. 1 &lt; 2</div><en-media type="image/png" hash="00"/><en-crypt>c2VjcmV0</en-crypt>',
)}
<task><title>Buy tar</title><taskStatus>open</taskStatus></task>
<resource><data encoding="base64">aGVsbG8=</data><mime>application/pdf</mime><resource-attributes><file-name>chart.pdf</file-name></resource-attributes></resource></note>
<note><title>A clip</title><created>20200914T000000Z</created><note-attributes><source>web.clip</source><source-url>https://example.com/clip</source-url></note-attributes>${enml('<div>What the page said.</div>')}</note>
<note><title>Twin</title><created>20200914T000000Z</created>${enml('one')}</note><note><title>Twin</title><created>20200914T000000Z</created>${enml('two')}</note>`),
  );
  expect(entries.map(shown)).toEqual([
    { url: null, title: 'Sail & rope', tags: ['sea', 'two words'], notes: null, date: '2020-09-13' },
    { url: 'https://example.com/clip', title: 'A clip', tags: [], notes: null, date: '2020-09-14' },
    { url: null, title: 'Twin', tags: [], notes: null, date: '2020-09-14' },
    { url: null, title: 'Twin', tags: [], notes: null, date: '2020-09-14' },
  ]);
  expect(textsOf(entries)).toEqual([
    [
      '# Plan',
      'First line\nsecond',
      '- [x] mast\n- [ ] boom\n- [x] done\n- [ ] open\n- outer\n  - inner',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
      'See [knots](https://example.com/knots). 1 < 2',
      '- [ ] Buy tar',
    ].join('\n\n'),
    'What the page said.',
    'one',
    'two',
  ]);
  expect(notTaken(entries)).toEqual([
    'the attachment chart.pdf is not taken',
    'its encrypted part is not taken',
    'not taken: author, latitude',
  ]);
  expect(new Set(entries.flatMap((entry) => (entry.kind === 'text' ? [entry.name] : []))).size).toBe(3);
});

test("a page in an export becomes the page's text", async () => {
  const page = (content: string) => ({ url: 'https://example.com/a', title: 'T', is_archived: 0, content });
  const [kept, missing] = await entriesIn('wallabag.json', [
    page('<p>Words of the page.</p>'),
    page("wallabag can't retrieve contents for this article."),
  ]);
  expect(kept).toMatchObject({ kind: 'address', page: { html: '<p>Words of the page.</p>' } });
  expect(missing).not.toHaveProperty('page');
  const table = `Title;URL;Content;Tags;"MIME Type";Language;"Creation date"\nT;https://example.com/a;"<p>In a table.</p>";x;text/html;en;"13/09/2020 10:00:00"\n`;
  expect(textsOf(await entriesIn('wallabag.csv', table))).toEqual(['<p>In a table.</p>']);
});

test("Inoreader: labels, marks, the feed's time and the article's address are read", async () => {
  const entries = await entriesIn('starred.json', {
    id: 'user/-/state/com.google/starred',
    title: 'Starred',
    items: [
      {
        id: 'tag:google.com,2005:reader/item/0000000000000001',
        title: 'Knots &rsquo;n ropes',
        published: 1_500_000_000,
        crawlTimeMsec: String(microseconds / 1_000),
        canonical: [{ href: 'https://example.com/knots' }],
        categories: ['user/-/state/com.google/starred', 'user/-/label/Sea', 'user/-/state/com.google/reading-list'],
        annotations: [{ id: 7, text: 'a mark', note: 'why', added_on: 1_600_000_000 }],
        summary: { content: '<p>short</p>' },
      },
    ],
  });
  expect(entries.map(shown)).toEqual([
    {
      url: 'https://example.com/knots',
      title: 'Knots ’n ropes',
      tags: ['favourite', 'Sea'],
      notes: null,
      date: '2020-09-13',
      marked: [['a mark', 'why']],
    },
  ]);
  expect(notTaken(entries)).toEqual(['not taken: id, published, summary']);
});

test('a Todoist project becomes a note with its tasks, and a task that is a link a bookmark', async () => {
  const csv = [
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE',
    'meta,view_style=list,,,,,,,,',
    'task,Paint the hull @boat,with two coats,1,1,Ann (1),,5 Oct,en,UTC',
    'note,ask Bob,,,,Ann (1),,,,',
    'task,Sand it,,4,2,Ann (1),,,en,',
    ',,,,,,,,,',
    'section,Later,,,,,,,,',
    'task,[Knots](https://example.com/knots) @read,about bowlines,4,1,,,,,',
    'note,found by Eve,,,,,,,,',
    'task,https://example.com/sails,,4,1,,,,,',
  ].join('\r\n');
  const entries = await entriesIn('Boat [123].csv', csv);
  expect(entries.map(shown)).toEqual([
    {
      url: 'https://example.com/knots',
      title: 'Knots',
      tags: ['Boat', 'Later', 'read'],
      notes: 'about bowlines\n\nfound by Eve',
      date: null,
    },
    { url: 'https://example.com/sails', title: null, tags: ['Boat', 'Later'], notes: null, date: null },
    { url: null, title: 'Boat', tags: ['Todoist'], notes: null, date: null },
  ]);
  expect(textsOf(entries).at(-1)).toBe(
    '- [ ] Paint the hull @boat (due 5 Oct)\n  with two coats\n  ask Bob\n  - [ ] Sand it\n\n## Later',
  );
  expect(notTaken(entries)).toEqual(['not taken: PRIORITY, AUTHOR, DATE_LANG, TIMEZONE']);
});

test('Readwise Reader locations become shelves, and feed entries do not go to the inbox', async () => {
  const rows = ['new', 'later', 'shortlist', 'archive', 'feed'].map(
    (place, at) => `T,https://example.com/${at},,,0.25,${place}`,
  );
  const csv = ['Title,URL,Document tags,Saved date,Reading progress,Location', ...rows].join('\n');
  const entries = await entriesIn('reader.csv', csv);
  expect(entries.map((entry) => entry.kind === 'address' && entry.state)).toEqual([
    { shelf: 'inbox', readAt: null, readingShare: 0.25 },
    { shelf: 'later', readAt: null, readingShare: 0.25 },
    { shelf: 'later', readAt: null, readingShare: 0.25 },
    { shelf: 'archive', readAt: expect.any(Number) as number, readingShare: 0.25 },
    undefined,
  ]);
});

test('single files of our own export have the shelf and the reading position', async () => {
  const time = '2026-01-02T03:04:05.000Z';
  const line = { id: 'c_4kq7m2zt6wxp3ahr', url: 'https://example.com/a', title: 'T', tags: [], shelf: 'later' };
  const lines = [
    { readAt: time, reading: { start: 3, share: 0.5 } },
    { readAt: null, reading: null },
  ];
  const jsonl = lines.map((more) => JSON.stringify({ ...line, ...more })).join('\n');
  expect((await entriesIn('own.jsonl', jsonl)).map(shown)).toMatchObject([
    { tags: [], state: 'later, 2026-01-02, 50 %' },
    { tags: [], state: 'later' },
  ]);
  const csv = `url,title,tags,notes,created,status,id,shelf,read\nhttps://example.com/a,T,,,2026-01-01T00:00:00Z,completed,c_x,inbox,${time}\nhttps://example.com/b,T,,,,completed,c_y,archive,\n`;
  expect((await entriesIn('own.csv', csv)).map(shown)).toMatchObject([
    { state: 'inbox, 2026-01-02' },
    { state: 'archive' },
  ]);
});

test('Goodreads books become notes with their shelves, review and dates', async () => {
  const csv =
    'Book Id,Title,Author,Additional Authors,ISBN,ISBN13,My Rating,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review,Private Notes,Binding\n' +
    '1,Knots,Ann Author,Bob Other,="0306406152",="9780306406157",4,1999,1951,2020/10/01,2020/09/13,"sea, to-keep",read,"Good.<br/><br/>Very <b>good</b>.",mine,Paperback\n';
  const entries = await entriesIn('goodreads_library_export.csv', csv);
  expect(entries.map(shown)).toEqual([
    {
      url: null,
      title: 'Knots',
      tags: ['sea', 'to-keep'],
      state: 'read, 2020-10-01',
      notes: 'mine',
      date: '2020-09-13',
    },
  ]);
  expect(textsOf(entries)).toEqual([
    'Knots\n\nAnn Author, Bob Other · 1951 · ISBN 9780306406157 · my rating: 4 of 5 · read on 2020/10/01\n\nGood.\n\nVery good.',
  ]);
  expect(notTaken(entries)).toEqual(['not taken: Binding']);
});

test('Zotero: the date of adding, own tags and notes are read, and a DOI in place of an address', async () => {
  const head =
    'Key,Item Type,Publication Year,Author,Title,ISBN,DOI,Url,Abstract Note,Date,Date Added,Notes,Manual Tags,Automatic Tags';
  const rows = [
    'A,journalArticle,1999,Ann,One,,10.1000/1,https://example.com/one,An abstract.,1999-01,2020-09-13 10:00:00,"<p>My <b>note</b></p>",sea; two words,Physics',
    'B,journalArticle,2001,Ann,Two,,https://doi.org/10.1000/2,,,2001,2020-09-13 10:00:00,,,',
    'C,book,2002,Ann,Three,9780306406157,,,About knots.,2002,2020-09-13 10:00:00,<p>Read it.</p>,,',
  ];
  const entries = await entriesIn('zotero.csv', [head, ...rows].join('\n'));
  expect(entries.map(shown)).toEqual([
    { url: 'https://example.com/one', title: 'One', tags: ['sea', 'two words'], notes: 'My note', date: '2020-09-13' },
    { url: 'https://doi.org/10.1000/2', title: 'Two', tags: [], notes: null, date: '2020-09-13' },
    { url: null, title: 'Three', tags: [], notes: null, date: '2020-09-13' },
  ]);
  expect(textsOf(entries)[2]).toBe('Three\n\nAnn · 2002 · ISBN 9780306406157\n\nAbout knots.\n\nRead it.');
  expect(notTaken(entries)[0]).toBe(
    'not taken: Key, Item Type, Publication Year, Author, DOI, Abstract Note, Date, Automatic Tags',
  );
});

test('Instapaper JSON has tags, and Reddit posts do not get their ids as titles', async () => {
  const instapaper = `URL,Title,Selection,Folder,Timestamp,Tags\nhttps://example.com/a,T,,Sea,1600000000,"[""two words"",""knots, ropes""]"\nhttps://example.com/b,U,,Unread,1600000000,[]\n`;
  expect((await entriesIn('instapaper.csv', instapaper)).map(shown)).toMatchObject([
    { title: 'T', tags: ['Sea', 'two words', 'knots ropes'] },
    { title: 'U', tags: [], state: 'inbox' },
  ]);
  const reddit = 'id,permalink\nabc,https://www.reddit.com/r/x/comments/abc/t/\n';
  expect((await entriesIn('saved_posts.csv', reddit)).map(shown)).toMatchObject([
    { url: 'https://www.reddit.com/r/x/comments/abc/t/', title: null },
  ]);
  expect((await entriesIn('hidden_posts.csv', reddit)).map(shown)).toEqual([expect.stringMatching(/^skipped: /)]);
});

test('watched videos are read from JSON and HTML, without searches, advertisements and lost videos', async () => {
  const seen = (title: string, more: object) => ({
    header: 'YouTube',
    title,
    time: '2020-09-13T10:00:00.000Z',
    products: ['YouTube'],
    ...more,
  });
  const titleUrl = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
  const entries = await entriesIn('watch-history.json', [
    seen('Watched How to tie knots', {
      titleUrl,
      subtitles: [{ name: 'Sea', url: 'https://www.youtube.com/channel/UC1' }],
    }),
    seen('Knoten angesehen', { titleUrl }),
    seen('Katsottu: solmut', { titleUrl }),
    seen(`Watched ${titleUrl}`, {}),
    seen('Watched an advertisement', { titleUrl, details: [{ name: 'From Google Ads' }] }),
    seen('Searched for knots', { titleUrl: 'https://www.youtube.com/results?search_query=knots' }),
    seen('Watched a video that has been removed', {}),
  ]);
  const video = { url: titleUrl, tags: ['watched'], notes: null, date: '2020-09-13' };
  expect(entries.map(shown)).toEqual([
    { ...video, title: 'How to tie knots' },
    { ...video, title: 'Knoten' },
    { ...video, title: null },
    { ...video, title: null },
    expect.stringMatching(/^skipped: .*advertisement/),
    expect.stringMatching(/^skipped: .*not a video/),
    expect.stringMatching(/^skipped: .*gone/),
  ]);
  expect(notTaken(entries)).toEqual(['not taken: subtitles']);
  const cell = (body: string, about = '') =>
    `<div class="outer-cell mdl-cell mdl-cell--12-col"><div class="mdl-grid"><div class="content-cell mdl-cell mdl-cell--6-col">${body}<br></div><div class="content-cell mdl-cell mdl-cell--12-col"><b>Products:</b><br>&emsp;YouTube<br>${about}</div></div></div>`;
  const channel = '<br><a href="https://www.youtube.com/channel/UC1">Sea</a><br>';
  const html = `<html><body><div class="mdl-grid">${cell(`Watched&nbsp;<a href="${titleUrl}">Knots &amp; ropes</a>${channel}Sep 13, 2020, 9:15:24 PM BST`)}${cell(`<a href="${titleUrl}">Knoten</a> angesehen${channel}13.09.2020, 21:15:24 MESZ`)}${cell(`Watched&nbsp;<a href="${titleUrl}">Ad</a>`, 'From Google Ads')}</div></body></html>`;
  expect((await entriesIn('watch-history.html', html)).map(shown)).toEqual([
    { ...video, title: 'Knots & ropes' },
    { ...video, title: 'Knoten' },
    expect.stringMatching(/^skipped: .*advertisement/),
  ]);
});

test.each(
  rows(`
  English :: Your Highlight on page 5 | Location 80-82 :: Your Note on Location 82 :: Added on Sunday, September 13, 2020 9:04:11\u202fPM
  British :: Your Highlight at location 80-82 :: Your Note at location 82 :: Added on Sunday, 13 September 2020 21:04:11
  German :: Ihre Markierung auf Seite 5 | bei Position 80-82 :: Ihre Notiz bei Position 82 :: Hinzugefügt am Sonntag, 13. September 2020 21:04:11
  French :: Votre surlignement sur la page 5 | emplacement 80-82 :: Votre note sur la page 5 | emplacement 82 :: Ajouté le dimanche 13 septembre 2020 21:04:11
  Spanish :: La subrayado en la página 5 | posición 80-82 :: La nota en la posición 82 :: Añadido el domingo, 13 de septiembre de 2020 21:04:11
  Italian :: La tua evidenziazione alla posizione 80-82 ::  La tua nota alla posizione 82 :: Aggiunto in data domenica 13 settembre 2020 21:04:11
  Portuguese :: Seu destaque na página 5 | posição 80-82 :: Sua nota ou posição 82 :: Adicionado: domingo, 13 de setembro de 2020 21:04:11
  Dutch :: Je markering op locatie 80 t/m 82 :: Je notitie op locatie 82 :: Toegevoegd op zondag 13 september 2020 21:04:11
  Russian :: Ваш выделенный отрывок в месте 80–82 :: Ваша заметка в месте 82 :: Добавлено: воскресенье, 13 сентября 2020 г. в 21:04:11
  Polish :: Twoje podkreślenie w pozycji 80-82 :: Twoja notatka w pozycji 82 :: Dodano: niedziela, 13 września 2020 21:04:11
  Japanese :: 5ページ|位置No. 80-82のハイライト  :: 位置No. 82のメモ  :: 作成日: 2020年9月13日日曜日 21:04:11
  Chinese :: 您在第 5 页（位置 #80-82）的标注  :: 您在位置 #82 的笔记  :: 添加于 2020年9月13日星期日 下午9:04:11
`),
)('Kindle clippings in %s have their dates and notes', async (language, highlight, note, added) => {
  const mark = language === 'Russian' ? '–' : '-';
  const clipping = (facts: string, words: string) =>
    `Ein Buch (Ann)\r\n${mark} ${facts}|${added}\r\n\r\n${words}\r\n==========\r\n`;
  const entries = await entriesIn(
    'clippings.txt',
    `\ufeff${clipping(`${highlight} `, 'marked words')}${clipping(`${note} `, 'a thought')}`,
  );
  expect(entries).toMatchObject([
    {
      title: 'Ein Buch',
      createdAt: Date.UTC(2020, 8, 13, 21, 4, 11),
      highlights: [{ source: 'id:place 80', quote: 'marked words', note: 'a thought' }],
    },
  ]);
});

test('Kindle clippings may begin with a separator line and have truncated endings of old devices', async () => {
  const file = `\n==========\nA Book (Ann)\n- Highlight Loc. 1345-47 | Added on Tuesday, April 24, 2012, 04:13 PM\n\nmarked words\n==========\nA Book (Ann)\n- Note Loc. 1347 | Added on Tuesday, April 24, 2012, 04:14 PM\n\na thought\n==========\n`;
  expect(await entriesIn('My Clippings.txt', file)).toMatchObject([
    { title: 'A Book', createdAt: Date.UTC(2012, 3, 24, 16, 13), highlights: [{ note: 'a thought' }] },
  ]);
});

test.each([
  [
    'bullets',
    '# mine\n- https://example.com/a\n* <https://example.com/b>\n3. [Three](https://example.com/c)\n- [ ] Four: https://example.com/d\nhttps://example.com/e | Five\nSix – https://example.com/f.\n',
    [null, null, 'Three', 'Four', 'Five', 'Six'],
  ],
  [
    'titles above',
    'One\nhttps://example.com/a\n\nTwo\nhttps://example.com/b\n\nThree\nhttps://example.com/c\n',
    ['One', 'Two', 'Three'],
  ],
  [
    'Markdown',
    '# Links\n\n## Sea\n- [Knots](https://example.com/a "hint") about bowlines\n- [Sails](<https://example.com/b>)\n- [Tar](https://example.com/c)\n',
    ['Knots', 'Sails', 'Tar'],
  ],
  ['a bracket first', '<https://example.com/a>\n[Two](https://example.com/b)\n', [null, 'Two']],
  ['links alone', '[One](https://example.com/a)\n[Two](https://example.com/b)\n', ['One', 'Two']],
])('a list of addresses with %s has the titles of its lines', async (kind, content, titles) => {
  const entries = await entriesIn(kind === 'Markdown' ? 'links.md' : 'links.txt', content);
  expect(entries).toMatchObject(
    titles.map((title, at) => ({ url: `https://example.com/${'abcdef'.charAt(at)}`, title })),
  );
});

test('a Markdown note with some links stays a note, and so does every note of a folder', async () => {
  const note = 'I read [this](https://example.com/a) and [that](https://example.com/b).\n\nIt was long.\n';
  expect(await entriesIn('thoughts.md', note)).toMatchObject([{ kind: 'file' }]);
  write('links-vault/links.md', '- [Knots](https://example.com/a)\n- [Sails](https://example.com/b)\n');
  write('links-vault/other.md', 'text\n');
  expect((await entriesOf(join(folder, 'links-vault'))).map(({ kind }) => kind)).toEqual(['file', 'file']);
});

test('tables may have addresses without a scheme, and prefer the date of adding; unknown columns are ignored', async () => {
  expect((await entriesIn('sites.tsv', 'url\ttitle\nexample.com/a\tA\nwww.example.com\tB\n')).map(shown)).toMatchObject(
    [
      { url: 'https://example.com/a', title: 'A' },
      { url: 'https://www.example.com/', title: 'B' },
    ],
  );
  const entries = await entriesIn(
    'dates.csv',
    'Date,Title,Link,Date Added,Price\n2001-01-01,A,https://example.com/a,2020-09-13,5\n,B,https://example.com/b,,6\n',
  );
  expect(entries.map(shown)).toMatchObject([{ date: '2020-09-13' }, { date: null }]);
  expect(notTaken(entries)).toEqual(['not taken: Date, Price']);
});

test("bookmark files may lack the first line, have Safari's own folders, and linkding's marks", async () => {
  const plain =
    '<html><body><h1>Bookmarks</h1><DL><p><DT><H3>Sea</H3><DL><p><DT><A HREF="https://example.com/a">A</A></DL><p></DL><p></body></html>';
  expect((await entriesIn('plain.html', plain)).map(shown)).toMatchObject([{ title: 'A', tags: ['Sea'] }]);
  const safari = (folders: readonly string[]) =>
    `<!DOCTYPE NETSCAPE-Bookmark-file-1><HTML><Title>x</Title>${folders.map((name) => `<DT><H3 FOLDED${name === 'x' ? ' id="com.apple.ReadingList"' : ''}>${name}</H3><DL><p><DT><A HREF="https://example.com/a">A</A></DL><p>`).join('')}</HTML>`;
  const names = [
    'Favorites',
    'Bookmarks Menu',
    'x',
    'Favoris',
    'Menu des signets',
    'Preferiti',
    'お気に入り',
    'ブックマークメニュー',
    'Leseliste',
  ];
  expect(
    (await entriesIn('safari.html', safari(names))).flatMap((entry) => ('tags' in entry ? entry.tags : [])),
  ).toEqual([]);
  const linkding = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
<DT><A HREF="https://example.com/a" ADD_DATE="1600000000" LAST_MODIFIED="1600000001" PRIVATE="1" TOREAD="0" TAGS="sea,linkding:bookmarks.archived">A</A>
<DD>About it[linkding-notes]My note &amp; more[/linkding-notes]
<DT><A HREF="https://example.com/b" PRIVATE="0" TOREAD="1" TAGS="">B</A></DL>`;
  const entries = await entriesIn('linkding.html', linkding);
  expect(entries.map(shown)).toEqual([
    {
      url: 'https://example.com/a',
      title: 'A',
      tags: ['sea'],
      state: 'read',
      notes: 'About it\n\nMy note & more',
      date: '2020-09-13',
    },
    { url: 'https://example.com/b', title: 'B', tags: [], state: 'inbox', notes: null, date: null },
  ]);
  expect(notTaken(entries)).toEqual(['not taken: last_modified, private']);
});

const mailsOf = (entries: readonly ImportEntry[]) =>
  entries.map((entry) => (entry.kind === 'mail' ? Buffer.from(entry.bytes).toString() : entry.kind));

test('a text that only begins like a mailbox is a note', async () => {
  for (const text of [
    'From 10:00 to 11:30 on 3 May 2024 we talked.\n\nMore',
    'From our talk at 10:30 on 3 May 2024:\nhttps://example.org/\nhttps://example.org/two\n',
    'From ada@lamp.example, 3 May 2024\n\nhttps://example.org/\n',
    'From ada@lamp.example, 3 May 2024\nNote: call her\n',
  ])
    expect(recognise('talk.txt', text, true)).not.toBe('mailbox');
  const note = write('talk.md', 'From - Thu Jun  6 10:46:09 2024\nAgenda: the lamp\n');
  expect((await entriesOf(note)).map(({ kind }) => kind)).toEqual(['file']);
});

test.each([
  ['without a time', 'From ada@lamp.example Mon May 3 2004\nSubject: A'],
  [
    'with lines of old relays',
    'From ada Thu Jun  6 10:46:09 2024\n>From eve Thu Jun  6 10:46:08 2024 remote from b\nSubject: A',
  ],
  ['behind a byte order mark and space', '\ufeff \r\n\nFrom - Thu Jun  6 10:46:09 2024\nSubject: A'],
])('a mailbox may begin %s', async (_name, start) => {
  const entries = await entriesOf(write('start.mbox', `${start}\n\nOne.\n\n${start.trim()}\n\nTwo.\n`));
  expect(mailsOf(entries).map((mail) => mail.trim())).toEqual(['Subject: A\n\nOne.', 'Subject: A\n\nTwo.']);
});

test('a mail without header fields begins only after an empty line, with an address', async () => {
  const head = 'From - Thu Jun  6 10:46:09 2024\nSubject: A\n\nOne.';
  const noMails = [
    '\nFrom ada@lamp.example 10:30 on 3 May 2024\n\nit was dark.',
    '\n\nFrom 10:30 on 3 May 2024\n\nit was.',
  ];
  const mails = ['ada@lamp.example', '-', 'MAILER-DAEMON'].map(
    (sender) => `From ${sender} Thu Jun  6 10:46:09 2024\n\nBy ${sender}.`,
  );
  for (const end of ['\n', '\r\n']) {
    const place = write('bare.mbox', [head + noMails.join(''), ...mails].join('\n\n').replaceAll('\n', end));
    const entries = await entriesOf(place);
    expect(mailsOf(entries).map((mail) => mail.trim().split(/\s/).at(-1))).toEqual([
      'was.',
      'ada@lamp.example.',
      '-.',
      'MAILER-DAEMON.',
    ]);
  }
});

test("a mail's subject may be in any encoding", async () => {
  const mail = (subject: string, type = '') =>
    `From - Thu Jun  6 10:46:09 2024\nSubject: ${subject}\n${type}\nText.\n\n`;
  const type = 'Content-Type: text/plain; charset=iso-8859-2\n';
  const bytes = [
    Buffer.from(mail('Lämpchen')),
    Buffer.from(mail('Lämpchen'), 'latin1'),
    Buffer.from(mail('\u00b3ampa', type), 'latin1'),
  ];
  const { entries } = await read('encodings.mbox', Buffer.concat(bytes));
  expect(entries).toMatchObject([{ title: 'Lämpchen' }, { title: 'Lämpchen' }, { title: 'łampa' }]);
});
