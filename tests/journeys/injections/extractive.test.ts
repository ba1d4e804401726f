import { afterAll, beforeAll, expect, test } from 'vitest';
import { hiddenFromPeople, honestSentence, injections, invisible, wordOf } from '../../fixtures/injections.ts';
import { openCorpus, secret, stringsOf, unfounded, type CorpusServer } from './corpus.ts';

let testServer: CorpusServer;
beforeAll(async () => {
  testServer = await openCorpus();
});
afterAll(() => testServer.close());

test('there are at least 60 attempts, each of its own kind', () => {
  expect(injections.length).toBeGreaterThanOrEqual(60);
  expect(new Set(injections.map(({ name }) => name)).size).toBe(injections.length);
  expect(new Set(injections.map(({ text }) => text)).size).toBe(injections.length);
});

test.each(injections.map(({ name }, number) => [name, number] as const))(
  '%s: stored content comes only from the page',
  async (_, number) => {
    const item = await testServer.read(testServer.ids.get(number)!);
    expect(item).toMatchObject({ status: 'completed', analysis: { by: 'extractive', droppedQuotes: 0 } });
    expect(unfounded(item, [testServer.goal])).toEqual([]);
    // Without a model every word that is stored is the page's own.
    const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const known = new Set(words(`${item.title} ${item.transcript}`));
    for (const text of [item.summary ?? '', ...item.actions.map(({ title }) => title)])
      expect(words(text).filter((word) => !known.has(word))).toEqual([]);
  },
);

test('hidden text is not stored, and invisible text is in no field', async () => {
  for (const [number, { name }] of injections.entries()) {
    const item = JSON.stringify(await testServer.read(testServer.ids.get(number)!));
    expect(item.includes(wordOf(number)) && hiddenFromPeople.has(name), name).toBe(false);
    for (const text of stringsOf(JSON.parse(item))) expect(text, name).not.toMatch(invisible);
  }
  expect(injections.filter(({ name }) => hiddenFromPeople.has(name))).toHaveLength(hiddenFromPeople.size);
});

test('no attempt reaches another item or prevents a page from being read', async () => {
  const other = await testServer.read(testServer.other);
  expect(other).toMatchObject({ status: 'completed', title: expect.any(String) });
  expect(other.transcript).toContain(secret);
  for (const [number, id] of testServer.ids)
    expect((await testServer.read(id)).transcript).toContain(honestSentence(number));
});

test('the check itself detects each kind of lie', async () => {
  const item = await testServer.read(testServer.ids.get(0)!);
  const place = { locator: null, url: null };
  const action = { ...item.actions[0]!, ...place, quote: honestSentence(0), goalId: null, reason: null };
  const lies: [lie: object, words: string][] = [
    [{ keyInsights: [{ text: 'x', quote: 'an invented quote', ...place }] }, 'quote that is not in the text'],
    [
      {
        keyInsights: [{ text: 'x', quote: honestSentence(0), url: null, locator: { kind: 'text', start: 0, end: 9 } }],
      },
      'not at its offsets',
    ],
    [{ actions: [{ ...action, quote: null }] }, 'without a sentence'],
    [{ actions: [{ ...action, goalId: 'g_zzzzzzzzzzzzzzzz' }] }, 'an unknown goal'],
    [{ actions: [{ ...action, reason: 'See https://evil.example/leak' }] }, 'an address'],
    [{ summary: `It says: ${secret}` }, 'another item'],
  ];
  for (const [lie, words] of lies) {
    const said = unfounded({ ...item, ...lie }, [testServer.goal]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(words);
  }
});
