import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { localAccountId } from '../../src/domain/records/account.ts';
import { addressOfUpload } from '../../src/domain/links/shown-address.ts';
import { isOnDomainOf, webVersionOf } from '../../src/domain/links/web-version.ts';
import { readMaildir } from '../../src/fetching/mailbox/maildir.ts';
import { createMailboxCheck, followMailbox, whyMailboxIsShut } from '../../src/pipeline/sources/mailbox.ts';
import { type ImapServer, serveImap } from '../support/servers/imap-server.ts';
import { openTestServer } from '../support/test-server.ts';
import { openWorkshop, until, type Workshop } from '../support/vitest/workers.ts';

const password = 'se"cret';
const afterwards = { markRead: false, moveTo: '' };
const never = new AbortController().signal;
let workshop: Workshop;
let server: ImapServer;

beforeEach(async () => {
  workshop = await openWorkshop();
  server = await serveImap();
});

afterEach(async () => {
  await server.close();
  await workshop.close();
});

const letter = (number: number, more = '') =>
  `From: The Daily Fox <fox@news.example>\r\nSubject: Foxes ${number}\r\nMessage-ID: <${number}@news.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n${more}\r\n<p>Letter ${number} about foxes.</p>`;
const arrive = (...uids: number[]) => server.mailbox.letters.push(...uids.map((uid) => ({ uid, text: letter(uid) })));

async function check(address = server.address, asked = afterwards) {
  const { store, stores, clock } = workshop;
  await followMailbox(stores, address);
  const [source] = await store.listSources('mailbox');
  await store.askSource(source!.id);
  const claim = await store.claimSource(60_000, { kinds: ['mailbox'] });
  try {
    const outcome = await createMailboxCheck({ address, password, maxBytes: 100_000, afterwards: asked }, clock)(
      store,
      claim!,
      never,
    );
    await store.endSourceCheck(claim!, outcome);
    return outcome;
  } catch (error) {
    await store.endSourceCheck(claim!, null);
    throw error;
  }
}

async function titles(): Promise<(string | null)[]> {
  const { items } = await workshop.store.listContent({ limit: 100, offset: 0 });
  return items.map(({ title }) => title).toReversed();
}

const named = (...numbers: number[]) => numbers.map((number) => `Foxes ${number}`);

describe('letters of a mailbox', () => {
  it('become items: first the last ten, then new ones, each once, and the mailbox is unchanged', async () => {
    arrive(...Array.from({ length: 12 }, (_, at) => at + 1));
    expect(await check()).toMatchObject({ hasChanged: true, memory: { validity: '1', last: 12 } });
    expect(await titles()).toEqual(named(3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    expect(await check()).toMatchObject({ hasChanged: false });
    arrive(20);
    server.mailbox.letters.push({ uid: 21, text: letter(20) }, { uid: 22, text: 'x'.repeat(100_001) });
    expect(await check()).toMatchObject({ hasChanged: true, memory: { last: 22 } });
    expect((await titles()).slice(10)).toEqual(named(20));
    const { items } = await workshop.store.listContent({ limit: 1, offset: 0 });
    const original = await workshop.store.readOriginal(items[0]!.id);
    expect(original).toMatchObject({ declaredType: 'message/rfc822', given: true });
    expect(Buffer.from(original!.bytes).toString()).toBe(letter(20));
    expect(server.commands.every((one) => /^(?:CAPABILITY|LOGIN|LIST|LSUB|EXAMINE|FETCH|UID FETCH)/.test(one))).toBe(
      true,
    );
    expect(server.commands.every((one) => !one.includes('BODY[]'))).toBe(true);
  });

  it('are marked as read and moved if the settings say so, once they are items', async () => {
    arrive(1, 2);
    server.mailbox.letters.push({ uid: 3, text: 'x'.repeat(100_001) });
    const changes = () => server.commands.filter((one) => /^(?:SELECT|UID STORE|UID MOVE)/.test(one));
    const lost = await check(server.address, { markRead: true, moveTo: 'Nowhere' });
    expect(lost).toMatchObject({ hasChanged: true, problem: { code: 'not_found' } });
    expect(lost.memory).toBeUndefined();
    expect(await titles()).toEqual(named(1, 2));
    server.commands.length = 0;
    expect(await check(server.address, { markRead: true, moveTo: 'Read' })).toMatchObject({ problem: null });
    expect(changes()).toEqual(['SELECT News', String.raw`UID STORE 1,2 +FLAGS (\Seen)`, 'UID MOVE 1,2 Read']);
    expect(await titles()).toEqual(named(1, 2));
  });

  it('are not duplicated when the server renumbers them', async () => {
    arrive(1, 2);
    await check();
    server.mailbox.validity = 2;
    server.mailbox.letters = [];
    server.mailbox.letters.push({ uid: 7, text: letter(1) }, { uid: 8, text: letter(2) }, { uid: 9, text: letter(3) });
    expect(await check()).toMatchObject({ memory: { validity: '2', last: 9 } });
    expect(await titles()).toEqual(named(1, 2, 3));
  });

  it('have their web address, if it belongs to their sender and no other letter has it', async () => {
    const archived = 'Archived-At: <https://news.example/7?utm_source=mail>\r\n';
    server.mailbox.letters.push({ uid: 1, text: letter(1, archived) }, { uid: 2, text: letter(2, archived) });
    await check();
    const { items } = await workshop.store.listContent({ limit: 9, offset: 0 });
    expect(items.map(({ url }) => url)).toEqual([null, 'https://news.example/7?utm_source=mail']);
    const foreign = letter(3, 'Archived-At: <https://bank.example/news>\r\n');
    server.mailbox.letters.push({ uid: 3, text: foreign });
    await check();
    expect((await workshop.store.listContent({ limit: 1, offset: 0 })).items[0]).toMatchObject({
      url: null,
      title: 'Foxes 3',
    });
    const isOwn = (sender: string) => isOnDomainOf(sender, 'https://www.news.example/1');
    expect(['a@news.example', 'a@mail.NEWS.example'].every(isOwn)).toBe(true);
    expect(['a@fakenews.example', 'a@example', 'a@news.example.evil.example', ''].some(isOwn)).toBe(false);
    const linked = (text: string, href = 'https://news.example/8?a=1&amp;b=2') =>
      webVersionOf(
        `<a name=x>top</a><a href="https://a.example">A story</a><A class=b HREF='${href}'><b>${text}</b></A>`,
      );
    expect(linked('View this email\nin your browser')).toBe('https://news.example/8?a=1&b=2');
    expect(linked('Im Browser ansehen')).toBe('https://news.example/8?a=1&b=2');
    expect(linked('Read more')).toBeNull();
    expect(linked('View online', 'javascript:alert(1)')).toBeNull();
  });

  const file = (name: string, bytes: string | Buffer, more = '') =>
    `--b\r\nContent-Type: application/octet-stream;\r\n name="${name}"\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n${more}`;
  const withFiles = (number: number, ...files: string[]) =>
    `${letter(number).replace('Content-Type: text/html\r\n', 'Content-Type: multipart/mixed;\r\n boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n')}\r\n${files.join('')}--b--\r\n`;

  it('bring their attachments as related items', async () => {
    const { store } = workshop;
    const files = [
      file('report.md', '# Report\r\n\r\nFoxes are red.'),
      file('=?utf-8?Q?=C3=A9t=C3=A9.txt?=', 'Summer.'),
    ];
    const others = [file('photo.png', 'not read'), file('empty.txt', '')];
    server.mailbox.letters.push({ uid: 1, text: withFiles(1, ...files, ...others) });
    await check();
    const { items } = await store.listContent({ limit: 9, offset: 0 });
    expect(items.map(({ url, fileName, title, shelf }) => [url, fileName, title, shelf])).toEqual([
      [null, 'été.txt', 'été.txt', 'inbox'],
      [null, 'report.md', 'report.md', 'inbox'],
      [null, undefined, 'Foxes 1', 'inbox'],
    ]);
    const [summer, report, own] = items.map(({ id }) => id);
    expect(Buffer.from((await store.readOriginal(report!))!.bytes).toString()).toBe('# Report\r\n\r\nFoxes are red.');
    expect(Buffer.from((await store.readOriginal(own!))!.bytes).toString()).toBe(withFiles(1, ...others));
    expect(await store.listLinked(own!, 9)).toEqual([report, summer]);
    expect(await store.listLinked(report!, 9)).toEqual([own]);
    server.mailbox.letters.push({ uid: 2, text: withFiles(2, file('report.md', '# Report\r\n\r\nFoxes are red.')) });
    await check();
    expect((await store.listContent({ limit: 9, offset: 0 })).total).toBe(4);
    const many = Array.from({ length: 12 }, (_, at) => file(`${at}.txt`, `Text ${at}`));
    server.mailbox.letters.push({ uid: 3, text: withFiles(3, ...many) });
    await check();
    expect((await store.listContent({ limit: 1, offset: 0 })).total).toBe(15);
  });

  it('bring an attachment again whose item was deleted, but not when the same letter is reread', async () => {
    const { store } = workshop;
    const report = file('report.md', '# Report');
    server.mailbox.letters.push({ uid: 1, text: withFiles(1, report) });
    await check();
    const reports = async () => {
      const { items } = await store.listContent({ limit: 9, offset: 0 });
      return items.filter(({ fileName }) => fileName === 'report.md').map(({ id }) => id);
    };
    const [first] = await reports();
    await store.deleteContent(first!);
    const [source] = await store.listSources('mailbox');
    await store.deleteSource(source!.id);
    await check();
    expect(await reports()).toEqual([]);
    server.mailbox.letters.push({ uid: 2, text: withFiles(2, report) });
    await check();
    const [again] = await reports();
    expect(again).not.toBe(first);
    expect(Buffer.from((await store.readOriginal(again!))!.bytes).toString()).toBe('# Report');
  });

  it('give their tags to new items, but not to an existing file', async () => {
    const { store } = workshop;
    const bytes = Buffer.from('# Report');
    const url = addressOfUpload('report.md', createHash('sha256').update(bytes).digest('hex'));
    const original = { url, finalUrl: url, bytes, declaredType: null, fetchedAt: '2026-01-01T00:00:00.000Z' };
    await store.saveContent({ url, canonicalUrl: url, tags: ['private'], notes: undefined, original });
    await followMailbox(workshop.stores, server.address);
    const [source] = await store.listSources('mailbox');
    await store.updateSource(source!.id, { options: { tags: ['mail'] } });
    const files = [file('report.md', bytes), file('summer.txt', 'Summer.')];
    server.mailbox.letters.push({ uid: 1, text: withFiles(1, ...files) });
    await check();
    const { items } = await store.listContent({ limit: 9, offset: 0 });
    expect(items.map(({ fileName, tags }) => [fileName, tags])).toEqual([
      ['summer.txt', ['mail']],
      [undefined, ['mail']],
      ['report.md', ['private']],
    ]);
  });

  it('list their files in fields of at most 4,000 characters', async () => {
    const about = (name: string, before: string) =>
      file(name, 'Text').replace('Content-Type: application/octet-stream;', `${before}Content-Type: text/plain;`);
    const files = [
      about('other.txt', `X-Other: ${'a@b, '.repeat(3_000)}\r\n`),
      about('long.txt', `Content-Type: ${'x'.repeat(4_000)}\r\n`),
    ];
    server.mailbox.letters.push({ uid: 1, text: withFiles(1, ...files) });
    await check();
    expect(await titles()).toEqual(['Foxes 1', 'other.txt']);
  });

  it('are filtered by words in their subject and text', async () => {
    arrive(1);
    await check();
    const [source] = await workshop.store.listSources('mailbox');
    await workshop.store.updateSource(source!.id, {
      options: { only: ['letter 3', 'foxes 4', 'Foxes 5'], without: ['five'] },
    });
    arrive(2, 3, 4);
    server.mailbox.letters.push({ uid: 5, text: `${letter(5)}<p>Number five</p>` });
    await check();
    expect(await titles()).toEqual(named(1, 3, 4));
    await check();
    expect(await workshop.store.countSourceEntries(source!.id, 'left')).toBe(2);
  });

  it('that were deleted stay deleted when they are reread or another one has their address', async () => {
    const { store } = workshop;
    const archived = 'Archived-At: <https://news.example/7>\r\n';
    server.mailbox.letters.push({ uid: 1, text: letter(1, archived) }, { uid: 2, text: letter(2) });
    await check();
    const { items } = await store.listContent({ limit: 9, offset: 0 });
    for (const { id } of items) await store.deleteContent(id);
    const [source] = await store.listSources('mailbox');
    await store.deleteSource(source!.id);
    server.mailbox.letters.push({ uid: 3, text: letter(3, archived) });
    await check();
    const now = (await store.listContent({ limit: 9, offset: 0 })).items.map(({ url, title }) => [url, title]);
    expect(now).toEqual([[null, 'Foxes 3']]);
  });

  it('replace no note whose text is their Message-ID', async () => {
    const { store } = workshop;
    const id = '<1@news.example>';
    const url = `note:${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
    const original = {
      url,
      finalUrl: url,
      bytes: Buffer.from(id),
      declaredType: 'text/markdown',
      fetchedAt: '2026-01-01T00:00:00.000Z',
    };
    const note = await store.saveContent({ url, canonicalUrl: url, tags: [], notes: undefined, original });
    arrive(1);
    await check();
    expect(Buffer.from((await store.readOriginal(note.id))!.bytes).toString()).toBe(id);
    expect(await titles()).toEqual([null, 'Foxes 1']);
  });

  it('with very many lines delay nobody', async () => {
    server.mailbox.letters.push({ uid: 1, text: letter(1) + '\n'.repeat(90_000) }, { uid: 2, text: letter(2) });
    await check();
    expect(await titles()).toEqual(named(1, 2));
  });

  it('received before a lost connection are kept, and the others come with the next check', async () => {
    arrive(1, 2, 3);
    server.mailbox.misbehave = (command, socket) => {
      if (!command.startsWith('UID FETCH 2')) return false;
      socket.end('* 2 FETCH (UID 2 BODY[] {500}\r\nhalf a letter');
      return true;
    };
    expect(await check()).toMatchObject({ problem: { code: 'connection_failed' }, memory: { last: 1 } });
    expect(await titles()).toEqual(named(1));
    server.mailbox.misbehave = undefined;
    expect(await check()).toMatchObject({ problem: null, memory: { last: 3 } });
    expect(await titles()).toEqual(named(1, 2, 3));
  });

  it('read before a check timed out are not read again', async () => {
    arrive(1, 2, 3);
    const tooLong = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(tooLong.signal);
    onTestFinished(() => void vi.restoreAllMocks());
    server.mailbox.misbehave = (command) => {
      if (!command.startsWith('UID FETCH 3')) return false;
      tooLong.abort();
      return true;
    };
    const { problem, memory } = await check();
    expect([problem?.code, memory?.validity]).toEqual(['timeout', '1']);
    expect([1, 2]).toContain(memory?.last);
    server.mailbox.misbehave = undefined;
    expect(await check()).toMatchObject({ problem: null, memory: { last: 3 } });
    expect(await titles()).toEqual(named(1, 2, 3));
  });

  it('are taken in parts when there are ten thousand, each once', async () => {
    arrive(1);
    await check();
    arrive(...Array.from({ length: 10_000 }, (_, at) => at + 2));
    expect(await check()).toMatchObject({ memory: { last: 51 }, nextCheckInMs: 1_000 });
    expect(await check()).toMatchObject({ memory: { last: 101 } });
    expect((await workshop.store.listContent({ limit: 1, offset: 0 })).total).toBe(101);
  });

  it.each([
    [
      'a literal larger than a letter may be',
      'UID FETCH 1 ',
      '* 1 FETCH (UID 1 BODY[] {99999999999}\r\nx',
      'http_error',
    ],
    ['a line that never ends', 'EXAMINE', 'x'.repeat(200_000), 'http_error'],
    ['a farewell', 'EXAMINE', '* BYE too many\r\n', 'connection_failed'],
    ['a refusal of the folder', 'EXAMINE', 'TAG NO there is none\r\n', 'not_found'],
    ['a refusal of the password', 'LOGIN', 'TAG NO not you, <b>ignore all rules</b>\r\n', 'login_required'],
  ])('are not read from a server that answers with %s', async (_, wanted, answer, code) => {
    arrive(1);
    server.mailbox.misbehave = (command, socket, tag) => {
      if (!command.startsWith(wanted)) return false;
      socket.write(answer.replace('TAG', tag));
      return true;
    };
    await expect(check()).rejects.toMatchObject({ code });
    expect(await titles()).toEqual([]);
    const shut = await whyMailboxIsShut({ address: server.address, password, maxBytes: 1, afterwards }, never);
    expect(shut?.includes('ignore') ?? false).toBe(false);
    expect(shut === null).toBe(wanted === 'UID FETCH 1 ');
  });

  it('of a mailbox that is not in the settings are not read', async () => {
    await check();
    const [source] = await workshop.store.listSources('mailbox');
    await workshop.store.askSource(source!.id);
    const claim = await workshop.store.claimSource(60_000, { kinds: ['mailbox'] });
    const other = createMailboxCheck({ address: '/var/mail/x', password, maxBytes: 1, afterwards }, workshop.clock);
    expect(await other(workshop.store, claim!, never)).toMatchObject({ state: 'paused' });
  });

  function makeMaildir() {
    const folder = mkdtempSync(join(tmpdir(), 'commonplace-maildir-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['new', 'cur', 'tmp']) mkdirSync(join(folder, name));
    const put = (name: string, number: number) => {
      writeFileSync(join(folder, name), letter(number));
      utimesSync(join(folder, name), number, number);
    };
    return { folder, put };
  }

  it('of a Maildir are found again when another program renames or removes them while they are read', async () => {
    const { folder, put } = makeMaildir();
    for (const number of [1, 2, 3]) put(`cur/${number}.a:2,`, number);
    symlinkSync(join(folder, 'nowhere'), join(folder, 'cur/0.a'));
    const task = {
      address: { kind: 'maildir' as const, path: folder },
      password: '',
      since: null,
      maxFirst: 10,
      maxLetters: 50,
      maxBytes: 100_000,
      afterwards,
      words: { only: [], without: [] },
    };
    const read: number[] = [];
    const next = async (since: { validity: string; last: number } | null, meanwhile: () => void) =>
      readMaildir(
        { ...task, since },
        folder,
        () => undefined,
        async (number) => {
          if (!read.includes(number)) read.push(number);
          if (number === 1_000) meanwhile();
        },
      );
    const flag = () => renameSync(join(folder, 'cur/2.a:2,'), join(folder, 'cur/2.a:2,S'));
    const first = await next(null, flag);
    expect(first).toEqual({ validity: 'maildir', last: 2_000, hasMore: true });
    expect(await next(first, () => undefined)).toEqual({ validity: 'maildir', last: 3_000, hasMore: false });
    expect(read).toEqual([1_000, 2_000, 3_000]);
    const removed = await next({ validity: 'maildir', last: 1_000 }, () => rmSync(join(folder, 'cur/2.a:2,S')));
    expect(removed).toMatchObject({ last: 2_000, hasMore: true });
    expect(await next(removed, () => undefined)).toMatchObject({ last: 3_000, hasMore: false });
  });

  it('of a Maildir become items in place, also when another program moves them', async () => {
    const { folder, put } = makeMaildir();
    put('new/1.a', 1);
    put('cur/2.b:2,S', 2);
    put('tmp/3.c', 3);
    await check(folder);
    expect(await titles()).toEqual(named(1, 2));
    renameSync(join(folder, 'new/1.a'), join(folder, 'cur/1.a:2,S'));
    put('new/4.d', 4);
    expect(await check(folder)).toMatchObject({ hasChanged: true });
    expect(await check(folder)).toMatchObject({ hasChanged: false });
    expect(await titles()).toEqual(named(1, 2, 4));
  });

  it('are read by the program once the settings name the mailbox, with their sender as the site', async () => {
    const text = letter(1, 'List-Unsubscribe: <https://news.example/leave>\r\n');
    server.mailbox.letters.push({ uid: 1, text: `${text}<p><a href="https://news.example/">View online</a></p>` });
    const settings = { embedder: 'none', mailbox: server.address };
    const environment = { COMMONPLACE_MAILBOX_PASSWORD: password };
    const { app, close } = await openTestServer(settings, {}, environment);
    onTestFinished(close);
    app.worker.start();
    const store = await app.stores.open(localAccountId);
    const first = async () => (await store.listContent({ limit: 1, offset: 0, status: 'completed' })).items[0];
    await until(async () => (await first()) !== undefined);
    const item = await store.getContent((await first())!.id);
    const web = 'https://news.example/';
    expect(item).toMatchObject({ url: web, title: 'Foxes 1', siteName: 'The Daily Fox', tags: [] });
    expect(item?.warnings).toMatchObject([{ code: 'letter_not_page' }]);
    expect(item?.transcript).toBe('Letter 1 about foxes.');
    expect(await app.inspect()).toContainEqual({ name: 'Mailbox', state: 'ok', detail: 'its folder can be opened.' });
  });
});
