import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, expect, test, vi } from 'vitest';
import { readInThread } from '../../src/importing/import-thread.ts';
import { openZipFolder } from '../../src/importing/reading/zip-folder.ts';
import { batchesOf, entriesOf, folder, now, read, write } from './written-exports.ts';
import { rows } from '../support/texts/rows.ts';

/* Files that were made to fill the memory or the disk, to take without end, or to be read only in part. */

const known = 'https://example.com/a\n'.repeat(60);

afterEach(() => vi.unstubAllEnvs());

/** How many files this process holds open in a folder, with those that have no name any more; none where the system does not say. */
function heldIn(place: string): number {
  const descriptors = '/proc/self/fd';
  if (!existsSync(descriptors)) return 0;
  const linkOf = (name: string): string => {
    try {
      return readlinkSync(join(descriptors, name));
    } catch {
      // It was closed meanwhile.
      return '';
    }
  };
  return readdirSync(descriptors).filter((name) => linkOf(name).startsWith(place)).length;
}

test('nested archives are unpacked into unnamed files, which are gone when an import ends, is cancelled, or fails', async () => {
  const inner = zipSync({ 'list.txt': strToU8(known) });
  const place = write('nested.zip', zipSync({ 'one.zip': inner, 'two.zip': inner }));
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) vi.stubEnv(name, temporary);
  const leaving = new AbortController();
  const held: number[] = [];
  const reading = (onBatch: () => void) =>
    readInThread({ place, now }, leaving.signal, async () => {
      // A process that is killed now leaves nothing in the folder.
      expect(readdirSync(temporary)).toEqual([]);
      held.push(heldIn(temporary));
      onBatch();
    });
  await reading(() => undefined);
  expect(heldIn(temporary)).toBe(0);
  await expect(
    reading(() => {
      throw new Error('the disk is full');
    }),
  ).rejects.toThrow('the disk is full');
  expect(heldIn(temporary)).toBe(0);
  await expect(reading(() => leaving.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
  expect(heldIn(temporary)).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  expect(held).toEqual(Array.from({ length: 4 }, () => (existsSync('/proc/self/fd') ? 2 : 0)));
});

test('endless entries are not all read', async () => {
  const place = write('endless.zip', zipSync({ 'list.txt': strToU8(known + 'x\n'.repeat(1_100_000)) }));
  const batches = await batchesOf(place);
  const entries = batches.flatMap((batch) => batch.entries);
  expect(entries.length).toBeLessThan(1_001_000);
  expect(entries.at(-1)).toMatchObject({
    outcome: 'failed',
    what: 'list.txt',
    reason: expect.stringContaining('more than 1000000 entries') as string,
  });
});

test('a long file name is shortened in a report', async () => {
  const batches = await batchesOf(write('names.zip', zipSync({ [`${'n'.repeat(60_000)}.txt`]: strToU8(known) })));
  expect(batches.map(({ file }) => file.length)).toEqual([300]);
  expect(batches[0]?.file).toMatch(/^…n+\.txt$/);
});

test('a batch of long entries ends early', async () => {
  const marked = (at: number) => ({
    content: { type: 'link', url: `https://example.com/${at}` },
    highlights: Array.from({ length: 300 }, (_, place) => ({ text: `${place} ${'w '.repeat(3_900)}` })),
  });
  const bookmarks = Array.from({ length: 6 }, (_, at) => marked(at));
  const batches = await batchesOf(write('marked.json', JSON.stringify({ bookmarks })));
  expect(batches.map(({ entries }) => entries.length)).toEqual([2, 2, 2]);
});

test('entries before a damaged part are kept', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `https://example.com/${at}\n`).join('');
  const zip = Buffer.from(zipSync({ 'list.txt': strToU8(lines) }, { level: 0 }));
  // The directory says that it is shorter.
  zip.writeUInt32LE(70_000, zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24);
  const { entries } = await read('shorter.zip', zip);
  expect(entries.length).toBeGreaterThan(2_000);
  expect(entries.at(-1)).toBe('failed: list.txt: it unpacks to more than the archive says');
});

test.each(
  rows(`
    a list of bookmarks :: cut.html :: <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://example.com/a">A</A><DT><A HREF="https://exa
    a list of bookmarks before the first :: cut.html :: <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://exa
    JSON :: cut.json :: [{"url":"https://example.com/a"},{"url":"https://exa
    a feed list :: cut.opml :: <?xml version="1.0"?><opml><body><outline xmlUrl="https://example.com/a"/><outline xmlUrl="https
  `),
)('a truncated %s is reported', async (_, name, content) => {
  expect((await read(name, content)).entries.at(-1)).toBe(
    `failed: ${name}: the file is cut off: it ends in the middle of an entry. Export it again`,
  );
});

test('one long line of Evernote notes is read in little more memory than the longest note', async () => {
  const data = 'QUJD'.repeat(20_000);
  const note = (at: number) =>
    `<note><title>n${at}</title><created>20200913T000000Z</created><content><![CDATA[<en-note>words ${at}</en-note>]]></content><resource><data>${data}</data><mime>image/png</mime></resource></note>`;
  const long = `<note><title>long</title><content><![CDATA[<en-note>${'<div>a</div>'.repeat(200_000)}]]></content></note>`;
  const file = `<en-export>${Array.from({ length: 100 }, (_, at) => note(at)).join('')}${long}</en-export>`;
  const entries = await entriesOf(write('line.enex', file));
  expect(entries).toHaveLength(101);
  expect(entries[99]).toMatchObject({
    kind: 'text',
    text: 'words 99',
    shortened: ['the attachment image/png is not taken'],
  });
});

test('endless Evernote content is cut, and the report says so', async () => {
  const file = `<en-export><note><title>T</title><content><![CDATA[<en-note>${'a'.repeat(10_000_000)}</en-note>]]></content></note></en-export>`;
  const [entry] = await entriesOf(write('endless.enex', file));
  expect(entry).toMatchObject({ kind: 'text', shortened: ['the text was cut to 9000000 characters'] });
});

test('entities declared by a document are not expanded', async () => {
  const lol = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');
  const file = `<?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY l0 "lol"><!ENTITY x SYSTEM "file:///etc/passwd">${lol}]><en-export><note><title>&l9;&x;</title><content>&l9;</content></note></en-export>`;
  const [entry] = await entriesOf(write('bomb.enex', file));
  expect(entry).toMatchObject({ kind: 'text', title: '&l9;&x;', text: '&l9;' });
});

test.each([
  ['a content', '<note><title>Cut</title><content><![CDATA[<en-note>tw'],
  ['a title', '<note><title>Cut'],
])('a notes file that ends inside %s is reported, and its earlier notes are kept', async (_, cut) => {
  const file = '<en-export><note><title>Whole</title><content>one</content></note>';
  expect((await read('cut.enex', file + cut)).entries).toEqual([
    expect.objectContaining({ title: 'Whole' }),
    expect.objectContaining({ title: 'Cut' }),
    'failed: cut.enex: the file is cut off: it ends in the middle of an entry. Export it again',
  ]);
});

test.each([
  ['bookmarks of Chrome', `{"roots":{"other":${'{"children":['.repeat(100_000)}`],
  ['a note', `{"isTrashed":false,"textContent":"x","labels":${'['.repeat(100_000)}`],
  ['bookmarks of Firefox', `{"children":[${'{"type":"text/x-moz-place-container","children":['.repeat(100_000)}`],
])('endlessly nested JSON is refused: %s', async (_, content) => {
  expect((await read('deep.json', content)).entries).toEqual([expect.stringMatching(/^failed: deep\.json/)]);
});

test('an unclosed quotation mark in a table is reported', async () => {
  const { entries } = await read('open.csv', 'url,title\nhttps://example.com/a,"A\nhttps://example.com/b,B\n');
  expect(entries).toEqual([
    expect.objectContaining({ url: 'https://example.com/a' }),
    expect.stringMatching(/^failed: open.csv: a quotation mark is never closed/),
  ]);
});

test('a file of a known format without entries is reported', async () => {
  expect((await read('none.html', '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL></DL>')).entries).toEqual([
    'skipped: none.html: there is nothing in it that can be imported',
  ]);
  expect((await read('none.csv', 'url,title\n')).entries).toEqual([
    'skipped: none.csv: there is nothing in it that can be imported',
  ]);
});

/** An archive of empty files. The zeros of their comments take no room on the disk. */
function commented(name: string, count: number, commentBytes: number): string {
  const place = write(name, 'PK\u0003\u0004');
  const file = openSync(place, 'r+');
  let at = 4;
  for (let entry = 0; entry < count; entry += 1) {
    const header = Buffer.alloc(46 + 5);
    header.writeUInt32LE(0x02014b50);
    header.writeUInt16LE(5, 28);
    header.writeUInt16LE(commentBytes, 32);
    header.write('a.txt', 46);
    writeSync(file, header, 0, header.length, at);
    at += header.length + commentBytes;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(4, 16);
  writeSync(file, end, 0, end.length, at);
  closeSync(file);
  return place;
}

test("comments of entries count towards the size of an archive's directory", async () => {
  expect(await batchesOf(commented('comments.zip', 100, 65_535))).toHaveLength(100);
  await expect(batchesOf(commented('long-comments.zip', 1_530, 65_535))).rejects.toThrow(
    'too large to be read as it is: unpack it, and import the folder',
  );
});

test('entries that share the same bytes are not read endlessly', async () => {
  const place = write('overlapping.zip', zipSync({ 'list.txt': strToU8(known) }));
  const budget = { bytes: 5_000 };
  const { files, close } = await openZipFolder(openSync(place, 'r'), budget);
  const lengths: number[] = [];
  const readAgain = async (): Promise<void> => {
    for (let times = 0; times < 10; times += 1)
      for await (const chunk of files[0]?.read() ?? []) lengths.push(chunk.length);
  };
  await expect(readAgain()).rejects.toThrow('unpack to far more than an export has');
  expect(lengths).toEqual(Array.from({ length: 3 }, () => known.length));
  close();
});

test('a mailbox is read mail by mail, in whatever pieces it arrives, and a mail that is too large is named', async () => {
  const mail = (subject: string, text: string) =>
    `From ada@lamp.example Thu Jun  6 10:46:09 2024\r\nSubject: ${subject}\r\nContent-Length: 1\r\n\r\n${text}`;
  const text = `The beam.\r\n${'From '.repeat(40_000)}Thu Jun  6 10:46:09 2024\r\nTo: all\r\n\r\n`;
  const subjects = Array.from({ length: 40 }, (_, at) => String(at));
  const place = write('list.mbox', subjects.map((subject) => mail(subject, text)).join('\r\n'));
  const entries = await entriesOf(place);
  expect(entries.map((entry) => ('title' in entry ? entry.title : entry))).toEqual(subjects);
  const bytes = entries.flatMap((entry) => (entry.kind === 'mail' ? [entry.bytes] : []));
  expect(bytes.map(({ length }) => length)).toEqual(
    subjects.map((subject) => mail(subject, text.trimEnd()).length - 48),
  );
  const handle = openSync(place, 'w');
  writeSync(handle, mail('long', ''));
  for (let at = 0; at < 101; at += 1) writeSync(handle, Buffer.alloc(1_000_000, 'a line of the mail\n'));
  writeSync(handle, `\n${mail('last', 'The end.')}`);
  closeSync(handle);
  const { entries: rest } = await read('list.mbox', readFileSync(place));
  expect(rest).toEqual(['skipped: long: this mail is larger than 100 MB', expect.objectContaining({ title: 'last' })]);
});

test('many lines that only look like the start of a mail do not split it', async () => {
  const lines = [
    'From ',
    'From 10:30 in 2024, or so',
    `From ada@lamp.example 2024 ${'x'.repeat(400)}`,
    '>From ',
    '>>From ',
  ];
  const body = (some: readonly string[]) => Array<string>(20_000).fill(some.join('\n')).join('\n');
  const entries = await entriesOf(
    write('many.mbox', `From - Thu Jun  6 10:46:09 2024\nSubject: many\n\n${body(lines)} at >From the end\n`),
  );
  const plain = body([...lines.slice(0, 3), 'From ', '>From ']);
  expect(entries.map((entry) => entry.kind === 'mail' && Buffer.from(entry.bytes).toString())).toEqual([
    `Subject: many\n\n${plain} at >From the end`,
  ]);
});
