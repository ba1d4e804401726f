import { differingBits, fingerprintOf, maxDifferingBits } from '../../../../src/domain/duplicates/simhash.ts';
import { openBrowser, type TestBrowser } from '../../../support/access/browser.ts';
import { runCommand } from '../../../support/servers/serving.ts';
import { articlePage, serve } from '../../../support/servers/site.ts';
import { imitate } from './imitation.ts';
import type { AccountPayload, TestServer } from './payload.ts';
import { tryRegistrations } from './registrations.ts';

const tokens = 2_000;
const signIns = 300;
/** Of tokens and of signed-in browsers, for one account. */
const allowed = 100;
const bookmarks = 20_000;

const settled = async ({ attacker, until }: TestServer, id: string): Promise<void> => {
  await until(async () => ['completed', 'failed'].includes(await attacker.statusOf(id)), 'an item of a payload');
};

/** A page with the fingerprint of another is saved in the same library, and answers a question better. */
async function hideByFingerprint(testServer: TestServer, isFirst: boolean): Promise<string[]> {
  const { attacker, site } = testServer;
  const word = isFirst ? 'gladiolus' : 'marigold';
  const real = Array.from({ length: 12 }, (_, nth) =>
    Array.from({ length: 30 }, (__, at) => (at === 7 ? word : `${word}${nth}real${at}`)).join(' '),
  );
  const target = fingerprintOf(real.join(' '));
  if (target === null) return ['the real text has no fingerprint'];
  const made = imitate(target, word, 200);
  const path = `/imitation/${word}`;
  site.routes.set(path, serve(articlePage(word, [made])));
  const save = async (fields: Record<string, unknown>): Promise<string> => {
    const { id, status } = await attacker.save(fields);
    if (id === null) throw new Error(`a save was answered ${status}`);
    await settled(testServer, id);
    return id;
  };
  const saveReal = (): Promise<string> =>
    save({ url: `https://example.com/real/${word}`, title: 'The real page', text: real.join('\n\n') });
  const saveMade = (): Promise<string> => save({ url: `${site.url}${path}` });
  const ids = isFirst ? [await saveMade(), await saveReal()] : [await saveReal(), await saveMade()];
  const prints: (Uint8Array | null)[] = [];
  const wrong: string[] = [];
  for (const id of ids) {
    const { body: item } = await attacker.call<{ transcript?: string; duplicateOf: string | null }>(
      'GET',
      `/content/${id}`,
    );
    prints.push(fingerprintOf(item.transcript ?? ''));
    // A marked item is left out of related items and of the queue for a language model.
    if (item.duplicateOf !== null) wrong.push('one of the pages is marked as a copy of the other one');
  }
  const [one = null, other = null] = prints;
  if (one === null || other === null || differingBits(one, other) > maxDifferingBits)
    return ['the pages have different fingerprints, so nothing was tried with them'];
  const { body } = await attacker.call<{ results: { id: string }[] }>('POST', '/search', { query: word, limit: 10 });
  const found = body.results.map(({ id }) => id);
  const missing = ids.filter((id) => !found.includes(id));
  return [...wrong, ...missing.map((id) => `the ${id === ids[Number(isFirst)] ? 'real' : 'made'} page is not found`)];
}

/** Its person signs in and makes tokens as fast as the server answers. */
async function fillControl({ server }: TestServer): Promise<string[]> {
  const wrong: string[] = [];
  const login = { name: 'Attacker', password: 'correct horse battery' };
  const invited = await runCommand<{ link: string }>(server.folder, 'account', 'invite', server.attackerId);
  const code = new URL(invited.link, server.url).searchParams.get('code') ?? '';
  const first = openBrowser(server.url);
  await first.get(`/sign-in/link?code=${code}`);
  await first.post('/sign-in/link', { code, ...login });
  let last: TestBrowser = first;
  for (let begun = 0; begun < signIns; begun += 10)
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const browser = openBrowser(server.url);
        await browser.get('/sign-in');
        const { status } = await browser.post('/sign-in', login);
        if (status === 303) last = browser;
        else wrong.push(`a right password was answered ${status}`);
      }),
    );
  const isIn = async (browser: TestBrowser): Promise<boolean> => (await browser.get('/account')).status === 200;
  if (await isIn(first)) wrong.push('the session that was unused longest did not end');
  if (!(await isIn(last))) wrong.push('the newest session does not work');
  const ended = (await last.get('/account')).text.match(/action="\/account\/sessions\/end"/g) ?? [];
  if (ended.length > allowed) wrong.push(`${ended.length} browsers are signed in`);
  let made = 0;
  for (let asked = 0; asked < tokens; asked += 1) {
    const { status, text } = await last.post('/account/tokens', { name: `token ${asked}`, scope: 'content:read' });
    if (status === 200) made += 1;
    else if (status !== 400 || !text.includes(`at most ${allowed} tokens`))
      wrong.push(`a token was answered ${status}`);
  }
  // One was there before.
  if (made !== allowed - 1) wrong.push(`${made} tokens were made`);
  return wrong;
}

/** The neighbour's save has to be done before the undo is. */
async function undoImport({ attacker, neighbourSaves, site, until }: TestServer): Promise<string[]> {
  const links = Array.from(
    { length: bookmarks },
    (_, at) => `<DT><A HREF="${site.url}/bookmark/${at}">Bookmark ${at}</A>`,
  );
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${links.join('\n')}\n</DL>`;
  const count = async (): Promise<number> =>
    (await attacker.call<{ total: number }>('GET', '/content?limit=1')).body.total;
  const before = await count();
  const begun = await attacker.call<{ id: string }>('POST', '/api/v1/imports?name=bookmarks.html', file);
  let state = '';
  let undo: string | null = null;
  await until(async () => {
    const { body } = await attacker.call<{ state: string; undo: string | null }>(
      'GET',
      `/api/v1/imports/${begun.body.id}`,
    );
    ({ state, undo } = body);
    return ['done', 'failed', 'cancelled'].includes(state);
  }, 'an import');
  const imported = (await count()) - before;
  if (imported !== bookmarks)
    return [`the import of ${bookmarks} bookmarks is ${state} with ${imported}, so nothing was undone`];
  let isUndone = false;
  const undone = attacker
    .call<{ outcome: string }>('POST', `/api/v1/history/${undo}/undo`, {})
    .finally(() => (isUndone = true));
  await neighbourSaves();
  const wrong = isUndone ? ['the undo was done before the save of the neighbour'] : [];
  const { body } = await undone;
  if (body.outcome !== 'undone') wrong.push(`the import is ${body.outcome}`);
  const left = (await count()) - before;
  if (left !== 0) wrong.push(`${left} bookmarks are left`);
  return wrong;
}

/** Calls of somebody with an account, one after the other. */
export const accounts: readonly AccountPayload[] = [
  { kind: 'account', name: 'registrations', run: ({ server }) => tryRegistrations(server.url) },
  {
    kind: 'account',
    name: 'a page with the fingerprint of one that was saved before',
    run: (testServer) => hideByFingerprint(testServer, false),
  },
  {
    kind: 'account',
    name: 'a page with the fingerprint of one that is saved later',
    run: (testServer) => hideByFingerprint(testServer, true),
  },
  { kind: 'account', name: `${tokens} tokens and ${signIns} sign-ins`, run: fillControl, isSlow: true },
  { kind: 'account', name: `the undo of ${bookmarks} bookmarks`, run: undoImport, isSlow: true },
];
