import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { permissions } from '../../../src/domain/access/permission.ts';
import { localAccountId } from '../../../src/domain/records/account.ts';
import { itemIdOf } from '../../../src/domain/records/transfers/export-files.ts';
import { readInThread } from '../../../src/importing/import-thread.ts';
import { createFolderCheck } from '../../../src/pipeline/sources/folder.ts';
import { createSystemClock } from '../../../src/workers/system-clock.ts';
import { VaultGone } from '../../../src/exporting/vault/vault-folder.ts';
import {
  createVaultService,
  type Vault,
  type VaultCounts,
  type VaultRequest,
} from '../../../src/services/library/vault/vault.ts';
import { readAsObsidian } from '../../support/texts/obsidian.ts';
import { openTestServer } from '../../support/test-server.ts';

const account = localAccountId;
const never = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'commonplace-vaults-'));
let testServer: Awaited<ReturnType<typeof openTestServer>>;
let root: string;
let told: string[];
let number = 0;

beforeAll(async () => void (testServer = await openTestServer({ embedder: 'none' })));
afterAll(async () => {
  await testServer.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  root = join(folder, `vault ${(number += 1)}`);
  mkdirSync(root);
  told = [];
});
afterEach(async () => {
  const { items } = await testServer.app.services.library.list(account, { limit: 100, offset: 0 });
  for (const { id } of items) await testServer.app.services.library.delete(account, id);
  await testServer.app.services.library.purge(account, null);
});

const at = (path: string): string => join(root, ...path.split('/'));
const read = (path: string): string => readFileSync(at(path), 'utf8');
const edit = (path: string, ...changes: (readonly [string, string])[]): void => {
  const text = readFileSync(at(path), 'latin1');
  const bytes = (one: string): string => Buffer.from(one).toString('latin1');
  for (const [from] of changes) expect(text).toContain(bytes(from));
  writeFileSync(
    at(path),
    changes.reduce((all, [from, to]) => all.replace(bytes(from), () => bytes(to)), text),
    'latin1',
  );
};
const files = (path = ''): string[] => readdirSync(at(path)).filter((name) => name.endsWith('.md'));

function open(template?: string, more: Partial<VaultRequest> = {}, by = account): Promise<Vault> {
  return testServer.app.vaults.open(by, {
    mayTrashMany: false,
    isOnce: false,
    place: root,
    known: join(folder, 'vaults.json'),
    template,
    services: testServer.app.services,
    signal: never,
    tell: (text) => void told.push(text),
    onProgress: () => undefined,
    ...more,
  });
}

/** One pass of a program that begins and ends with it. */
async function pass(...opened: Parameters<typeof open>): Promise<VaultCounts> {
  const vault = await open(...opened);
  try {
    return await vault.pass();
  } finally {
    await vault.close();
  }
}

async function note(title: string, text: string, more: { notes?: string; tags?: string[] } = {}): Promise<string> {
  const { library } = testServer.app.services;
  const { id } = await library.saveNote(account, { title, text, ...more }, { signal: never });
  await testServer.app.worker.runUntilEmpty();
  return id;
}

const sleep = 'Commonplace/Sleep.md';
const sleepText =
  'Get up at the same hour every day, weekends included.\n\nKeep the room dark and cool at night. A & B == C.';

async function sleepNote(): Promise<{ id: string; action: string }> {
  const id = await note('Sleep', sleepText, { notes: 'mine', tags: ['to read', 'health'] });
  const { id: action } = await testServer.app.services.actions.add(account, { contentId: id, title: 'Buy curtains' });
  return { id, action };
}

const stateOf = async (id: string, action: string) => (await item(id)).actions.find((one) => one.id === action)?.state;
const item = (id: string) => testServer.app.services.library.get(account, id);

test('ticks, highlights and front matter are read back as one change, and text below the line is kept byte for byte', async () => {
  const { id, action } = await sleepNote();
  expect(await pass()).toMatchObject({ items: 1, written: 1 });
  expect(read(sleep)).toMatch(
    new RegExp(`^- \\[ \\] Buy curtains ➕ \\d{4}-\\d\\d-\\d\\d \\^${action.replace('_', '-')}$`, 'm'),
  );
  const mine = Buffer.concat([
    Buffer.from('Mine: \r\n'),
    Buffer.from([0xe9, 0, 0xff]),
    Buffer.from('\n<!-- commonplace: x'),
  ]);
  writeFileSync(at(sleep), Buffer.concat([readFileSync(at(sleep)), mine]));
  edit(
    sleep,
    ['- [ ] Buy', '- [x] Buy'],
    ['dark and cool', '==dark and cool=='],
    ['\nmine\n', '\nmine, *too*\n\n## Not a section\n'],
    ['  - "health"', '  - bed\n  - 2024'],
    ['shelf: "inbox"', 'shelf: later\nrating: 5\nlinks:\n  - "[[Own]]"'],
    ['title: "Sleep"', "title: 'Sleeping: well'"],
  );
  expect(await pass()).toMatchObject({ written: 1, takenBack: 1, conflicts: 0 });
  const now = await item(id);
  expect(now).toMatchObject({
    title: 'Sleeping: well',
    tags: ['to read', 'bed', '2024'],
    notes: 'mine, *too*\n\n## Not a section',
    shelf: 'later',
  });
  expect(await stateOf(id, action)).toBe('done');
  const highlights = await testServer.app.services.highlights.list(account, { contentId: id, limit: 9, offset: 0 });
  expect(highlights.items).toMatchObject([{ quote: 'dark and cool', place: 'found' }]);
  const [change] = (
    await testServer.app.services.history.list(account, {
      limit: 1,
      offset: 0,
      permissions: new Set(permissions),
    })
  ).items;
  expect(change).toMatchObject({ face: 'vault' });
  expect(told[0]).toContain(`commonplace undo ${change!.id}`);
  expect(readFileSync(at(sleep)).subarray(-mine.length)).toEqual(mine);
  const [, front = ''] = read(sleep).split('---\n');
  expect(parseYaml(front)).toMatchObject({ id, tags: ['to-read', 'bed', '_2024'], rating: 5, links: ['[[Own]]'] });
  expect(read(sleep)).toContain('room ==dark and cool== at night. A & B == C.');
  expect(await pass()).toMatchObject({ written: 0 });

  edit(sleep, ['- [x] Buy', '- [ ] Buy'], ['the room ==dark and cool==', 'the room dark and cool']);
  expect(await pass()).toMatchObject({ takenBack: 1, conflicts: 0 });
  expect(await stateOf(id, action)).toBe('open');
  expect((await testServer.app.services.highlights.list(account, { contentId: id, limit: 9, offset: 0 })).total).toBe(
    0,
  );
});

test('edits on both sides are merged, conflicts are kept as copies, and nothing is overwritten', async () => {
  const { id, action } = await sleepNote();
  await pass();
  const { library } = testServer.app.services;
  await library.update(account, id, { tags: ['other'] });
  edit(sleep, ['- [ ] Buy', '- [x] Buy']);
  expect(await pass()).toMatchObject({ takenBack: 1 });
  expect(await item(id)).toMatchObject({ tags: ['other'] });
  expect(await stateOf(id, action)).toBe('done');

  const before = files('Commonplace').length;
  await library.update(account, id, { notes: 'from the library' });
  edit(sleep, ['\nmine\n', '\nfrom the file\n']);
  expect(await pass()).toMatchObject({ takenBack: 0, conflicts: 1 });
  expect(await item(id)).toMatchObject({ notes: 'from the library' });
  expect(read(sleep)).toContain('from the library');
  const copy = files('Commonplace').filter((name) => name.startsWith('Sleep (conflict'));
  expect(files('Commonplace')).toHaveLength(before + 1);
  expect(read(`Commonplace/${copy.at(-1)}`)).toContain('from the file');
  expect(itemIdOf(read(`Commonplace/${copy.at(-1)}`))).toEqual({ id, isCopy: true });
  expect(told.at(-1)).toContain(copy.at(-1));
  expect(read(`Commonplace/${copy.at(-1)}`)).toContain(
    '---\n\n> [!warning] Commonplace kept this copy of [[Sleep]], because it was changed above the line, and so was the item.\n',
  );

  // Words above the line that are no field stay until the item changes.
  edit(sleep, ['weekends included', 'weekends included, says Ann']);
  expect(await pass()).toMatchObject({ written: 0, conflicts: 0 });
  expect(read(sleep)).toContain('says Ann');
  expect(told.at(-1)).toContain('words above the line are not taken over');
  await library.update(account, id, { tags: ['third'] });
  expect(await pass()).toMatchObject({ written: 1, conflicts: 1 });
  expect(files('Commonplace').some((name) => read(`Commonplace/${name}`).includes('says Ann'))).toBe(true);

  // Without the line nobody knows what is whose.
  writeFileSync(at(sleep), `${read(sleep).split('<!-- commonplace')[0]}Where does this belong?`);
  // Another program may still be writing it.
  expect(await pass()).toMatchObject({ written: 0, conflicts: 0 });
  utimesSync(at(sleep), 1_700_000_000, 1_700_000_000);
  expect(await pass()).toMatchObject({ written: 1, conflicts: 1 });
  expect(read(sleep)).not.toContain('Where does this belong?');
  edit(sleep, ['"third"', `"${'x'.repeat(300)}"`]);
  expect(await pass()).toMatchObject({ takenBack: 0 });
  expect(told.at(-1)).toContain('tags is not valid');
});

test('a moved file stays there, a deleted one returns with a change, and a second file of an id is ignored', async () => {
  const { id } = await sleepNote();
  await note('Other', 'About something else.');
  await pass();
  mkdirSync(at('Mine/Deep'), { recursive: true });
  renameSync(at(sleep), at('Mine/Deep/Nights.md'));
  await pass();
  writeFileSync(at('Copy.md'), read('Mine/Deep/Nights.md'));
  rmSync(at('Commonplace/Other.md'));
  writeFileSync(at('Own.md'), 'Nothing of a library.');
  await testServer.app.services.library.update(account, id, { notes: 'changed' });
  expect(await pass()).toMatchObject({ items: 2, written: 1 });
  expect(read('Mine/Deep/Nights.md')).toContain('\nchanged\n');
  expect(read('Copy.md')).not.toContain('\nchanged\n');
  expect(told).toEqual([expect.stringContaining('Copy.md has the id of Mine/Deep/Nights.md')]);
  expect(files('Commonplace')).toEqual([]);
  const other = (await testServer.app.services.library.list(account, { limit: 9, offset: 0 })).items.find(
    ({ title }) => title === 'Other',
  );
  await testServer.app.services.library.update(account, other!.id, { tags: ['again'] });
  await pass();
  expect(files('Commonplace')).toEqual(['Other.md']);

  // The index is made again from the files.
  rmSync(at('Copy.md'));
  writeFileSync(at('.commonplace/vault.json'), '{"files":');
  expect(await pass()).toMatchObject({ items: 2, written: 0 });
  expect(read('Own.md')).toBe('Nothing of a library.');
});

test('the file of a deleted item goes to .trash, unless somebody wrote in it', async () => {
  const { id } = await sleepNote();
  const other = await note('Other', 'About something else.');
  const { library } = testServer.app.services;
  await pass();
  writeFileSync(at(sleep), `${read(sleep)}My thoughts.`);
  for (const one of [id, other]) await library.delete(account, one);
  expect(await pass()).toMatchObject({ trashed: 1 });
  expect(readdirSync(at('.trash'))).toEqual(['Other.md']);
  expect(read(sleep)).toContain('My thoughts.');
  expect(told).toEqual([expect.stringContaining('no longer in the library')]);
  expect(await pass()).toMatchObject({ trashed: 0 });
  await library.restore(account, id);
  expect(await pass()).toMatchObject({ written: 1 });
  expect(files('Commonplace')).toEqual(['Sleep.md']);
  expect(read(sleep)).toContain('My thoughts.');

  // The file of a restored item comes back from the trash to where it was, and so does one that the person moved there.
  await library.restore(account, other);
  expect(await pass()).toMatchObject({ written: 1, conflicts: 0 });
  expect(files('Commonplace')).toEqual(['Other.md', 'Sleep.md']);
  expect(readdirSync(at('.trash'))).toEqual([]);
  mkdirSync(at('Mine'));
  renameSync(at('Commonplace/Other.md'), at('Mine/Moved.md'));
  await pass();
  await library.delete(account, other);
  expect(await pass()).toMatchObject({ trashed: 1 });
  writeFileSync(at('.trash/Moved.md'), `${read('.trash/Moved.md')}Written there.`);
  await library.restore(account, other);
  await pass();
  expect(read('Mine/Moved.md')).toMatch(/-->\n\nWritten there\.$/);
  renameSync(at(sleep), at('.trash/Sleep 2.md'));
  expect(await pass()).toMatchObject({ written: 0 });
  await library.update(account, id, { tags: ['again'] });
  expect(await pass()).toMatchObject({ written: 1 });
  expect(read(sleep)).toMatch(/"again"[^]*My thoughts\.$/);
  expect(readdirSync(at('.trash'))).toEqual([]);
});

test('a tick in the text completes the action found there, and any other is reported on the terminal', async () => {
  const text = 'Plans\n\n- [ ] Call the bank\n- [ ] Water the plants\n- [x] Pay the rent\n1. [ ] Call the bank';
  const id = await note('Plans', text);
  await pass();
  const path = 'Commonplace/Plans.md';
  const states = async () => Object.fromEntries((await item(id)).actions.map(({ title, state }) => [title, state]));
  expect(await states()).toMatchObject({ 'Call the bank': 'open', 'Water the plants': 'open' });
  edit(path, ['\n- [ ] Water the plants\n', '\n- [X] Water the ==plants== ✅ 2026-11-30\n']);
  expect(await pass()).toMatchObject({ takenBack: 1, conflicts: 0 });
  expect(await states()).toMatchObject({ 'Call the bank': 'open', 'Water the plants': 'done' });
  expect(read(path)).toContain('\n- [x] Water the ==plants==\n- [x] Pay the rent\n');
  // In one place alone, in either of both.
  edit(path, ['- [x] Water the plants ➕', '- [-] Water the plants ➕']);
  await pass();
  expect(await states()).toMatchObject({ 'Water the plants': 'dismissed' });
  expect(read(path)).toContain('\n- [-] Water the ==plants==\n');
  await testServer.app.services.actions.update(
    account,
    (await item(id)).actions.find(({ title }) => title === 'Water the plants')!.id,
    { state: 'open' },
  );
  expect(await pass()).toMatchObject({ written: 1, takenBack: 0 });
  expect(read(path)).toContain('\n- [ ] Water the ==plants==\n');
  told = [];
  edit(path, ['- [x] Pay the rent', '- [ ] Pay the rent']);
  expect(await pass()).toMatchObject({ takenBack: 0, written: 0 });
  expect(told).toEqual([expect.stringContaining('not taken over')]);
});

test('Obsidian and its plugins read a file as intended, before and after edits on both sides', async () => {
  const { id, action } = await sleepNote();
  const { library, actions, highlights } = testServer.app.services;
  const other = await note(
    'Query: [[CON]]',
    'tags:: evil\n\n```dataview\nLIST\n```\n\n- [ ] A task ^a-1 📅 2020-01-01',
  );
  await actions.update(account, action, { due: '2026-12-24', priority: 'high' });
  await pass();
  const note2 = (): ReturnType<typeof readAsObsidian> => readAsObsidian(read(sleep));
  const task = () => note2().tasks.find(({ blockId }) => blockId === action.replace('_', '-'));
  const today = new Date().toISOString().slice(0, 10);
  expect(note2().properties).toMatchObject({ id, title: 'Sleep', tags: ['to-read', 'health'], shelf: 'inbox' });
  expect(task()).toEqual({
    status: ' ',
    words: 'Buy curtains',
    dates: { '📅': '2026-12-24', '➕': today },
    priority: '⏫',
    blockId: action.replace('_', '-'),
  });
  const foreign = readAsObsidian(read(`Commonplace/${files('Commonplace').find((name) => name.startsWith('Query'))}`));
  expect(foreign).toMatchObject({ properties: { id: other, title: 'Query: [[CON]]' }, languages: ['text'] });

  // As the plugin Tasks ticks it, with a property and a highlight of the person; meanwhile the library changes as well.
  const due = `📅 2026-12-24 ➕ ${today}`;
  edit(
    sleep,
    [`- [ ] Buy curtains ⏫ ${due} ^`, `- [x] Buy curtains ⏫ ${due} ✅ ${today} ^`],
    ['dark and cool', '==dark and cool=='],
    ['shelf:', 'cssclasses:\n  - wide\nshelf:'],
  );
  await library.update(account, id, { title: 'Sleep: "well" #1', tags: ['2024', 'a b'] });
  await highlights.add(account, { contentId: id, quote: 'Get up' });
  expect(await pass()).toMatchObject({ takenBack: 1, written: 1, conflicts: 0 });
  expect(note2().properties).toMatchObject({
    id,
    title: 'Sleep: "well" #1',
    tags: ['_2024', 'a-b'],
    cssclasses: ['wide'],
  });
  expect(task()).toMatchObject({ status: 'x', dates: { '✅': today, '📅': '2026-12-24' }, priority: '⏫' });
  expect(note2().highlights).toEqual(expect.arrayContaining(['Get up', 'dark and cool']));
  expect(note2().tasks).toHaveLength((await item(id)).actions.length);
  expect(await stateOf(id, action)).toBe('done');

  // A file with the line breaks of Windows is read in the same way, and its lower part stays as it is.
  writeFileSync(at(sleep), `${read(sleep)}Below.`.replaceAll('\n', '\r\n').replace('- [x] Buy', '- [ ] Buy'));
  expect(await pass()).toMatchObject({ takenBack: 1, conflicts: 0 });
  expect(await stateOf(id, action)).toBe('open');
  expect(read(sleep)).toMatch(/-->\n\r\nBelow\.$/);
  expect(task()).toMatchObject({ status: ' ', dates: { '📅': '2026-12-24', '➕': today } });
});

test('a template names folders, files and fields, and no title leads out of the vault', async () => {
  const hostile = '../../../etc/passwd';
  const ids = [
    await note(hostile, 'First text.', { tags: ['one'] }),
    await note(hostile.toUpperCase(), 'Second text.'),
  ];
  const template =
    'Read/../{{title}}/{{year}}/{{title}}.md\n---\nlabels: {{tags}}\nname: {{title}}\nfrom: saved {{saved}}, {{tags}}\nkind: note\n---\n';
  await pass(template);
  const year = String(new Date().getUTCFullYear());
  const path = `Read/etc passwd/${year}/etc passwd.md`;
  const [, front = ''] = read(path).split('---\n');
  expect(parseYaml(front)).toMatchObject({ id: ids[0], labels: ['one'], name: hostile, kind: 'note' });
  expect(readdirSync(folder).filter((name) => !name.startsWith('vault'))).toEqual([]);
  edit(path, ['  - "one"', '  - two']);
  await pass(template);
  expect(await item(ids[0]!)).toMatchObject({ tags: ['two'] });
  // Another template writes the files again, where they are.
  expect(await pass('New/{{title}}')).toMatchObject({ written: 2 });
  expect(read(path)).toContain('tags:\n  - "two"');
  for (const bad of [
    '',
    '---\na: b\n---',
    '{{title}}\n---\nid: x\n---',
    '{{name}}',
    '{{title}}\n---\nno key\n---',
    '{{title}}\nx',
  ])
    await expect(open(bad)).rejects.toMatchObject({ code: 'invalid_input' });
  symlinkSync(folder, at('Out'));
  await note('Third', 'Third text.');
  expect(await pass('Out/{{title}}')).toMatchObject({ written: 0 });
  expect(told.at(-1)).toContain('or a link leads to it');
  expect(await pass('Out/Deep/{{title}}')).toMatchObject({ written: 0 });
  expect(readdirSync(folder)).not.toContain('Deep');
  symlinkSync(folder, at('.trash'));
  await testServer.app.services.library.delete(account, ids[0]!);
  expect(await pass(template)).toMatchObject({ trashed: 0 });
  expect(existsSync(at(path))).toBe(true);
  renameSync(at('.commonplace'), at('Mine'));
  symlinkSync(at('Mine'), at('.commonplace'));
  await expect(open()).rejects.toMatchObject({ code: 'invalid_input' });
});

test('invalid front matter, comments and other headings are neither lost nor misread', async () => {
  const { id } = await sleepNote();
  const { library } = testServer.app.services;
  const copies = (): string =>
    files('Commonplace')
      .flatMap((name) => (name === 'Sleep.md' ? [] : read(`Commonplace/${name}`)))
      .join();
  const [tag, shelf] = ['  - "health"', 'shelf: "inbox"'];
  const cases: [words: string, kept: string, ...changes: (readonly [string, string])[]][] = [
    ['not valid YAML', '  - bed', ['"Sleep"', 'Sleep: the book'], [tag, '  - bed']],
    ['not valid YAML', '  - twice', [shelf, `tags:\n  - twice\n${shelf}`]],
    ['not valid YAML', '  and more', [shelf, `${shelf}\n  and more`]],
    ['', '  - #night', [tag, `${tag}\n  - #night`]],
    ['', '- [a, b]', [tag, `${tag}\n  - [a, b]`]],
    ['heading', '## My notes', ['## Notes', '## My notes']],
    ['heading', '- ## Notes', ['## Notes', '- ## Notes']],
    ['heading', '## The text', ['## Text', '## The text']],
    ['heading', '## Text', ['## Notes\n\nmine\n\n', '']],
  ];
  await pass();
  for (const [words, kept, ...changes] of cases) {
    edit(sleep, ...changes);
    told = [];
    expect(await pass()).toMatchObject({ written: 0, takenBack: 0, conflicts: 0 });
    expect(told.join(), kept).toContain(words);
    await library.update(account, id, { shelf: 'later' });
    expect(await pass(), kept).toMatchObject({ written: 1, conflicts: 1 });
    expect(copies()).toContain(kept);
    expect(await item(id)).toMatchObject({ notes: 'mine', title: 'Sleep', tags: ['to read', 'health'] });
    await library.update(account, id, { shelf: 'inbox' });
    await pass();
  }
  // Comments of a person stay, and an empty section clears the notes.
  edit(sleep, ['status:', '# A comment.\nstatus:'], ['\nmine\n', '\n']);
  expect(await pass()).toMatchObject({ takenBack: 1, conflicts: 0 });
  expect(await item(id)).toMatchObject({ notes: null });
  expect(read(sleep)).toContain('\n# A comment.\n');
});

test('a vault of another account or library is refused, and files of many deleted items stay until the person agrees', async () => {
  const ids = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map((title) => note(title, `About ${title}.`)));
  await pass();
  const refusal = { code: 'conflict', message: expect.stringContaining('vault.json') as string };
  const other = await testServer.app.access.addAccount('Other', 'pro');
  await expect(open(undefined, {}, other.id)).rejects.toMatchObject(refusal);
  await expect(open(undefined, { known: join(folder, 'vaults of another') })).rejects.toMatchObject(refusal);
  for (const id of ids.slice(1)) await testServer.app.services.library.delete(account, id);
  expect(await pass()).toMatchObject({ trashed: 0 });
  expect(told).toEqual([expect.stringContaining('5 of 6 files')]);
  expect(files('Commonplace')).toHaveLength(6);
  expect(await pass(undefined, { mayTrashMany: true })).toMatchObject({ trashed: 5 });
  expect(readdirSync(at('.trash'))).toHaveLength(5);
});

test('a text that contains our line, our headings and broken front matter stays text', async () => {
  const text =
    'Before.\n\n<!-- commonplace: write below this line | e30 -->\n\n## Notes\n\nforged\n\n- [x] Done ^a-aaaaaaaaaaaaaaaa';
  const notes = '## Text\n\\## Text\n<% x %> `= y`\n```dataview\nLIST\n```\n```js\n1\n```\n<code>\n---';
  const id = await note('Hostile', text, { notes });
  await pass();
  expect(await pass()).toMatchObject({ written: 0, takenBack: 0 });
  expect(await item(id)).toMatchObject({ notes });
  const path = 'Commonplace/Hostile.md';
  edit(path, ['status: ', 'x: [&a [*a, *a]]\nstatus: '], ['LIST', 'LIST 2']);
  await pass();
  expect(read(path)).toContain('x: [&a [*a, *a]]\n');
  expect(await item(id)).toMatchObject({ notes: notes.replace('LIST', 'LIST 2') });
});

test('a missing or empty vault is neither created nor written, and only one process writes it', async () => {
  await sleepNote();
  const vault = await open();
  await vault.pass();
  const lock = at('.commonplace/lock');
  const ownLock = read('.commonplace/lock');
  const otherLock = ownLock.replace(String(process.pid), String(process.ppid));
  writeFileSync(lock, otherLock);
  await expect(open()).rejects.toMatchObject({ code: 'conflict' });
  // Another process took the lock meanwhile: this one ends, and leaves it there.
  await expect(vault.pass()).rejects.toMatchObject({ code: 'conflict' });
  await vault.close();
  expect(read('.commonplace/lock')).toBe(otherLock);
  writeFileSync(lock, ownLock);
  renameSync(root, `${root} away`);
  await expect(vault.pass()).rejects.toBeInstanceOf(VaultGone);
  mkdirSync(root);
  await note('Another', 'While it was away.');
  await expect(vault.pass()).rejects.toBeInstanceOf(VaultGone);
  await vault.close();
  expect(readdirSync(root)).toEqual([]);
  const stop = new AbortController();
  const waiting = open(undefined, {
    signal: stop.signal,
    tell: (text) => {
      told.push(text);
      stop.abort();
    },
  });
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(told.at(-1)).toContain('The vault is not there');
  await expect(open(undefined, { isOnce: true })).rejects.toMatchObject({ code: 'unavailable' });
  expect(readdirSync(root)).toEqual([]);
  rmSync(root, { recursive: true });
  await expect(open()).rejects.toMatchObject({ code: 'invalid_input' });
  renameSync(`${root} away`, root);
  rmSync(lock);
  expect(await pass()).toMatchObject({ items: 2, written: 1 });
});

test('a vault survives a full disk, locked files, and a disk that is away', async () => {
  const { id } = await sleepNote();
  const { services, stores } = testServer.app;
  const stop = new AbortController();
  let code: string | null = null;
  const update: typeof services.library.update = async (...asked) => {
    if (code !== null) throw Object.assign(new Error('of the file system'), { code });
    return services.library.update(...asked);
  };
  const waits: number[] = [];
  const shelve = (shelf: string): void => edit(sleep, [/shelf: .*/.exec(read(sleep))?.[0] ?? '', `shelf: ${shelf}`]);
  /** What happens while it waits before each pass. */
  const meanwhile = [
    () => void ((code = 'ENOSPC'), shelve('later')),
    () => void (code = 'EROFS'),
    () => void (code = null),
    () => renameSync(root, `${root} away`),
    () => mkdirSync(root),
    () => void (rmSync(root, { recursive: true }), renameSync(`${root} away`, root), shelve('archive')),
    () => stop.abort(),
  ];
  const clock = {
    ...createSystemClock(),
    sleep: async (ms: number): Promise<void> => {
      waits.push(ms);
      meanwhile[waits.length - 1]?.();
      // Watchers tell of changes in their own time.
      now += 120_000;
    },
    elapsed: () => now,
  };
  let now = 0;
  const vault = await createVaultService({ stores, clock }).open(account, {
    mayTrashMany: false,
    isOnce: false,
    place: root,
    known: join(folder, 'vaults.json'),
    template: undefined,
    services: { ...services, library: { update } },
    signal: stop.signal,
    tell: (text) => void told.push(text),
    onProgress: () => undefined,
  });
  await vault.pass();
  const passes: VaultCounts[] = [];
  await vault.follow((counts) => void passes.push(counts));
  await vault.close();
  expect(told).toEqual([
    expect.stringContaining('too little room'),
    expect.stringContaining('cannot be read or written now'),
    'The vault can be written again.',
    expect.stringContaining('shelf. commonplace undo'),
    expect.stringContaining('The vault is not there'),
    expect.stringContaining('shelf. commonplace undo'),
    'The vault can be written again.',
  ]);
  expect(passes.map(({ takenBack }) => takenBack)).toEqual([0, 1, 1]);
  expect(await item(id)).toMatchObject({ shelf: 'archive' });
  expect(waits).toEqual([3_000, 3_000, 30_000, 3_000, 3_000, 3_000, 3_000]);
});

test('a file that another program changes during a write is not overwritten', async () => {
  const { id } = await sleepNote();
  await pass();
  const { size } = statSync(at(sleep));
  writeFileSync(at(sleep), `${read(sleep)}${'y'.repeat(10)}`);
  await testServer.app.services.library.update(account, id, { tags: [] });
  const vault = await open(undefined, {
    services: {
      ...testServer.app.services,
      library: {
        // An edit by the person while theirs is taken back.
        update: async (...asked) => {
          writeFileSync(at(sleep), `${read(sleep)} and on`);
          return testServer.app.services.library.update(...asked);
        },
      },
    },
  });
  edit(sleep, ['shelf: "inbox"', 'shelf: archive']);
  await vault.pass();
  expect(read(sleep)).toMatch(/y{10} and on$/);
  expect(await vault.pass()).toMatchObject({ written: 1 });
  await vault.close();
  expect(read(sleep)).toMatch(/y{10} and on$/);
  expect(read(sleep)).toContain('shelf: "archive"');
  expect(size).toBeGreaterThan(0);
});

test('a vault that is also a followed folder brings none of its own files back as items', async () => {
  await sleepNote();
  await pass();
  writeFileSync(at('Commonplace/mine.md'), 'Written by hand.');
  const { stores } = testServer.app;
  const store = await stores.open(account);
  await store.addSource({ kind: 'folder', address: realpathSync(root), name: 'vault' });
  const claim = await store.claimSource(60_000, { kinds: ['folder'] });
  const check = createFolderCheck({
    readFolder: readInThread,
    maxBytes: 1_000_000,
    clock: createSystemClock(),
    onEvent: () => undefined,
    watch: () => () => false,
  });
  const outcome = await check(store, claim!, never);
  expect(outcome).toMatchObject({ problem: null, hasChanged: true });
  await testServer.app.worker.runUntilEmpty();
  const { items } = await testServer.app.services.library.list(account, { limit: 9, offset: 0 });
  expect(items.map(({ title }) => title).toSorted()).toEqual(['Sleep', 'mine']);
  // And the next pass writes the new note as a file that the folder's next check passes over.
  await pass();
  await store.askSource(claim!.id);
  await check(store, claim!, never);
  expect((await testServer.app.services.library.list(account, { limit: 9, offset: 0 })).total).toBe(2);
});
