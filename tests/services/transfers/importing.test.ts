import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { createImportService, type ImportResult } from '../../../src/services/library/importing.ts';
import { ManualClock } from '../../support/clock.ts';
import { openStores } from '../../support/store/stores.ts';
import { openTestServer } from '../../support/test-server.ts';
import { articlePage, serve, startSite } from '../../support/servers/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-importing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function importAll(app: App, place: string, signal = new AbortController().signal): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  await app.importing.import('local', {
    place,
    tags: ['from elsewhere'],
    signal,
    onResults: async (some) => void results.push(...some),
  });
  return results;
}

test('imported addresses are fetched in the background, and dead ones keep title, note and reason', async () => {
  const site = await startSite();
  site.routes.set('/alive', serve(articlePage('The page says', ['A whole sentence about sourdough and patience.'])));
  const { app, close } = await openTestServer({ embedder: 'none' });
  const csv = join(folder, 'raindrop.csv');
  writeFileSync(
    csv,
    `title,note,excerpt,url,folder,tags,created\nI say,my note,,${site.url}/alive,Bread,,2020-09-13T10:00:00Z\nGone,why I kept it,,${site.url}/dead,,,2021-09-13T10:00:00Z\n`,
  );
  expect((await importAll(app, csv)).map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
    [1, 'taken', ''],
    [2, 'taken', ''],
  ]);
  expect(site.requests).toEqual([]);
  await app.worker.runUntilEmpty();
  const { items } = await app.services.library.list('local', { limit: 9, offset: 0 });
  expect(items).toMatchObject([
    {
      title: 'Gone',
      notes: 'why I kept it',
      status: 'failed',
      failure: { code: 'not_found' },
      createdAt: '2021-09-13T10:00:00.000Z',
    },
    {
      title: 'I say',
      notes: 'my note',
      status: 'completed',
      tags: ['from elsewhere', 'Bread'],
      createdAt: '2020-09-13T10:00:00.000Z',
    },
  ]);
  const again = await importAll(app, csv);
  expect(again.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
  expect((await app.services.library.list('local', { limit: 9, offset: 0 })).items).toEqual(items);
  await close();
  await site.close();
});

test('collections become lists in the order of the file, and tags; a list of another kind is unchanged', async () => {
  const { app, close } = await openTestServer({ embedder: 'none', workers: 0 });
  const csv = join(folder, 'collections.csv');
  const row = (name: string, collection: string) =>
    `${name},,,https://example.com/${name},${collection},,2020-09-13T10:00:00Z\n`;
  writeFileSync(
    csv,
    `title,note,excerpt,url,folder,tags,created\n${row('b', 'Kitchen/"Bread" *')}${row('a', 'Kitchen/"Bread" *')}${row('c', 'Unsorted')}${row('d', 'Found')}`.replaceAll(
      'Kitchen/"Bread" *',
      '"Kitchen/""Bread"" *"',
    ),
  );
  await app.services.lists.add('local', { name: 'Found', query: 'tag:found' });
  const results = await importAll(app, csv);
  expect(results.filter(({ outcome }) => outcome !== 'taken')).toMatchObject([{ outcome: 'failed', what: 'Found' }]);
  const lists = (await app.services.lists.list('local', { limit: 9, offset: 0 })).items;
  expect(lists).toMatchObject([{ name: 'Found' }, { name: 'Kitchen / ”Bread” ＊', items: 2, query: null }]);
  const { items } = await app.services.library.list('local', {
    limit: 9,
    offset: 0,
    filter: { list: lists[1]?.id ?? '' },
  });
  expect(items.map(({ title, tags }) => [title, tags.slice(1)])).toEqual([
    ['b', ['Kitchen', '"Bread" *']],
    ['a', ['Kitchen', '"Bread" *']],
  ]);
  await close();
});

test('notes in a folder are saved with their text, and an unreadable file does not block the others', async () => {
  const { app, close } = await openTestServer({ embedder: 'none' });
  const notes = mkdtempSync(join(folder, 'notes-'));
  writeFileSync(join(notes, 'Bread.md'), '---\ntags: [food]\n---\nSourdough needs patience and a warm place.\n');
  writeFileSync(join(notes, 'Empty.md'), '');
  const results = await importAll(app, notes);
  expect(results.map(({ file, outcome }) => [file, outcome])).toEqual([
    ['Bread.md', 'taken'],
    ['Empty.md', 'taken'],
  ]);
  await app.worker.runUntilEmpty();
  const { items } = await app.services.library.list('local', { limit: 9, offset: 0, status: 'completed' });
  expect(items).toMatchObject([{ title: 'Bread', tags: ['from elsewhere', 'food'] }]);
  await close();
});

test('an interrupted import has saved whole batches, and continues when run again', async () => {
  const { app, close } = await openTestServer({ embedder: 'none' });
  const list = join(folder, 'list.txt');
  writeFileSync(list, Array.from({ length: 1_200 }, (_, at) => `https://example.org/${at}`).join('\n'));
  const stopping = new AbortController();
  const interrupted = app.importing.import('local', {
    place: list,
    tags: [],
    signal: stopping.signal,
    onResults: async () => stopping.abort(),
  });
  await expect(interrupted).rejects.toThrow('abort');
  const count = async () => (await app.services.library.list('local', { limit: 1, offset: 0 })).total;
  expect(await count()).toBe(500);
  const results = await importAll(app, list);
  expect([results.length, results.filter(({ outcome }) => outcome === 'taken').length, await count()]).toEqual([
    1_200, 700, 1_200,
  ]);
  await close();
});

test('an error at a file does not lose the addresses of its batch', async () => {
  const clock = new ManualClock();
  const { stores, close } = await openStores(clock);
  const said = { title: null, tags: [], notes: null, createdAt: null, highlights: [], shortened: [] };
  const url = 'https://example.com/kept';
  const importing = createImportService({
    stores,
    clock,
    readExport: async (_, __, onBatch) =>
      onBatch({
        file: 'mixed',
        format: 'mixed',
        bytesRead: 1,
        bytesTotal: 1,
        entries: [
          { kind: 'file', line: 1, path: '/note.md', ...said },
          { kind: 'address', line: 2, url, canonicalUrl: url, ...said },
        ],
      }),
    readFile: async () => Promise.reject(new Error('the disk is full')),
    readOriginal: async () => null,
    makeOriginal: async () => null,
    onQueued: () => undefined,
  });
  const onResults = async () => undefined;
  const request = { place: '/mixed', tags: [], signal: new AbortController().signal, onResults };
  await expect(importing.import('local', request)).rejects.toThrow('the disk is full');
  const { items } = await (await stores.open('local')).listContent({ limit: 9, offset: 0 });
  expect(items).toMatchObject([{ url }]);
  await close();
});

test('an unreadable path is refused', async () => {
  const { app, close } = await openTestServer({ embedder: 'none' });
  await expect(importAll(app, join(folder, 'nothing-here'))).rejects.toMatchObject({ code: 'invalid_input' });
  await close();
});

test('each mail of a mailbox is an item, once, also when it is exported again', async () => {
  const { app, close } = await openTestServer({ embedder: 'none' });
  const start = 'From - Thu Jun  6 10:46:09 2024';
  const head = 'From: Ada <ada@lamp.example>\nDate: Thu, 6 Jun 2024 10:46:09 +0000\nSubject: =?utf-8?Q?L=C3=A4mp?=';
  const attached = `Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nWith a file.\n\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nAttached.\n--b--`;
  const mails = [
    `${head}\nMessage-ID: <1@lamp.example>\n\nThe beam turns.\n\n>From afar, too.\nFrom 10:30 on it was dark in 2024.\nSo it was.`,
    `${head}\nMessage-ID: <1@lamp.example>\n\nAnother text under the same id.`,
    `${head}\nMessage-ID: <2@lamp.example>\nIn-Reply-To: <1@lamp.example>\nMIME-Version: 1.0\n${attached}`,
    '',
    '\nA mail without a header.\n\nIt has two paragraphs.',
  ];
  const mailbox = (status: string, end: string) =>
    mails
      .map((mail) => `${start}\n${mail.replace('Message-ID', `${status}Message-ID`)}\n\n`.replaceAll('\n', end))
      .join('');
  const place = join(folder, 'Inbox');
  writeFileSync(place, mailbox('', '\n'));
  const first = await importAll(app, place);
  expect(first.map(({ format, outcome, reason, what }) => [format, outcome, reason, what])).toEqual([
    ['mailbox (mbox)', 'taken', '', 'Lämp'],
    ['mailbox (mbox)', 'taken', '', 'Lämp'],
    ['mailbox (mbox)', 'taken', '', 'Lämp'],
    ['mailbox (mbox)', 'skipped', 'this mail is empty', ''],
    ['mailbox (mbox)', 'taken', '', ''],
  ]);
  await app.worker.runUntilEmpty();
  const read = async (at: number) => app.services.library.get('local', first[at]?.id ?? '');
  const about = { title: 'Lämp', author: 'Ada', createdAt: '2024-06-06T10:46:09.000Z', tags: ['from elsewhere'] };
  expect(await read(0)).toMatchObject({
    ...about,
    publishedAt: '2024-06-06T10:46:09.000Z',
    warnings: [],
    transcript: expect.stringMatching(
      /^The beam turns\.\s+From afar, too\.\s+From 10:30 on it was dark in 2024\.\s+So it was\.$/,
    ),
  });
  expect(await read(1)).toMatchObject({ ...about, transcript: 'Another text under the same id.' });
  expect(await read(2)).toMatchObject({
    ...about,
    transcript: 'With a file.',
    warnings: [{ code: 'attachments_not_read' }],
  });
  expect(await read(4)).toMatchObject({ transcript: 'A mail without a header.\n\nIt has two paragraphs.' });
  // Exported again with another status, other line ends, and a mail behind what was the last.
  for (const [status, end, more] of [
    ['', '\n', ''],
    ['X-Status: RO\n', '\n', ''],
    ['X-Gmail-Labels: Lamps\n', '\r\n', ''],
    ['', '\n', `${start}\n${mails[0]}`],
  ] as const) {
    writeFileSync(place, `${mailbox(status, end).trimEnd()}${more && `\n\n${more}`}`);
    const again = await importAll(app, place);
    expect(again.map(({ outcome }) => outcome)).toEqual(Array<string>(more === '' ? 5 : 6).fill('skipped'));
    expect(again.slice(0, 5).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  }
  await close();
});

test('instructions in a mail do not become tasks of a note', async () => {
  const { app, close } = await openTestServer({ embedder: 'none' });
  const text = 'TODO: water the lamp\n- [ ] Buy oil\n';
  const place = join(folder, 'asked.mbox');
  writeFileSync(
    place,
    `From - Thu Jun  6 10:46:09 2024\nFrom: Ada <ada@lamp.example>\nDate: Thu, 6 Jun 2024 10:46:09 +0000\nSubject: Lamp\n\n${text}\n\nFrom - Thu Jun  6 10:46:09 2024\nSubject: Lamp\n\n${text}`,
  );
  const mails = await importAll(app, place);
  const note = await app.services.library.saveNote('local', { text }, { signal: new AbortController().signal });
  await app.worker.runUntilEmpty();
  const actionsOf = async (id = '') => (await app.services.library.get('local', id)).actions.map(({ title }) => title);
  expect(await actionsOf(note.id)).toEqual(['Water the lamp', 'Buy oil']);
  expect(await Promise.all(mails.map(async ({ id }) => actionsOf(id ?? '')))).toEqual([[], []]);
  await close();
});
