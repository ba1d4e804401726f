import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '../../../src/app/app.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import type { ExportedItem } from '../../../src/domain/records/transfers/exported.ts';
import type { ImportResult } from '../../../src/services/library/importing.ts';
import { openTestServer } from '../../support/test-server.ts';
import { connectInMemory } from '../../support/mcp.ts';
import { column, makePdf } from '../../support/texts/pdf.ts';
import { articlePage, serve, startSite } from '../../support/servers/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'commonplace-exporting-'));
const never = new AbortController().signal;
const account = localAccountId;
let testServer: Awaited<ReturnType<typeof openTestServer>>;
let site: Awaited<ReturnType<typeof startSite>>;
let pages: string;

const place = (name: string): string => join(folder, name);
const request = (name: string, more: { since?: number; signal?: AbortSignal } = {}) => ({
  place: place(name),
  signal: never,
  onProgress: () => undefined,
  ...more,
});

async function importAll(app: App, from: string): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  await app.importing.import(account, {
    place: from,
    tags: [],
    signal: never,
    onResults: async (some) => void results.push(...some),
  });
  return results;
}

/** What an export says, without the time and the version. */
function checksums(name: string): string[] {
  const lines = readFileSync(join(place(name), 'checksums.sha256'), 'utf8')
    .trim()
    .split('\n');
  // The index page says when it was written.
  return lines.filter((line) => !line.endsWith('index.html'));
}

function records(name: string): ExportedItem[] {
  const lines = gunzipSync(readFileSync(join(place(name), 'records/items.jsonl.gz')))
    .toString()
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as ExportedItem);
}

const hostile = '../../etc/passwd" onload=alert(1) <script>x</script> [[CON]] \u202e: ---\ntags: [evil]';

beforeAll(async () => {
  site = await startSite();
  pages = site.url;
  const advice = 'Get up at the same hour every day, weekends included.';
  site.routes.set(
    '/sleep',
    serve(
      articlePage('How to sleep well', [
        `${advice} It does more than an early bedtime.`,
        'Keep the room dark and cool at night.',
      ]),
    ),
  );
  site.routes.set(
    '/copy',
    serve(
      articlePage('How to sleep well', [
        `${advice} It does more than an early bedtime.`,
        'Keep the room dark and cool at night.',
      ]),
    ),
  );
  site.routes.set(
    '/code',
    serve(
      articlePage('Code', [
        'A page with code that a plugin of a reader would run if it could do so.',
        'And a second paragraph, so that there is enough of a text on this page.',
      ]),
    ),
  );
  testServer = await openTestServer({ embedder: 'none' });
  const { services } = testServer.app;
  const waiting = { signal: never };
  await services.goals.add(account, { title: 'Sleep eight hours', category: 'Health', description: 'Every night' });
  const archived = await services.goals.add(account, { title: 'Old goal', category: 'Wealth' });
  await services.goals.update(account, archived.id, { archived: true });
  const sleep = await services.library.save(
    account,
    { url: `${pages}/sleep`, tags: ['health', 'to read', '2024'], notes: 'mine' },
    waiting,
  );
  // The actions of the copy become those of this one.
  await testServer.app.worker.runUntilEmpty();
  await services.library.save(account, { url: `${pages}/copy?utm=1&x=2`, tags: [] }, waiting);
  await services.library.save(account, { url: `${pages}/gone`, tags: ['dead'], notes: 'why' }, waiting);
  const code =
    '```dataviewjs\napp.vault.delete()\n```\n\n```js\nlet a = 1\n```\n\nText with `$= dv.pages()` and <% tp.file %> in it.';
  await services.library.saveNote(account, { title: hostile, text: code }, waiting);
  await services.library.saveNote(account, { title: 'CON', text: 'A note called like a device.' }, waiting);
  await services.library.saveNote(
    account,
    { title: 'con', text: 'A note with the same name in other letters.' },
    waiting,
  );
  const pdf = join(folder, 'paper.pdf');
  writeFileSync(
    pdf,
    await makePdf([
      column(['The first page speaks of foxes', 'and of their habits in winter.'], 72, 720),
      column(['The second page speaks of hares.'], 72, 720),
    ]),
  );
  await services.library.saveResource(account, await testServer.app.readFile(pdf), {}, waiting);
  const csv = join(folder, 'raindrop.csv');
  writeFileSync(
    csv,
    `title,note,excerpt,url,folder,tags,created,highlights\nMine,,,${pages}/code,,=1+1,2020-09-13T10:00:00Z,"Highlight:code that a plugin\nNote:really"\n`,
  );
  await importAll(testServer.app, csv);
  await testServer.app.worker.runUntilEmpty();
  const { items: saved } = await services.library.list(account, { limit: 9, offset: 0 });
  await services.lists.add(account, { name: 'To read: nights', icon: '🌙' });
  const others = saved.map(({ id }) => id).filter((id) => id !== sleep.id);
  await services.lists.addItems(account, 'to read: nights', [others[2] ?? '', sleep.id]);
  await services.lists.add(account, { name: 'Dead', query: 'tag:dead list:"To read: nights"' });
  const store = await testServer.app.stores.open(account);
  await store.addSource({ kind: 'mailbox', address: 'imap.example', name: 'Letters', options: { tags: ['letter'] } });
  const made = await services.highlights.add(account, {
    contentId: sleep.id,
    quote: 'dark and cool',
    note: 'Buy curtains',
    colour: 'blue',
  });
  await services.highlights.add(account, { contentId: sleep.id, quote: 'not in the text at all' });
  const gone = await services.highlights.add(account, { contentId: sleep.id, quote: 'an early bedtime' });
  await services.highlights.delete(account, gone.id);
  if (made.place !== 'found') throw new Error('the highlight was not found in the text');
  const actions = await services.actions.list(account, { offset: 0, contentId: sleep.id });
  await services.actions.complete(account, actions.items[0]!.id);
  await services.actions.update(account, actions.items[1]!.id, { state: 'dismissed', title: '📅 2020-01-01 Mine' });
  const deleted = await services.library.saveNote(
    account,
    { title: 'Trash', text: 'This one is in the trash.' },
    waiting,
  );
  await services.library.delete(account, deleted.id);
  await testServer.app.worker.runUntilEmpty();
});

afterAll(async () => {
  await testServer.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

test('an export is imported unchanged, without network access, and a second import adds nothing', async () => {
  const counts = await testServer.app.exporting.exportFolder(account, request('whole'));
  expect(counts).toMatchObject({ items: 8, goals: 2, highlights: 3 });
  const asked = site.requests.length;
  const other = await openTestServer({ embedder: 'none' });
  const taken = await importAll(other.app, place('whole'));
  expect(taken.map(({ outcome, reason }) => [outcome, reason])).toEqual(Array.from({ length: 8 }, () => ['taken', '']));
  await other.app.exporting.exportFolder(account, request('again'));
  expect(checksums('again')).toEqual(checksums('whole'));
  await other.app.worker.runUntilEmpty();
  expect(site.requests).toHaveLength(asked);
  await other.app.exporting.exportFolder(account, request('later'));
  expect(records('later')).toEqual(records('whole'));
  expect(checksums('later')).toEqual(checksums('whole'));
  expect(await (await other.app.stores.open(account)).listSources()).toMatchObject([{ name: 'Letters' }]);

  const again = await importAll(other.app, place('whole'));
  expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
  const theirs = await connectInMemory(other.app);
  const ours = await connectInMemory(testServer.app);
  for (const [tool, input] of [
    ['search', { query: 'curtains' }],
    ['search', { query: 'foxes in winter' }],
    ['list_actions', {}],
    ['list_goals', { includeArchived: true }],
    ['list_content', {}],
    ['list_highlights', {}],
    ['list_tags', {}],
    ['list_lists', {}],
    ['list_content', { query: 'list:"to read: nights"' }],
  ] as const)
    expect((await theirs.call(tool, input)).text).toBe((await ours.call(tool, input)).text);
  await Promise.all([theirs.close(), ours.close()]);
  await other.close();
});

test('lists are pages of links, and are named in the front matter of their items', () => {
  expect(readdirSync(place('whole/lists'))).toEqual(['To read nights.md']);
  const page = readFileSync(place('whole/lists/To read nights.md'), 'utf8');
  expect(page).toMatch(/^1\. \[\[.+\]\]\n2\. \[\[How to sleep well\]\]\n$/);
  const item = readFileSync(place('whole/items/How to sleep well.md'), 'utf8');
  expect(item).toMatch(/\nlists:.*\n?.*To read: nights/);
});

test('every item is a Markdown file with a safe name, in which page content is only text', async () => {
  const names = readdirSync(place('whole/items')).toSorted();
  expect(names).toHaveLength(8);
  expect(names).toEqual(expect.arrayContaining(['How to sleep well.md', '_CON.md', 'Mine.md']));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(8);
  for (const name of names) {
    expect(name).not.toMatch(/["*/:<>?\\|#^[\]\p{Cc}\p{Cf}]|^\.|[. ]\.md$/u);
    const text = readFileSync(join(place('whole/items'), name), 'utf8');
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    // Each line is a field or an entry of a list, and each text of it is a string of JSON as well.
    for (const line of head.split('\n')) {
      const [, value = '""'] = /^(?:[a-zA-Z]+:| {2}-)(?: (.+))?$/.exec(line) ?? [line, 'no field'];
      expect(() => JSON.parse(value) as unknown, line).not.toThrow();
    }
    expect(head).not.toContain('\ntags: [evil]');
  }
  const evil = readFileSync(
    join(
      place('whole/items'),
      names.find((name) => name.includes('passwd'))!,
    ),
    'utf8',
  );
  expect(evil).toContain('```text dataviewjs');
  expect(evil).toContain('```js\n');
  expect(evil).toContain('`\u2060$= dv.pages()`');
  expect(evil).not.toContain('<% ');
  const sleep = readFileSync(place('whole/items/How to sleep well.md'), 'utf8');
  expect(sleep).toContain('tags:\n  - "health"\n  - "to-read"\n  - "_2024"\n');
  expect(sleep).toMatch(/^- \[x\] .* ➕ \d{4}-\d\d-\d\d ✅ \d{4}-\d\d-\d\d$/m);
  expect(sleep).toMatch(/^- \[-\] 2020-01-01 Mine/m);
  expect(sleep).toContain('> dark and cool\n\nblue · [place](<');
  expect(sleep).toContain('not found in the text');
  expect(sleep).toContain('original: "../originals/c_');
  const copy = names.find((name) => name.startsWith('How to sleep well c_'));
  expect(readFileSync(join(place('whole/items'), copy!), 'utf8')).toContain('copyOf: "[[How to sleep well]]"');
});

test('the index page has no script, and titles are text in it', () => {
  const page = readFileSync(place('whole/index.html'), 'utf8');
  expect(page).toContain(`content="default-src 'none';`);
  expect(page).not.toMatch(/<script|<[^>]*\sonload=/);
  expect(page).toContain('&lt;script&gt;');
  expect(page.match(/<tr>/g)).toHaveLength(9);
  for (const [, href = ''] of page.matchAll(/<td><a href="([^"]+)"/g))
    expect(existsSync(join(place('whole'), decodeURIComponent(href)))).toBe(true);
});

test('an earlier export is replaced, except for files that others added; other folders are not touched', async () => {
  await testServer.app.exporting.exportFolder(account, request('twice'));
  mkdirSync(place('twice/.obsidian'));
  writeFileSync(place('twice/.obsidian/app.json'), '{}');
  await testServer.app.exporting.exportFolder(account, request('twice'));
  expect(readFileSync(place('twice/.obsidian/app.json'), 'utf8')).toBe('{}');
  expect(checksums('twice')).toEqual(checksums('whole'));

  const refusal = (name: string, more = {}) =>
    expect(testServer.app.exporting.exportFolder(account, request(name, more))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  writeFileSync(place('twice/items/Mine.md'), 'edited');
  await refusal('twice');
  await refusal('whole', { since: 1 });
  mkdirSync(place('photos'));
  writeFileSync(place('photos/one.jpg'), 'x');
  await refusal('photos');
  await refusal('raindrop.csv');
  expect(readdirSync(place('photos'))).toEqual(['one.jpg']);
  expect(readdirSync(folder).filter((name) => name.includes('-export'))).toEqual([]);
});

test('a stopped export leaves nothing, and a killed one is resumed by the next', async () => {
  const stop = new AbortController();
  await expect(
    testServer.app.exporting.exportFolder(account, {
      ...request('stopped', { signal: stop.signal }),
      onProgress: () => stop.abort(),
    }),
  ).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);

  await testServer.app.exporting.exportFolder(account, request('killed'));
  writeFileSync(place('killed/mine.txt'), 'mine');
  // As it stands after the first of the two renames, and with a folder that was never finished.
  renameSync(place('killed'), place('killed.replaced-export'));
  mkdirSync(place('killed.unfinished-export/items'), { recursive: true });
  writeFileSync(place('killed.unfinished-export/items/half.md'), 'ha');
  await testServer.app.exporting.exportFolder(account, request('killed'));
  expect(checksums('killed')).toEqual(checksums('whole'));
  expect(readFileSync(place('killed/mine.txt'), 'utf8')).toBe('mine');
  expect(readdirSync(folder).filter((name) => name.startsWith('killed'))).toEqual(['killed']);
});

test('an export of recent changes alone is imported over older records', async () => {
  const other = await openTestServer({ embedder: 'none' });
  await importAll(other.app, place('whole'));
  const [one] = (
    await testServer.app.services.library.list(account, { limit: 1, offset: 0, filter: { tag: 'health' } })
  ).items;
  const { updatedAt } = records('whole').find(({ id }) => id === one!.id)!;
  const all = records('whole').map((item) => item.updatedAt);
  await testServer.app.services.library.update(account, one!.id, { notes: 'changed since' });
  const since = Math.max(...all) + 1;
  expect(updatedAt).toBeLessThan(since);
  const counts = await testServer.app.exporting.exportFolder(account, request('part', { since }));
  expect(counts.items).toBe(1);
  expect((await importAll(other.app, place('part'))).map(({ outcome }) => outcome)).toEqual(['merged']);
  expect(await other.app.services.library.get(account, one!.id)).toMatchObject({ notes: 'changed since' });
  await other.close();
});

test('an item with a local address keeps its id, and gains what the export has in addition', async () => {
  const other = await openTestServer({ embedder: 'none' });
  const { url, id } = records('whole').find(({ tags }) => tags.includes('health'))!;
  const mine = await other.app.services.library.save(account, { url, tags: ['own'] }, { signal: never });
  const deleted = records('whole').find(({ title }) => title === 'CON')!;
  const results = await importAll(other.app, place('whole'));
  expect(results.find(({ what }) => what === url)).toMatchObject({ outcome: 'merged', id: mine.id });
  expect(await other.app.services.library.get(account, mine.id)).toMatchObject({
    tags: ['own', 'health', 'to read', '2024'],
    notes: 'mine',
    lists: [{ name: 'To read: nights' }],
  });
  await expect(other.app.services.library.get(account, id)).rejects.toMatchObject({ code: 'not_found' });
  await other.app.services.library.delete(account, deleted.id);
  expect((await importAll(other.app, place('whole'))).find((one) => one.id === deleted.id)).toMatchObject({
    outcome: 'skipped',
  });
  await other.close();
});

test('an altered export is refused, and so are paths that lead out of it', async () => {
  const other = await openTestServer({ embedder: 'none' });
  const original = records('whole').find(
    ({ originals, title }) => originals.length > 0 && title === 'How to sleep well',
  )!.originals[0]!;
  await testServer.app.exporting.exportFolder(account, request('hostile'));
  const file = join(place('hostile'), ...original.file.split('/'));
  renameSync(file, place('elsewhere'));
  symlinkSync(place('elsewhere'), file);
  const failed = (await importAll(other.app, place('hostile'))).filter(({ outcome }) => outcome === 'failed');
  expect(failed).toMatchObject([{ reason: 'its original is missing from the export, or was changed' }]);
  writeFileSync(place('hostile/goals.jsonl'), '{}\n');
  await expect(importAll(other.app, place('hostile'))).rejects.toMatchObject({ code: 'invalid_input' });
  writeFileSync(place('hostile/commonplace.json'), '{"format":"commonplace export","version":2}');
  await expect(importAll(other.app, place('hostile'))).rejects.toMatchObject({ code: 'invalid_input' });
  await other.close();
});

test.each([
  [
    'netscape',
    /<DT><A HREF="[^"]+\/sleep" ADD_DATE="\d+" TOREAD="1" TAGS="health,to read,2024">How to sleep well<\/A>\n<DD>changed since/,
  ],
  ['csv', /\/sleep,How to sleep well,"health, to read, 2024",changed since,/],
  ['jsonl', /"title":"How to sleep well","tags":\["health"/],
  [
    'opml',
    /<outline text="How to sleep well" title="How to sleep well" type="link" url="[^"]+\/sleep" category="health,to read,2024"\/>/,
  ],
] as const)('an export into one file as %s can be imported', async (format, line) => {
  const name = `bookmarks.${format}`;
  const { items } = await testServer.app.exporting.exportFile(account, format, request(name));
  const text = readFileSync(place(name), 'utf8');
  expect(text).toMatch(line);
  expect(format === 'jsonl' ? '' : text).not.toMatch(/(?:^|,)=1\+1/m);
  await expect(testServer.app.exporting.exportFile(account, format, request(name))).rejects.toMatchObject({
    code: 'invalid_input',
  });
  const other = await openTestServer({ embedder: 'none' });
  const outcomes = (await importAll(other.app, place(name))).map(({ outcome }) => outcome);
  // Notes have no address that these formats could hold.
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(4);
  expect(items).toBeGreaterThanOrEqual(4);
  await other.close();
});

test("a person's own file is kept under another name where the new export has one with its name", async () => {
  const own = await openTestServer({ embedder: 'none' });
  const { library } = own.app.services;
  const note = (title: string) => library.saveNote(account, { title, text: `About ${title}.` }, { signal: never });
  await note('First');
  await own.app.exporting.exportFolder(account, request('vault'));
  writeFileSync(place('vault/items/Plans.md'), 'mine');
  await note('Plans');
  await own.app.exporting.exportFolder(account, request('vault'));
  expect(readFileSync(place('vault/items/Plans (kept 1).md'), 'utf8')).toBe('mine');
  expect(readFileSync(place('vault/items/Plans.md'), 'utf8')).toContain('title: "Plans"');
  await own.close();
});

test('a library with letters of many languages and a replacement character is imported letter for letter', async () => {
  const [own, other] = [await openTestServer({ embedder: 'none' }), await openTestServer({ embedder: 'none' })];
  const { library } = own.app.services;
  await library.saveNote(account, { title: 'A caf\ufffd', text: 'Plain words. '.repeat(30_000) }, { signal: never });
  const { id } = await library.saveNote(account, { title: 'Zürich 日本', text: 'Größe: 5 €' }, { signal: never });
  await own.app.exporting.exportFolder(account, request('letters'));
  await importAll(other.app, place('letters'));
  expect(await other.app.services.library.get(account, id)).toMatchObject({ title: 'Zürich 日本' });
  await Promise.all([own.close(), other.close()]);
});

test('a full disk is reported, and partial writes are completed', async () => {
  const file = await open(place('probe'), 'w');
  const methods = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const partly = vi.spyOn(methods, 'write').mockResolvedValue({ bytesWritten: 0, buffer: '' });
  await testServer.app.exporting.exportFile(account, 'csv', request('partly.csv'));
  await testServer.app.exporting.exportFolder(account, request('partly'));
  partly.mockRestore();
  await testServer.app.exporting.exportFile(account, 'csv', request('whole.csv'));
  expect(readFileSync(place('partly.csv'), 'utf8')).toBe(readFileSync(place('whole.csv'), 'utf8'));
  expect(records('partly')).toHaveLength(records('whole').length);
  const full = vi.spyOn(methods, 'writeFile').mockRejectedValue(Object.assign(new Error('x'), { code: 'ENOSPC' }));
  for (const exporting of [
    testServer.app.exporting.exportFile(account, 'csv', request('full.csv')),
    testServer.app.exporting.exportFolder(account, request('full')),
  ])
    await expect(exporting).rejects.toMatchObject({ message: expect.stringContaining('too little room') as string });
  full.mockRestore();
  expect(existsSync(place('full.csv'))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test('an export that fails on a full disk leaves nothing behind', async () => {
  const file = await open(place('probe'), 'w');
  const methods = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const full = vi.spyOn(methods, 'writeFile').mockRejectedValue(Object.assign(new Error('x'), { code: 'ENOSPC' }));
  // What has not been written yet when it ends cannot be written any more.
  const stop = new AbortController();
  const ended = testServer.app.exporting.exportFolder(account, {
    ...request('stopped', { signal: stop.signal }),
    onProgress: () => stop.abort(),
  });
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
  full.mockRestore();
  expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
});
