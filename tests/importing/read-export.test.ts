import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { entriesOf, folder, read, shown, write } from './written-exports.ts';

test('Chrome and Firefox bookmarks: folders, tags, descriptions and dates are read, and other schemes refused', async () => {
  const html = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
  <DT><H3 ADD_DATE="1600000000" PERSONAL_TOOLBAR_FOLDER="true">Lesezeichenleiste</H3>
  <DL><p>
    <DT><A HREF="https://example.com/one?a=1&amp;b=2" ADD_DATE="1600000000" ICON="data:image/png;base64,${'A'.repeat(60_000)}">One &amp; only</A>
    <DD>First line
second line
    <DT><H3>Cooking</H3>
    <DL><p>
      <DT><H3>Bread, rolls</H3>
      <DL><p>
        <DT><A HREF="https://example.com/bread" ADD_DATE="1600000000000000" TAGS="yeast,slow food">Bread</A>
      </DL><p>
      <DT><A HREF="https://example.com/soup" TOREAD="1">https://example.com/soup</A>
    </DL><p>
  </DL><p>
  <DT><H3>Other bookmarks</H3>
  <DL><p>
    <DT><A HREF="javascript:void(0)">A button</A>
    <DT><A HREF="place:sort=8">Recent</A>
    <DT><A HREF="https://user:secret@example.com/">Secret</A>
    <HR>
    <DT><A HREF="https://example.com/last">Last</A>
  </DL><p>
</DL><p>`;
  const { formats, entries } = await read('bookmarks.html', html);
  expect(formats).toEqual(['bookmarks (HTML)']);
  expect(entries).toEqual([
    {
      url: 'https://example.com/one?a=1&b=2',
      title: 'One & only',
      tags: [],
      notes: 'First line\nsecond line',
      date: '2020-09-13',
    },
    {
      url: 'https://example.com/bread',
      title: 'Bread',
      tags: ['Cooking', 'Bread rolls', 'yeast', 'slow food'],
      notes: null,
      date: '2020-09-13',
    },
    { url: 'https://example.com/soup', title: null, tags: ['Cooking'], state: 'inbox', notes: null, date: null },
    expect.stringMatching(/^skipped: javascript:void/),
    expect.stringMatching(/^skipped: place:/),
    expect.stringMatching(/^failed: .*user name or password/),
    { url: 'https://example.com/last', title: 'Last', tags: [], notes: null, date: null },
  ]);
});

test('the HTML lists of Pocket and Instapaper are read', async () => {
  const pocket = `<!DOCTYPE html><html><head><title>Pocket Export</title></head><body>
<h1>Unread</h1><ul><li><a href="https://example.com/a" time_added="1600000000" tags="x,y z">A</a></li></ul>
<h1>Read Archive</h1><ul><li><a href="https://example.com/b" time_added="1600000000" tags="">https://example.com/b</a></li></ul></body></html>`;
  expect((await read('ril_export.html', pocket)).entries).toEqual([
    { url: 'https://example.com/a', title: 'A', tags: ['x', 'y z'], state: 'inbox', notes: null, date: '2020-09-13' },
    { url: 'https://example.com/b', title: null, tags: [], state: 'read', notes: null, date: '2020-09-13' },
  ]);
  const instapaper = `<!DOCTYPE html><html><head><title>Instapaper: Export</title></head><body>
<h1>Unread</h1><ol><li><a href="https://example.com/a">A</a></ol><h1>Science</h1><ol><li><a href="https://example.com/b">B</a></ol></body></html>`;
  expect((await read('instapaper.html', instapaper)).entries).toMatchObject([
    { tags: [], state: 'inbox' },
    { title: 'B', tags: ['Science'] },
  ]);
});

test.each([
  [
    'Pocket (CSV)',
    'title,url,time_added,tags,status\n"Say ""hi"", all",https://example.com/a,1600000000,x|y z,archive\n',
    { title: 'Say "hi", all', tags: ['x', 'y z'], state: 'read' },
  ],
  [
    'Raindrop (CSV)',
    'id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n1,T,"my\nnote",teaser,https://example.com/a,Work/Ideas,"a, b",2020-09-13T10:00:00.000Z,,"Highlight:one\nof two lines\nColor:red\nNote:why\nHighlight:two",true\n',
    {
      title: 'T',
      tags: ['Work', 'Ideas', 'a', 'b', 'favourite'],
      notes: 'my\nnote',
      marked: [['one\nof two lines', 'why', 'red'], ['two']],
    },
  ],
  [
    'Readwise Reader (CSV)',
    `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nT,https://example.com/a,01,"['one', ""two's""]",2020-09-13 10:00:00+00:00,0.5,archive,True\n`,
    { title: 'T', tags: ['one', "two's"], state: 'read, 50 %' },
  ],
  [
    'Readwise highlights (CSV)',
    'Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags,Source URL\nA quote,T,Ada,,my thought,yellow,,page,3,2020-09-13 10:00:00,x,https://example.com/a\n',
    { title: 'T', tags: ['x'], marked: [['A quote', 'my thought', 'yellow']] },
  ],
  [
    'Instapaper (CSV)',
    'URL,Title,Selection,Folder,Timestamp\nhttps://example.com/a,T,a selection,Unread,1600000000\n',
    { title: 'T', tags: [], state: 'inbox', marked: [['a selection']] },
  ],
  [
    'Matter (CSV)',
    'Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight Count,Last Interaction Date,File Id\nT,Ada,P,https://example.com/a,x;y,900,False,True,True,0,2020-09-13 10:00:00,\n',
    { title: 'T', tags: ['x', 'y', 'favourite'], state: 'read' },
  ],
  [
    'bookmarks (CSV)',
    'url,title,tags,notes,created\nhttps://example.com/a,T,"x, y",n,2020-09-13\n',
    { title: 'T', tags: ['x', 'y'], notes: 'n' },
  ],
])('%s', async (format, csv, entry) => {
  const { formats, entries } = await read(`${format.replaceAll(/\W/g, '')}.csv`, csv);
  expect(formats).toEqual([format]);
  expect(entries).toEqual([{ url: 'https://example.com/a', notes: null, date: '2020-09-13', ...entry }]);
});

test('Google Takeout playlists are read, with or without a header', async () => {
  const rows = 'Video ID,Playlist Video Creation Timestamp\ndQw4w9WgXcQ,2020-09-13T10:00:00+00:00\n';
  const video = {
    url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    title: null,
    tags: ['Watch later'],
    notes: null,
    date: '2020-09-13',
    state: 'later',
  };
  expect((await read('Watch later-videos.csv', rows)).entries).toEqual([video]);
  const older =
    'Playlist ID,Channel ID,Title\nPL1,UC1,Mine\n\nVideo ID,Time Added\ndQw4w9WgXcQ,2020-09-13 10:00:00 UTC\n';
  expect((await read('Mine.csv', older)).entries).toEqual([{ ...video, tags: ['Mine'], state: undefined }]);
});

const url = 'https://example.com/a';

test.each([
  [
    'Karakeep (JSON)',
    `{"bookmarks":[{"createdAt":1600000000,"title":"T","tags":["x"],"content":{"type":"link","url":"${url}"},"note":"n","archived":true}]}`,
    { tags: ['x'], state: 'read', notes: 'n' },
  ],
  [
    'Linkwarden (JSON)',
    `{"id":1,"username":"ada","collections":[{"name":"Ideas","links":[{"name":"T","url":"${url}","description":"n","tags":[{"name":"x"}],"createdAt":"2020-09-13T10:00:00Z"}]}]}`,
    { tags: ['Ideas', 'x'], notes: 'n' },
  ],
  [
    'Omnivore',
    `[{"id":"1","slug":"s","title":"T","description":"teaser","author":null,"url":"${url}","state":"Archived","readingProgress":100,"labels":["x"],"savedAt":"2020-09-13T10:00:00Z"}]`,
    { tags: ['x'], state: 'read, 100 %' },
  ],
  [
    'Wallabag (JSON)',
    `[{"is_archived":0,"is_starred":1,"tags":["x"],"title":"T","url":"${url}","content":"<p>x</p>","created_at":"2020-09-13T10:00:00+0000","annotations":[{"quote":"q","text":"t"}]}]`,
    { tags: ['x', 'favourite'], state: 'inbox', marked: [['q', 't']] },
  ],
  [
    'Pinboard (JSON)',
    `[{"href":"${url}","description":"T","extended":"n","time":"2020-09-13T10:00:00Z","shared":"no","toread":"yes","tags":"x y"}]`,
    { tags: ['x', 'y'], state: 'inbox', notes: 'n' },
  ],
  [
    'bookmarks (JSON)',
    `[{"url":"${url}","title":"T","tag_names":["x"],"description":"n","date_added":"2020-09-13T10:00:00Z"}]`,
    { tags: ['x'], notes: 'n' },
  ],
])('%s', async (format, json, entry) => {
  const { formats, entries } = await read(`${format.replaceAll(/\W/g, '')}.json`, json);
  expect(formats).toEqual([format]);
  expect(entries).toEqual([{ url, title: 'T', notes: null, date: '2020-09-13', ...entry }]);
});

test.each([
  ['behind the bookmarks', (bookmarks: object[], lists: object[]) => ({ bookmarks, lists })],
  ['before them', (bookmarks: object[], lists: object[]) => ({ lists, bookmarks })],
])('Karakeep lists become tags, together with their parents; the lists stand %s', async (_, shape) => {
  const list = (id: string, name: string, parentId: string | null) => {
    return { id, name, parentId, description: null, icon: '📁', type: 'manual', query: null };
  };
  const bookmark = (at: number, lists: string[]) => {
    const content = { type: 'link', url: `https://example.com/${at}` };
    return { createdAt: 1_600_000_000, title: `T${at}`, tags: ['x'], lists, content, note: null, archived: false };
  };
  const json = shape(
    [bookmark(1, ['inner', 'other']), bookmark(2, []), bookmark(3, ['gone', 'round'])],
    [
      list('inner', 'Inner', 'outer'),
      list('outer', 'Outer', null),
      list('other', 'Other', null),
      list('round', 'Round', 'again'),
      list('again', 'Again', 'round'),
    ],
  );
  const { formats, entries } = await read('karakeep.json', JSON.stringify(json));
  expect(formats).toEqual(['Karakeep (JSON)']);
  expect(entries.map((entry) => ('tags' in Object(entry) ? (entry as { tags: string[] }).tags : entry))).toEqual([
    ['Outer', 'Inner', 'Other', 'x'],
    ['x'],
    ['Again', 'Round', 'x'],
  ]);
});

test('Linkwarden collections become tags, together with their parents', async () => {
  const link = (url: string) => ({ name: 'T', url, description: '', tags: [], createdAt: '2020-09-13T10:00:00Z' });
  const json = {
    username: 'ada',
    collections: [
      { id: 3, name: 'Bread', parentId: 2, links: [link('https://example.com/a')] },
      { id: 1, name: 'Unorganized', parentId: null, links: [link('https://example.com/b')] },
      { id: 2, name: 'Kitchen', parentId: null, links: [] },
    ],
    pinnedLinks: [link('https://example.com/a')],
  };
  const { formats, entries } = await read('linkwarden.json', JSON.stringify(json));
  expect(formats).toEqual(['Linkwarden (JSON)']);
  expect(entries.map((entry) => ('tags' in Object(entry) ? (entry as { tags: string[] }).tags : entry))).toEqual([
    ['Kitchen', 'Bread'],
    [],
  ]);
});

test('Karakeep texts become notes, and other entries without an address are named', async () => {
  const json = {
    bookmarks: [
      { createdAt: 1, title: null, tags: [], content: { type: 'text', text: 'A thought' }, note: null },
      { createdAt: 1, title: 'Gone', tags: [], content: null, note: null },
    ],
  };
  expect((await read('karakeep.json', JSON.stringify(json))).entries).toEqual([
    { url: null, title: 'A thought', tags: [], notes: null, date: null },
    'skipped: Gone: it has no web address',
  ]);
});

test('an Omnivore archive: labels and highlights are read', async () => {
  const page = {
    slug: 'a-page',
    title: 'T',
    url: 'https://example.com/a',
    state: 'Active',
    labels: [],
    savedAt: '2020-09-13T10:00:00Z',
  };
  const zip = zipSync({
    'metadata_0_to_1.json': strToU8(JSON.stringify([page])),
    'content/a-page.html': strToU8('<p>text</p>'),
    'highlights/a-page.md': strToU8(
      '> A highlight [⤴️](https://omnivore.app/me/a-page#1)\n\nmy note\n\n> Another\n> of two lines\n',
    ),
  });
  expect(await read('omnivore.zip', zip)).toEqual({
    formats: ['Omnivore'],
    entries: [
      {
        url: 'https://example.com/a',
        title: 'T',
        tags: [],
        state: 'inbox',
        notes: null,
        date: '2020-09-13',
        marked: [['A highlight', 'my note'], ['Another\nof two lines']],
      },
    ],
  });
});

test('Kindle clippings become a note per book, with the last version of each highlight and notes at their places', async () => {
  const clipping = (title: string, facts: string, text: string) =>
    `${title}\r\n- ${facts}\r\n\r\n${text}\r\n==========\r\n`;
  const book = 'A Book (With Brackets) (Ann Author)';
  const on = 'Added on Thursday, 4 June 2020 14:29:36';
  const file = [
    clipping(book, `Your Highlight on page 12 | Location 170-172 | ${on}`, 'Words that were'),
    clipping(
      'Ein Buch',
      'Ihre Markierung auf Seite 3 | Hinzugefügt am Montag, 1. Juni 2020 10:00:00',
      'Deutsche Worte',
    ),
    clipping(book, `Your Highlight on page 12 | Location 170-173 | ${on}`, 'Words that were marked'),
    clipping(book, `Your Note on page 12 | Location 173 | ${on}`, 'what I thought'),
    clipping(book, `Your Bookmark on page 12 | Location 173 | ${on}`, ''),
    clipping('Ein Buch', 'Ihre Notiz auf Seite 3 | Hinzugefügt am Montag, 1. Juni 2020 10:01:00', 'meine Notiz'),
  ].join('');
  const path = write('My Clippings.txt', `\ufeff${file}`);
  const entries = await entriesOf(path);
  expect(entries).toMatchObject([
    {
      kind: 'text',
      title: 'A Book (With Brackets)',
      text: 'Ann Author\n\n> Words that were marked\n\nwhat I thought',
      createdAt: Date.UTC(2020, 5, 4, 14, 29, 36),
      highlights: [{ source: 'id:place 170', quote: 'Words that were marked', note: 'what I thought' }],
    },
    { kind: 'text', title: 'Ein Buch', highlights: [{ quote: 'Deutsche Worte', note: 'meine Notiz' }] },
  ]);
  expect(await entriesOf(path)).toEqual(entries);
});

test('highlights of books without an address become one note per book', async () => {
  const head =
    'Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags';
  const csv = `${head}\none,T,Ada,,n,yellow,,page,3,2020-09-13 10:00:00,x\ntwo,U,,,,,,,,2020-09-14 10:00:00,\nthree,T,Ada,,,,,page,4,2020-09-15 10:00:00,\n`;
  const entries = await entriesOf(write('readwise.csv', csv));
  expect(entries).toMatchObject([
    {
      kind: 'text',
      title: 'T',
      tags: ['x'],
      text: 'Ada\n\n> one\n\nn\n\n> three',
      highlights: [{ quote: 'one' }, { quote: 'three' }],
    },
    { kind: 'text', title: 'U', text: '> two' },
  ]);
});

test('feeds and lists of addresses are read', async () => {
  const opml = `<?xml version="1.0"?><opml version="2.0"><head><title>Feeds</title></head><body>
<outline text="News"><outline type="rss" text="A &amp; B" xmlUrl="https://example.com/feed" htmlUrl="https://example.com/"/></outline>
<outline type="rss" text="Alone" xmlUrl="feed://example.org/feed"></outline><outline type="link" text="A page" url="https://example.org/"/></body></opml>`;
  expect((await read('feeds.opml', opml)).entries).toMatchObject([
    { url: 'https://example.com/feed', title: 'A & B', tags: ['feed', 'News'] },
    { url: 'http://example.org/feed', title: 'Alone', tags: ['feed'] },
    { url: 'https://example.org/', title: 'A page', tags: [] },
  ]);
  expect(
    (await read('list.txt', '# mine\nhttps://example.com/a\nhttps://example.com/b | A title\n\nnothing\n')).entries,
  ).toMatchObject([
    { url: 'https://example.com/a', title: null },
    { url: 'https://example.com/b', title: 'A title' },
    'skipped: nothing: it has no web address',
  ]);
});

test('a folder of notes: Obsidian front matter, Logseq properties, Notion names and PDFs are read', async () => {
  const id = '0123456789abcdef0123456789abcdef';
  write('vault/.obsidian/app.json', '{}');
  write(
    'vault/Cooking/Sourdough.md',
    '---\ntags: [bread, "#slow"]\ncreated: 2020-09-13\naliases: &a [x]\n---\nText #starter and #2020\n',
  );
  write('vault/pages/Log.md', 'title:: A log\ntags:: [[one]], two\n\n- text\n');
  write(
    `vault/Ideas ${id}/An idea ${id}.md`,
    '# An idea\n\nTags: slow food, bread\nCreated: September 13, 2020 11:30 PM\n\nNote: this is text.\n',
  );
  write('vault/paper.pdf', '%PDF-1.7\n');
  write('vault/picture.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]));
  const entries = await entriesOf(join(folder, 'vault'));
  expect(entries.map(shown)).toEqual([
    { url: null, title: 'Sourdough', tags: ['Cooking', 'bread', 'slow', 'starter'], notes: null, date: '2020-09-13' },
    { url: null, title: 'An idea', tags: ['Ideas', 'slow food', 'bread'], notes: null, date: '2020-09-13' },
    expect.objectContaining({ title: 'A log', tags: ['one', 'two'] }),
    expect.objectContaining({ title: null, tags: [] }),
    'skipped: picture.png: it is not recognised as an export of another program',
  ]);
});

test('the error for an unknown table says how to name its column', async () => {
  const path = write('apples.csv', 'sort,weight\nBoskoop,210\n');
  const entries = await entriesOf(path);
  expect(entries.map(shown)).toEqual([
    expect.stringMatching(
      /^failed: apples\.csv: none of its columns is known: name the one with the addresses `url`\. What can be imported: .*Pocket/,
    ),
  ]);
});

test('values that are too long are cut and reported', async () => {
  const tags = Array.from({ length: 60 }, (_, at) => `tag ${at}`).join('|');
  const path = write(
    'long.csv',
    `title,url,time_added,tags,status\n${'T'.repeat(600)},https://example.com/a,1,${tags},unread\n`,
  );
  const [entry] = await entriesOf(path);
  expect(entry).toMatchObject({
    kind: 'address',
    createdAt: null,
    shortened: ['10 of its tags were left out', 'the title was cut to 500 characters'],
  });
});

test.each([
  ['a web page', '<html><body><p>A page</p><a href="https://example.com">x</a></body></html>'],
  ['a table of something else', 'a,b,c\n1,2,3\n'],
  ['JSON of something else', '{"a":[{"b":1}]}'],
  ['nothing', ''],
  ['bytes', new Uint8Array([1, 2, 3, 4, 5])],
])('%s is refused with the formats that can be imported', async (_, content) => {
  const { entries } = await read('other.dat', content);
  expect(entries).toEqual([expect.stringMatching(/^failed: other.*What can be imported: .*Evernote/)]);
});

test('archives that are damaged or unpack endlessly are refused', async () => {
  const zip = zipSync({
    'list.txt': strToU8('https://example.com/a\n'.repeat(1_000)),
    'more.txt': strToU8('https://example.com/b\n'),
  });
  await expect(read('cut.zip', zip.subarray(0, zip.length - 40))).rejects.toThrow('damaged or cut off');
  const broken = zip.slice();
  broken.fill(0xff, 60, 90);
  expect((await read('broken.zip', broken)).entries).toContainEqual(expect.stringMatching(/^failed: list.txt/));
  const lying = zip.slice();
  // The declared size in the directory: far smaller than what unpacks.
  const directory = Buffer.from(lying.buffer).indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
  Buffer.from(lying.buffer).writeUInt32LE(10, directory + 24);
  expect((await read('lying.zip', lying)).entries).toContainEqual(
    expect.stringMatching(/unpacks to more than the archive says/),
  );
});
