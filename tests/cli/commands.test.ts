import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRaw } from '../support/store/raw-database.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runBuilt, runBuiltIn, runHere, runHereWith, type Outcome } from '../support/command.ts';
import { startProxy } from '../support/servers/connect-proxy.ts';
import { builtProgram } from '../support/mcp.ts';
import { articlePage, serve, startSite, type Site } from '../support/servers/site.ts';

const thisFile = import.meta.filename;

let folder: string;
let site: Site;

const flags = () => ['--data', join(folder, 'data'), '--allow-private-addresses', 'true'];

/** The operations are started for real in `parity.test.ts`, and what README shows in `readme-commands.test.ts`. */
const commonplace = (...args: string[]) => runHere(...args, ...flags());
const built = (...args: string[]) => runBuilt(...args, ...flags());

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'commonplace-cli-'));
  site = await startSite();
  site.routes.set(
    '/bread',
    serve(
      articlePage('Slow bread', [
        'Dough that rests overnight tastes of more. Knead it for two minutes and put it into the fridge.',
        'A hot pot with a lid makes the crust that an oven alone cannot make.',
      ]),
    ),
  );
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a video saved with a captions file is not fetched', async () => {
  const file = join(folder, 'talk.srt');
  writeFileSync(file, '1\n00:00:05,000 --> 00:00:09,000\nBees dance to tell the way.\n');
  const address = 'https://youtu.be/abcDEF12_-3';
  const saved = await built('save', address, '--captions-file', file, '--title', 'Bees', '--wait', '--json');
  expect(saved.code, saved.stderr).toBe(0);
  expect(JSON.parse(saved.stdout)).toMatchObject({ contentType: 'youtube', title: 'Bees', durationSeconds: 9 });
  const refused = await commonplace('save', address, address, '--captions-file', file);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('one web address');
});

test('reprocess uses the stored originals when the site is gone', async () => {
  const gone = await startSite();
  gone.routes.set(
    '/tea',
    serve(articlePage('Green tea', ['Green tea wants water of eighty degrees and two minutes.'])),
  );
  const saved = await commonplace('save', `${gone.url}/tea`, '--wait', '--json');
  await gone.close();
  const { id, processedAt } = JSON.parse(saved.stdout) as { id: string; processedAt: string };
  const { total } = JSON.parse((await commonplace('list', '--json')).stdout) as { total: number };
  const considered = await commonplace('reprocess', '--all', '--dry-run', '--json');
  expect(JSON.parse(considered.stdout)).toEqual({ dryRun: true, written: 0 });
  expect((await commonplace('reprocess', id, '--dry-run')).stdout).toContain('it costs nothing');
  expect(JSON.parse((await commonplace('show', id, '--json')).stdout)).toMatchObject({ processedAt });
  for (const [queued, ...words] of [
    [1, 'reprocess', id],
    [total, 'reprocess', '--all', '--from', 'analyse'],
  ] as const) {
    const again = await commonplace(...words, '--json');
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ queued, lacking: 0, failed: 0, waiting: 0 });
  }
  const shown = JSON.parse((await commonplace('show', id, '--json')).stdout) as { status: string; processedAt: string };
  expect(shown.status).toBe('completed');
  expect(shown.processedAt > processedAt).toBe(true);

  const unclear = await commonplace('reprocess');
  expect(unclear).toMatchObject({ code: 2, stderr: expect.stringContaining('--all') as string });
  expect(await commonplace('reprocess', id, 'c_aaaaaaaaaaaaaaaa')).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('"c_aaaaaaaaaaaaaaaa": nothing was queued') as string,
  });
  expect(JSON.parse((await commonplace('work', '--json')).stdout)).toMatchObject({ completed: 0 });
});

test('show prints several items at once and reports an unknown id', async () => {
  const saved = await commonplace('note', 'The kettle is descaled with vinegar.', '--json');
  const { id } = JSON.parse(saved.stdout) as { id: string };
  const both = await commonplace('show', id, 'c_aaaaaaaaaaaaaaaa', '--json');
  expect(both.code).toBe(1);
  expect(JSON.parse(both.stdout)).toMatchObject({
    items: [{ id }, { id: 'c_aaaaaaaaaaaaaaaa', message: expect.any(String) as string }],
  });
  const printed = await commonplace('show', id, 'c_aaaaaaaaaaaaaaaa');
  expect(printed.stdout).toContain(`id        ${id}`);
  expect(printed.stdout).toContain('c_aaaaaaaaaaaaaaaa: There is no saved item');
});

test('an item that lost its passages can still be reprocessed', async () => {
  const saved = await commonplace('save', `${site.url}/bread`, '--wait', '--json');
  const { id } = JSON.parse(saved.stdout) as { id: string };
  const file = openRaw(join(folder, 'data', 'accounts', 'local.db'));
  file.prepare('DELETE FROM passages WHERE item = (SELECT seq FROM items WHERE id = ?)').run(id);
  file.close();
  const again = await commonplace('reprocess', id, '--json');
  expect(again.code, again.stderr).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ queued: 1, failed: 0, waiting: 0 });
  expect((await commonplace('show', id)).stdout).toContain('A hot pot with a lid');
});

test('the commands work together from the first save to the last action', async () => {
  const goal = await commonplace('goal', 'add', 'Bake better bread', '--category', 'HEALTH', '--json');
  expect(goal.code).toBe(0);
  expect(JSON.parse(goal.stdout)).toMatchObject({ title: 'Bake better bread', category: 'Health' });

  const note = join(folder, 'note.md');
  writeFileSync(note, '# Starter\n\n- [ ] Feed the starter twice a day, equal parts of flour and water\n');
  const saved = await commonplace(
    'save',
    `${site.url}/bread`,
    note,
    '--tag',
    'bread',
    '--tag',
    'oven',
    '--wait',
    '--json',
  );
  expect(saved.code, saved.stderr).toBe(0);
  const items = JSON.parse(saved.stdout) as {
    id: string;
    status: string;
    tags: string[];
    title: string;
    url: string;
  }[];
  expect(items.map(({ status, tags, title }) => ({ status, tags, title }))).toEqual([
    { status: 'completed', tags: ['bread', 'oven'], title: 'Slow bread' },
    { status: 'completed', tags: ['bread', 'oven'], title: 'Starter' },
  ]);
  expect(items[1]?.url).toMatch(/^file:/);

  const listed = await commonplace('list', '--tag', 'oven', '--limit', '1');
  expect(listed.stdout).toContain('1–1 of 2 items (--offset 1 for more)');
  const behind = await commonplace('list', '--tag', 'oven', '--offset', '9');
  expect(behind.stdout).toBe('There are only 2 items: nothing from --offset 9 on.\n');
  const found = await commonplace('search', 'overnight', 'dough', '--json');
  const answer = JSON.parse(found.stdout) as { mode: string; results: { id: string }[] };
  expect(answer.mode).toBe('hybrid');
  expect(answer.results[0]?.id).toBe(items[0]?.id);
  const shown = await commonplace('show', items[0]?.id ?? '');
  expect(shown.stdout).toContain('Dough that rests overnight');
  expect(shown.stdout).toContain('Summary (extracted sentences)');

  const actions = JSON.parse((await commonplace('actions', '--completed', 'false', '--json')).stdout) as {
    items: { id: string; title: string }[];
  };
  const action = actions.items.find(({ title }) => title.startsWith('Feed the starter'));
  const id = action?.id ?? '';
  const goalId = (JSON.parse(goal.stdout) as { id: string }).id;
  expect((await commonplace('action', 'edit', id, '--state', 'dismissed')).stdout).toMatch(/^\[-\] Feed the starter/);
  expect((await commonplace('action', 'edit', id, '--state', 'open')).stdout).toMatch(/^\[ \] Feed the starter/);
  expect(JSON.parse((await commonplace('action', 'edit', id, '--goal-id', goalId, '--json')).stdout)).toMatchObject({
    goalId,
  });
  expect(JSON.parse((await commonplace('action', 'edit', id, '--goal-id', '', '--json')).stdout)).toMatchObject({
    goalId: null,
  });
  const later = ['--due', '2099-03-31', '--priority', 'high', '--snoozed-until', '2099-03-01'];
  expect((await commonplace('action', 'edit', id, ...later)).stdout).toMatch(
    /^\[ \] Feed the starter.*\n {4}high priority · by 2099-03-31 · snoozed until 2099-03-01\n/,
  );
  expect((await commonplace('actions', '--completed', 'false')).stdout).not.toContain('Feed the starter');
  expect((await commonplace('actions', '--snoozed', 'true')).stdout).toMatch(/^.*\[ \] Feed the starter/m);
  const todos = join(folder, 'todos.ics');
  expect((await commonplace('export', todos, '--format', 'ics')).stdout).toContain(': 1 action item (of 1 item).');
  expect(readFileSync(todos, 'utf8')).toContain('\r\nDUE;VALUE=DATE:20990331\r\nPRIORITY:1\r\n');
  const done = await commonplace('complete', id);
  expect(done.stdout).toMatch(/^\[x\] Feed the starter/);
  expect((await commonplace('goals')).stdout).toContain('Bake better bread (Health)');
});

test('save without --wait queues, work processes, and retry tries a failed item again', async () => {
  const queued = await commonplace('save', `${site.url}/later`, '--json');
  const { id, status } = JSON.parse(queued.stdout) as { id: string; status: string };
  expect(status).toBe('pending');
  const worked = await commonplace('work', '--json');
  expect(worked.code).toBe(4);
  expect(JSON.parse(worked.stdout)).toEqual({ completed: 0, failed: 1, waiting: 0 });
  expect((await commonplace('list', '--status', 'failed')).stdout).toContain('failed: ');
  expect((await built('doctor')).stdout).toContain('! Failed items of all accounts: 1 not_found');
  expect((await commonplace('retry', id, '--all-failed')).code).toBe(2);
  expect((await commonplace('retry', '--all-failed', '--code', 'timeout')).stdout).toContain('There are: 1 not_found');
  const retried = await commonplace('retry', '--all-failed', '--code', 'timeout', 'not_found', '--json');
  expect(JSON.parse(retried.stdout)).toEqual({ queued: 1, byCode: { not_found: 1 } });
  expect((await commonplace('work', '--json')).code).toBe(4);

  site.routes.set('/later', serve(articlePage('Later', ['It was there after all, and long enough to be kept.'])));
  expect((await built('retry', id)).code).toBe(0);
  expect(JSON.parse((await commonplace('work', '--json')).stdout)).toEqual({ completed: 1, failed: 0, waiting: 0 });
  expect(await commonplace('retry', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing to retry'),
  });
});

test('items can be edited, deleted and restored, and goals archived', async () => {
  const { items } = JSON.parse((await commonplace('list', '--json')).stdout) as {
    items: { id: string; title: string }[];
  };
  const { id, title } = items.at(-1)!;
  const edited = await commonplace('edit', id, '--title', 'My title', '--tag', 'a,b', '--notes', 'Mine');
  expect(edited.stdout).toMatch(/My title[^]*#a #b/);
  expect((await commonplace('edit', id, '--title', '', '--tag', '')).stdout).toContain(title);
  expect((await commonplace('edit', id, '--shelf', 'later', '--read')).stdout).toMatch(/later · read\n/);
  expect((await commonplace('list', '--shelf', 'later')).stdout).toContain(id);
  expect((await commonplace('list', '--shelf', 'inbox')).stdout).not.toContain(id);
  expect((await commonplace('edit-many', '--id', id, '--shelf', 'archive', '--read', 'false')).code).toBe(0);
  expect((await commonplace('show', id)).stdout).toMatch(/shelf +archive\n/);
  expect(await commonplace('edit', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Give --title, --tag, --reject-tag, --notes, --shelf or --read, or the --text of a note.',
    ),
  });

  const undoOf = (stderr: string): string => /commonplace undo (x_\w+)/.exec(stderr)?.[1] ?? '';
  const first = await commonplace('edit', id, '--notes', 'one');
  const second = await commonplace('edit', id, '--notes', 'two');
  const refused = await commonplace('undo', undoOf(first.stderr));
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('Not undone') });
  expect((await commonplace('undo', undoOf(second.stderr))).code).toBe(0);

  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
  expect((await commonplace('delete', id)).stdout).toMatch(
    new RegExp(`commonplace restore ${id} brings it back until ${time}`),
  );
  expect((await commonplace('show', id)).code).toBe(3);
  expect((await commonplace('list', '--deleted')).stdout).toMatch(
    new RegExp(`${id}[^]* deleted ${time}, can be restored until ${time}\n`),
  );
  expect((await commonplace('list')).stdout).not.toContain(id);
  expect((await commonplace('list', '--deleted', '--offset', '5')).stdout).toContain('nothing from --offset 5 on');
  expect((await commonplace('restore', id)).stdout).toContain(title);
  expect((await commonplace('list', '--deleted')).stdout).toContain('No items found');
  expect((await commonplace('show', id)).code).toBe(0);

  const goal = JSON.parse((await commonplace('goal', 'add', 'Read less', '--category', 'Wealth', '--json')).stdout) as {
    id: string;
  };
  expect((await commonplace('goal', 'edit', goal.id, '--title', 'Read more')).stdout).toContain('Read more (Wealth)');
  expect((await commonplace('goal', 'edit', goal.id, '--archived')).stdout).toContain('archived');
  expect((await commonplace('goals')).stdout).not.toContain('Read more');
  expect((await commonplace('goals', '--include-archived')).stdout).toContain('Read more');
  expect((await commonplace('goal', 'edit', goal.id, '--archived', 'false')).stdout).not.toContain('archived');
});

test('extract prints the document that save would store, and stores nothing', async () => {
  const before = (await commonplace('list', '--json')).stdout;
  const { code, stdout } = await commonplace('extract', `${site.url}/bread`, '--json');
  expect(code).toBe(0);
  const document = JSON.parse(stdout) as {
    title: string;
    transcript: string;
    blocks: { start: number; end: number }[];
  };
  expect(document.title).toBe('Slow bread');
  expect(document.blocks.map(({ start, end }) => document.transcript.slice(start, end)).join('\n\n')).toBe(
    document.transcript,
  );
  expect((await commonplace('list', '--json')).stdout).toBe(before);
  expect((await built('extract', `${site.url}/none`)).code).toBe(4);
});

test('a key is created, listed with the tokens, rotated and revoked, and its secret is printed once', async () => {
  const made = await commonplace(
    'token',
    'create',
    'reader',
    '--permissions',
    'search:read, content:read',
    '--limit',
    '60',
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cpl_\w{49}\n$/) as string });
  const [id = ''] = /k_[a-z2-7]{16}/.exec(made.stderr) ?? [];
  await commonplace('token', 'create', 'phone', '--scopes', 'goals:write', '--expires', '1y', '--tag', 'work');
  expect((await commonplace('token', 'list')).stdout).toMatch(/ expires \d{4}-\d\d-\d\d \d\d:\d\d UTC · never used\n/);
  const listed = (await commonplace('token', 'list')).stdout;
  expect(listed).toContain(
    `${id}  reader  local\n    content:read search:read · never expires · 60 requests a minute · never used\n`,
  );
  expect(listed).toMatch(/t_\w{16} {2}phone {2}local\n {4}goals:write · restricted to #work · /);
  const rotated = await commonplace('token', 'rotate', id, '--json');
  const { secret, oldSecretUntil } = JSON.parse(rotated.stdout) as Record<string, string>;
  expect(secret).not.toBe(made.stdout.trim());
  expect(oldSecretUntil).toMatch(/^\d{4}-/);
  const revoked = JSON.parse((await commonplace('token', 'revoke', id, '--json')).stdout) as object;
  expect(revoked).toMatchObject({ id, revokedAt: expect.any(String) as string });
  expect((await commonplace('token', 'create', '--list', 'Diary')).code).toBe(3);
  expect((await commonplace('token', 'rotate', id)).code).toBe(3);
  expect((await commonplace('token', 'revoke', 'k_aaaaaaaaaaaaaaaa')).code).toBe(3);
});

test.each([
  [['token', 'create', '--limit', '60'], 'A key has --permissions'],
  [['token', 'create', '--permissions', 'content:all'], 'The permissions are content:read'],
  [['token', 'create', '--permissions', 'content:read', '--limit', '0'], 'requests a minute'],
  [['token', 'create', '--permissions', 'content:read', '--expires', 'soon'], '12h, 90d or 1y'],
])('%j is refused with the reason', async (words, said) => {
  expect(await commonplace(...words)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(said) as string,
  });
});

test.each([
  [['edit-many', '--add-tag', 'x'], 'The input of `commonplace edit-many` is not valid. --id: is missing.'],
  [['search', 'x', '--limit', '300'], 'The input of `commonplace search` is not valid. --limit: must be at most 50.'],
  [['search', 'x', '--tag', 'a'.repeat(200)], '--tag: must have at most 100 characters.'],
  [['search', ''], '<query>: must not be empty.'],
  [
    ['edit-many', '--id', 'c_4kq7m2zt6wxp3ahr'],
    'Nothing to change was given. Give --add-tag, --remove-tag, --reject-tag, --notes, --shelf or --read.',
  ],
  [
    ['action', 'edit', 'a_w5n3yq7c2gvk6tdb'],
    'Nothing to change was given. Give --state, --title, --goal-id, --due, --priority or --snoozed-until.',
  ],
  [['highlight', 'add', 'x', 'y'], '`commonplace highlight add` is not valid. <content-id>: is not a content id'],
  [['goal', 'add', 'x'], '--category: is missing: give one of Health, Wealth, Relationships.'],
  [['token', 'create', 'two', '--tag', ''], '`commonplace token create` is not valid. --tag: must not be empty.'],
  [['list', '--query', '(((('], '--query: has no word or operator to list by.'],
  [['list', '--query', 'word '.repeat(51)], '--query: has more than 50 words: search finds passages.'],
  [['help', 'nonsense'], 'There is no command `nonsense`.'],
  [['help', 'action', 'nonsense'], 'There is no command `action nonsense`.'],
  [['goal', 'add', 'x', '--category', 'Sport'], '`commonplace goal add` is not valid. --category: must be one of'],
])('the error for %j names the flag or argument as it is typed', async (words, said) => {
  expect(await commonplace(...words)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(said) as string,
  });
});

test.each([
  [['extract', 'example.com'], 'There is no file "example.com". A web address begins with https://.'],
  [['extract', 'ftp://example.com'], 'url must begin with https:// or http://'],
  [['extract', import.meta.dirname], 'It is a folder; `commonplace import` takes the files in one.'],
  [['backup', import.meta.dirname], '`commonplace backup --to <folder>` writes a file into it.'],
  [['export', join(import.meta.dirname, 'library.csv')], 'For the file say --format csv.'],
])('%j is refused with the command to use instead', async (words, said) => {
  expect(await built(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) as string });
});

test("a variable that resembles a setting's name is reported as having no effect", async () => {
  const { code, stderr } = await runBuiltIn({ COMMONPLACE_WRKERS: '2' }, 'tags', ...flags());
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('COMMONPLACE_WORKERS?') as string });
});

test('a usage error names the help of that command', async () => {
  expect((await commonplace('goal', 'add')).stderr).toContain('Run `commonplace goal add --help` for its usage.');
  expect((await commonplace('serch')).stderr).toContain('Run `commonplace --help` for its usage.');
});

test('a note can be typed, even with a leading dash, or piped in', async () => {
  const here = (input: string | Uint8Array, ...words: string[]) =>
    runHereWith(input, ...words, '--data', join(folder, 'of-notes'), '--embedder', 'none');
  expect(await here('', 'note', '- [ ] water the plants', '--tag', 'home')).toMatchObject({ code: 0 });
  expect(await here('Feed the cat\r\n', 'note')).toMatchObject({ code: 0 });
  expect(await here('\ufeffFeed the dog\n\nand the fish\n', 'note', '-', '--title', 'Pets')).toMatchObject({ code: 0 });
  expect(await here('', 'work')).toMatchObject({ code: 0 });
  const { items } = JSON.parse((await here('', 'list', '--json')).stdout) as { items: { id: string }[] };
  const shown = await Promise.all(items.map(({ id }) => here('', 'show', id, '--json')));
  expect(shown.map(({ stdout }) => (JSON.parse(stdout) as { transcript: string }).transcript).sort()).toEqual([
    '- [ ] water the plants',
    'Feed the cat',
    'Feed the dog\n\nand the fish',
  ]);
  const again = await here('Feed the cat\n', 'note', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'existed' });
  for (const [input, problem] of [
    ['\n', 'There is no text. Type it (commonplace note <text>), or pipe it in'],
    [new Uint8Array([0xff, 0xfe, 0x41]), 'not UTF-8 text'],
    ['a'.repeat(10_000_001), 'more than 10 MB'],
  ] as const)
    expect(await here(input, 'note')).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) as string });
});

test('each of several saved items is printed with its undo, and an address given twice is saved once', async () => {
  const [one, other] = [`${site.url}/one`, `${site.url}/other`];
  const saved = await commonplace('save', one, other, one);
  expect(saved.stdout).toMatch(/^c_.*one\n(?: {4}.*\n)+ {4}commonplace undo .*\nc_.*other\n(?: {4}.*\n)+$/);
  expect(saved.stdout.match(/commonplace undo/g)).toHaveLength(2);
  expect(saved.stderr).not.toContain('undo');
});

test('an error about an unknown list or token names the command that lists them', async () => {
  expect((await commonplace('lists', 'delete', 'None')).stderr).toContain('`commonplace lists` shows those there are');
  expect((await commonplace('token', 'revoke', 'k_aaaaaaaaaaaaaaaa')).stderr).toContain('`commonplace token list`');
  expect(await commonplace('edit-many', '--id', 'c_aaaaaaaaaaaaaaaa', '--read', 'true')).toMatchObject({ code: 1 });
  expect((await commonplace('help', 'action', 'add')).stdout).toMatch(/^Usage: commonplace action add /);
});

test("a list used in another list's query cannot be deleted, and adding an existing list says so", async () => {
  await commonplace('lists', 'add', 'To cook');
  expect((await commonplace('lists', 'add', 'to cook')).stdout).toContain('was there already');
  expect((await commonplace('lists', 'add', 'Soups', '--query', 'list:"to cook" tag:soup')).stdout).not.toContain(
    'already',
  );
  const refused = await commonplace('lists', 'delete', 'to cook');
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The query of the list "Soups"') as string,
  });
  expect((await commonplace('lists', 'delete', '--help')).stdout).toContain('or its name in any case');
  expect((await commonplace('lists', 'delete', 'Soups')).code).toBe(0);
  expect((await commonplace('lists', 'delete', 'to cook')).code).toBe(0);
});

test('a restricted token says which lists and tags it may see', async () => {
  await commonplace('lists', 'add', 'Book club');
  const made = await commonplace('token', 'create', 'reader', '--list', 'book club', '--tag', 'books');
  expect(made.stderr).toContain('It is restricted to #books, Book club.');
  expect((await commonplace('token', 'list')).stdout).toMatch(
    /reader {2}local\n {4}restricted to #books, Book club · never/,
  );
});

test('an export of action items counts them, and a snooze date in the past has no effect', async () => {
  const here = (...words: string[]) => runHere(...words, '--data', join(folder, 'to-do'), '--embedder', 'none');
  const past = await here('action', 'add', 'Oil the hinge', '--snoozed-until', '2020-02-03');
  expect(past.stdout).toContain('Oil the hinge');
  expect(past.stdout).not.toContain('snoozed');
  const [item = ''] = /c_[a-z2-7]{16}/.exec((await here('list')).stdout) ?? [];
  await here('action', 'add', 'Oil the lock', '--snoozed-until', '2999-02-03', '--content-id', item);
  const written = await here('export', join(folder, 'todo.ics'), '--format', 'ics');
  expect(written.stdout).toContain(': 2 action items (of 1 item).');
});

test('messages about one item, goal or result use the singular', async () => {
  const here = (...words: string[]) => runHere(...words, '--data', join(folder, 'of-one-note'), '--embedder', 'none');
  await here('note', 'The boiler was serviced in May.', '--title', 'Boiler');
  await here('goal', 'add', 'Sleep', '--category', 'Health');
  await here('work');
  expect((await here('search', 'zebra')).stdout).toMatch(
    /^Nothing saved has many of these words.*\n\nSearched 1 item /,
  );
  expect((await here('export', join(folder, 'one-note'))).stdout).toMatch(/: 1 item, \d+ action items?, 1 goal, /);
  expect((await here('export', join(folder, 'one.csv'), '--format', 'csv')).stdout).toContain(': 1 item.');
  expect((await here('history')).stdout).toMatch(/Boiler · saved\n/);
});

test('a token for an account without Pro is created with a warning that it does not work yet', async () => {
  const added = await commonplace('account', 'add', 'Ann', '--plan', 'free', '--json');
  const { id } = JSON.parse(added.stdout) as { id: string };
  const created = await commonplace('token', 'create', 'phone', '--account', id);
  expect(created).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^cpl_\w+\n$/) as string,
    stderr: expect.stringContaining(`commonplace account set-plan ${id} pro`) as string,
  });
  expect((await commonplace('token', 'create')).stderr).not.toContain('set-plan');
});

test('doctor and config report the setup', async () => {
  const doctor = await built('doctor', '--json');
  expect(doctor.code).toBe(0);
  const { checks } = JSON.parse(doctor.stdout) as { checks: { name: string; state: string }[] };
  expect(checks).toContainEqual(expect.objectContaining({ name: 'Private addresses', state: 'warning' }));
  const config = JSON.parse((await built('config', '--json', '--workers', '5')).stdout) as object[];
  expect(config).toContainEqual(expect.objectContaining({ name: 'workers', value: 5, origin: 'flag' }));
  expect(config).toContainEqual(
    expect.objectContaining({ name: 'claudeApiKey', environment: 'COMMONPLACE_CLAUDE_API_KEY', flag: null }),
  );
});

test('doctor names the proxy and reports its failure without showing its password', async () => {
  const proxy = await startProxy({});
  vi.stubEnv('HTTPS_PROXY', `http://reader:hidden@${proxy.host}`);
  vi.stubEnv('HTTP_PROXY', `http://reader:hidden@${proxy.host}`);
  vi.stubEnv('NO_PROXY', 'localhost,10.0.0.0/8');
  try {
    const works = await commonplace('doctor');
    expect(works.stdout).toContain(`✓ Proxy: ${proxy.host}, except for localhost, 10.0.0.0/8;`);
    await proxy.close();
    const fails = await commonplace('doctor');
    expect(fails).toMatchObject({ code: 1 });
    expect(fails.stdout).toContain(`✗ Proxy: The proxy ${proxy.host} cannot be reached.`);
    const config = await commonplace('config');
    expect(config.stdout).toContain('proxy = (set, not shown)  (environment)');
    for (const { stdout, stderr } of [works, fails, config]) expect(stdout + stderr).not.toContain('hidden');
  } finally {
    vi.unstubAllEnvs();
  }
});

test('config hides the passwords in addresses', async () => {
  const flags = [
    '--embedding-base-url',
    'https://ann:hidden-37@models.example/v1',
    '--cors-origins',
    'https://b.example',
  ];
  for (const form of [[], ['--json']]) {
    const { code, stdout, stderr } = await commonplace('config', ...form, ...flags);
    expect(code).toBe(0);
    expect(stdout).toContain('models.example/v1');
    expect(stdout + stderr).not.toContain('hidden-37');
  }
});

test.each([
  [['show', 'c_aaaaaaaaaaaaaaaa'], 3, 'no saved item with this id'],
  [['show', 'nonsense'], 3, 'no saved item with this id'],
  [['actions', '--content-id', 'nonsense'], 2, 'is not a content id'],
  [['save', 'example.com/page'], 2, 'https://'],
  [['save', 'ftp://example.com/file'], 2, 'http'],
  [['save', 'file://server/share/note.txt'], 2, 'There is no file'],
  [['save', 'file:///%zz'], 2, 'There is no file'],
  // What the gate holds of web addresses it holds of files, too.
  [['save', thisFile, '--tag', 'x'.repeat(101)], 2, 'tags.0'],
  [['save', thisFile, '--notes', 'x'.repeat(10_001)], 2, 'notes'],
  [['save', 'https://example.com/a', '--text-file', thisFile, '--password', 'x'], 2, 'leave --password out'],
  [['list', '--limit', '101'], 2, 'limit'],
  [['list', '--limit', 'many'], 2, 'must be a number'],
  [['frobnicate'], 2, 'unknown command'],
  [['list', '--workers', 'x'], 2, '--workers'],
  [['goal', 'add', 'x', '--category', 'Fame'], 2, 'category'],
])('%j exits %i and says why', async (args, code, words) => {
  const outcome = await commonplace(...args);
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).toContain(words);
});

test('control characters in a refused value are not printed', async () => {
  const { code, stderr } = await commonplace('list', '--limit', '\u001B[31mmany');
  expect(code).toBe(2);
  expect(stderr).toContain('must be a number');
  expect(stderr).not.toContain('\u001B');
});

test('an old Node gets one line and exit code 1', async () => {
  const old = join(folder, 'old-node.cjs');
  // Stands in for an old runtime: the same file, told that it runs on 20.
  writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  const outcome = await new Promise<Outcome>((resolve) => {
    execFile(process.execPath, ['--require', old, builtProgram, 'list'], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
  expect(outcome).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^commonplace needs Node\.js 22\.19 or newer[^\n]*\n$/),
  });
});

test('an interrupted save reports what was saved; processing continues at the next start', async () => {
  const asked = Promise.withResolvers<void>();
  const never = () => asked.resolve();
  for (const path of ['/never/1', '/never/2']) site.routes.set(path, never);
  const addresses = ['/never/1', '/never/2'].map((path) => site.url + path);
  const data = ['--data', join(folder, 'interrupted'), '--allow-private-addresses', 'true'];
  const ended = Promise.withResolvers<Outcome>();
  const args = [builtProgram, 'save', ...addresses, '--wait', ...data];
  const child = execFile(process.execPath, args, (error, stdout, stderr) =>
    ended.resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
  );
  await asked.promise;
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended.promise;
  expect(code, stderr).toBe(130);
  for (const address of addresses) expect(stdout).toContain(address);
  // Before that stands how to undo each save.
  expect(stderr.split('\n').filter((line) => !/^commonplace undo x_\w+ takes it back\.$/.test(line))).toEqual([
    'Interrupted: 2 of 2 saved. Processing continues at the next start.',
    '',
  ]);
  const listed = JSON.parse((await runBuilt('list', '--json', ...data)).stdout) as { items: { url: string }[] };
  expect(listed.items.map(({ url }) => url).toSorted()).toEqual(addresses);
});
