import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { permissions } from '../../src/domain/access/permission.ts';
import { exampleIds } from '../../src/domain/records/examples.ts';
import { newId, type IdKind } from '../../src/domain/records/ids.ts';
import { callOperation } from '../../src/operations/call.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { addFinishedItem, emptyAnalysis, paragraphs } from '../support/content.ts';
import { openHttpHouse, type HttpHouse } from '../support/http.ts';
import { exampleInput } from '../support/operations.ts';
import { runs } from '../support/thorough.ts';

interface Party {
  account: string;
  token: string;
  /** A word that stands in everything it has. */
  secret: string;
  ids: Record<'c' | 'a' | 'g', string>;
}

let testServer: HttpHouse;
let parties: [Party, Party];

async function makeParty(secret: string): Promise<Party> {
  const { id: account } = await testServer.app.access.addAccount(secret, 'pro');
  const store = await testServer.app.stores.open(account);
  const goal = await store.addGoal({ title: `Goal of ${secret}`, category: 'Wealth' });
  const text = `A sentence about ${secret} and the weather.`;
  const content = await addFinishedItem(store, {
    url: `https://example.com/${secret}`,
    blocks: paragraphs(text),
    about: { title: `Page of ${secret}` },
    tags: [secret],
    notes: `Note of ${secret}`,
    analysis: {
      ...emptyAnalysis,
      summary: `Summary of ${secret}`,
      actions: [
        {
          title: `Do what ${secret} says`,
          reason: null,
          quote: text,
          start: 0,
          end: text.length,
          locator: { kind: 'text', start: 0, end: text.length },
          url: null,
          goalId: goal.id,
        },
      ],
    },
  });
  const action = (await store.listActions({ offset: 0 })).items[0]?.id ?? '';
  return {
    account,
    token: await testServer.createToken({ account }),
    secret,
    ids: { c: content, a: action, g: goal.id },
  };
}

beforeAll(async () => {
  testServer = await openHttpHouse({ embedder: 'none' });
  parties = [await makeParty('zanzibar'), await makeParty('quixote')];
});
afterAll(() => testServer.close());

/** Everything that an account has, as its owner sees it. */
async function holdings({ token }: Party): Promise<string> {
  const answers = await Promise.all(['/content', '/actions', '/goals'].map((path) => testServer.ask(path, { token })));
  return answers.map(({ text }) => text).join('\n');
}

/** The operation's example, with ids wherever it has some and a harmless value wherever it stands for something else. */
function inputOf(operation: Operation, id: (kind: IdKind) => string): Record<string, unknown> {
  const kinds: Record<string, IdKind> = { contentId: 'c', actionId: 'a', goalId: 'g' };
  const samples: Record<string, IdKind> = {
    [exampleIds.content]: 'c',
    [exampleIds.action]: 'a',
    [exampleIds.goal]: 'g',
  };
  const own = operation.name.includes('goal') ? 'g' : operation.name.includes('action') ? 'a' : 'c';
  const input = exampleInput(operation, (sample) => {
    const kind = samples[sample];
    return kind === undefined ? sample : id(kind);
  });
  for (const [name, kind] of Object.entries(kinds))
    if (Object.hasOwn(operation.input.shape, name)) input[name] = id(kind);
  if (Object.hasOwn(operation.input.shape, 'id')) input['id'] = id(own);
  return input;
}

async function outcome(operation: Operation, face: 'rest' | 'mcp' | 'cli', input: object, accountId: string) {
  return callOperation(
    operation,
    face,
    input,
    { accountId, permissions: new Set(permissions) },
    {
      ...testServer.app.services,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  ).then(
    (answer) => ({ status: 200, text: JSON.stringify(answer) }),
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return { status: error.code === 'not_found' ? 404 : error.code, text: error.message };
    },
  );
}

async function removeExports(account: string): Promise<void> {
  const { items } = await testServer.app.services.exports.list(account, { limit: 50, offset: 0 });
  for (const { id } of items) await testServer.app.services.exports.remove(account, id);
}

test('no operation on any face gives, or changes, anything of another account', async () => {
  const before = await Promise.all(parties.map(holdings));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...operations),
      fc.constantFrom('rest', 'mcp', 'cli'),
      fc.boolean(),
      async (operation, face, swapped) => {
        const [attacker, victim] = swapped ? [parties[1], parties[0]] : parties;
        const stolen = inputOf(operation, (kind) => victim.ids[kind as 'c']);
        const answer = await outcome(operation, face, stolen, attacker.account);
        expect(answer.text).not.toContain(victim.secret);
        // An account has few exports at a time.
        if (operation.name === 'start_export') await removeExports(attacker.account);
        // What is another's is told from what does not exist by nothing at all.
        const nowhere = await outcome(operation, face, inputOf(operation, newId), attacker.account);
        if (operation.name === 'start_export') await removeExports(attacker.account);
        expect(answer.status).toBe(nowhere.status);
        const named = Object.hasOwn(operation.input.shape, 'id');
        expect(named ? answer : null).toEqual(named ? { status: 404, text: nowhere.text } : null);
      },
    ),
    { numRuns: runs(200) },
  );
  const after = await Promise.all(parties.map(holdings));
  for (const [index, text] of before.entries()) {
    // An attack that saves something of its own adds to its own list alone.
    for (const id of Object.values(parties[index]?.ids ?? {})) expect(after[index]).toContain(id);
    expect(text.includes('"completed":true')).toBe(false);
    expect(after[index]?.includes('"completed":true')).toBe(false);
  }
});

test('over HTTP every id of another account is 404, whatever its kind', async () => {
  for (const [attacker, victim] of [parties, [...parties].reverse()] as [Party, Party][]) {
    for (const id of [...Object.values(victim.ids), victim.account]) {
      for (const [method, path] of [
        ['GET', `/content/${id}`],
        ['HEAD', `/content/${id}`],
        ['POST', `/actions/${id}/complete`],
      ] as const) {
        const answer = await testServer.ask(path, { method, token: attacker.token });
        expect(answer.status, `${method} ${path}`).toBe(404);
        expect(answer.text).not.toContain(victim.secret);
      }
    }
    for (const query of [`contentId=${victim.ids.c}`, `goalId=${victim.ids.g}`]) {
      expect((await testServer.ask(`/actions?${query}`, { token: attacker.token })).body).toMatchObject({ total: 0 });
    }
    const found = await testServer.ask('/search', {
      method: 'POST',
      token: attacker.token,
      body: { query: `${victim.secret} weather`, filters: { tags: [victim.secret] } },
    });
    expect(found.body).toMatchObject({ results: [] });
    // The same tag of an answer is worth nothing to another account.
    const etag = (await testServer.ask('/goals', { token: victim.token })).headers.get('etag') ?? '';
    const asked = await testServer.ask('/goals', { token: attacker.token, headers: { 'if-none-match': etag } });
    expect(asked.status).toBe(200);
  }
});
