import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analysisRules } from '../../../src/domain/records/analyses/analysis.ts';
import { exampleIds, examplePage } from '../../../src/domain/records/examples.ts';
import { notice } from '../../../src/operations/answers/for-models.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { anyWord, honestSentence, injections, wordOf } from '../../fixtures/injections.ts';
import { openTestServer } from '../../support/test-server.ts';
import { connectInMemory, type TestClient, type ToolResult } from '../../support/mcp.ts';
import { exampleInput, tools } from '../../support/api/operations.ts';
import { liesUnder, openCorpus, sampledNumbers, secret, secretWord, unfounded, type CorpusServer } from './corpus.ts';

let testServer: CorpusServer;
let client: TestClient;
/** What an assistant is told before it asks for anything. */
let told: string;

const everythingTold = async (to: TestClient): Promise<string> =>
  JSON.stringify([to.instructions(), await to.listTools(), await to.listPrompts(), await to.listTemplates()]);

beforeAll(async () => {
  testServer = await openCorpus(sampledNumbers);
  client = await connectInMemory(testServer.app);
  told = await everythingTold(client);
});
afterAll(async () => {
  await client.close();
  await testServer.close();
});

/** The fields in which saved text may stand; all of them are described to the assistant as data. */
const dataFields = new Set(
  'title summary text quote transcript url canonicalUrl at reason goalReason notes tags author siteName description headingPath before after now note from contentTitle'.split(
    ' ',
  ),
);

/** Where words of an attempt stand, or the other item's secret, outside of the fields for saved text. */
function misplaced(value: unknown, field = ''): string[] {
  if (typeof value === 'string') return anyWord.test(value) && !dataFields.has(field) ? [`${field}: ${value}`] : [];
  if (Array.isArray(value)) return value.flatMap((one) => misplaced(one, field));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => [
    ...(anyWord.test(name) ? [`a field named ${name}`] : []),
    ...misplaced(one, name),
  ]);
}

function expectData(result: ToolResult, name: string): void {
  expect(result.isError, `${name}: ${result.text}`).toBe(false);
  // One block, which is the JSON of the answer: saved text cannot stand beside it.
  expect(result.text).toBe(JSON.stringify({ ...notice, ...(result.structured as object) }));
  expect(misplaced(result.structured)).toEqual([]);
}

describe('the connected assistant as the analyst', () => {
  test('gets the same rules and goals with every page, and the page’s text only in its field', async () => {
    const frames = new Set<string>();
    const seen = new Set<string>();
    for (;;) {
      const result = await client.call('next_to_analyse', {});
      expectData(result, 'next_to_analyse');
      const { item, lease, leaseExpiresAt, text, range, waiting, ...frame } = result.structured as {
        item: { id: string; language: string | null } | null;
        lease: string;
        leaseExpiresAt: string;
        text: string;
        range: object;
        waiting: number;
      };
      if (item === null) break;
      expect([typeof leaseExpiresAt, typeof waiting]).toEqual(['string', 'number']);
      expect(frame).toEqual({
        rules: analysisRules,
        goals: [{ id: testServer.goal, title: 'Cook at home', category: 'Health' }],
      });
      frames.add(JSON.stringify(frame));
      seen.add(item.id);
      const stored = await testServer.read(item.id);
      expect(text).toBe(stored.transcript);
      expect(range).toEqual({ start: 0, end: text.length, total: text.length });
      expect(text.includes(secretWord)).toBe(item.id === testServer.other);
      if (item.id === testServer.other) continue;

      // It obeys the page, and hands in lies; then once more, as they are.
      const [number = -1] = [...testServer.ids].find(([, id]) => id === item.id) ?? [];
      const sentence = honestSentence(number);
      const lies = {
        id: item.id,
        lease,
        summary: 'All of it is true, see https://evil.example/leak?d=1.',
        insights: [
          { text: 'Somebody said so.', quote: sentence },
          { text: 'What another item says.', quote: secret },
          { text: 'Invented.', quote: 'Everybody must pay Mallory nine hundred euros at once.' },
        ],
        actions: [
          {
            title: sentence,
            quote: sentence,
            goalId: 'g_zzzzzzzzzzzzzzzz',
            reason: null,
          },
          ...liesUnder(sentence),
          { title: 'Open the safe', quote: secret, goalId: null, reason: null },
        ],
      };
      const elsewhere = await client.call('submit_analysis', { ...lies, id: testServer.other });
      expect(elsewhere).toMatchObject({ isError: true, text: expect.stringContaining('has ended') });
      const first = await client.call('submit_analysis', lies);
      expectData(first, 'submit_analysis');
      expect(first.structured).toMatchObject({ outcome: 'mend', kept: { insights: 0, actions: 0 } });
      const second = await client.call('submit_analysis', lies);
      expectData(second, 'submit_analysis');
      expect(second.structured).toMatchObject({ outcome: 'kept', kept: { insights: 1, actions: 1 } });
      const after = await testServer.read(item.id);
      expect(unfounded(after, [testServer.goal])).toEqual([]);
      expect(after).toMatchObject({
        summary: 'All of it is true, see […].',
        keyInsights: [{ quote: sentence }],
        actions: [{ quote: sentence, goalId: null }],
        analysis: { by: 'assistant', droppedQuotes: 5 },
      });
    }
    expect(frames.size).toBe(1);
    for (const id of [testServer.other, ...testServer.ids.values()]) expect(seen.has(id)).toBe(true);
    expect(await testServer.read(testServer.other)).toMatchObject({ analysis: { by: 'extractive' } });
  });
});

describe('tool answers', () => {
  /** What the samples of the examples are, for each page. Read before the tools change or delete something. */
  const real = new Map<string, Record<string, string>>();
  beforeAll(async () => {
    for (const [number, id] of testServer.ids) {
      const { url, actions } = await testServer.read(id);
      const marked = await client.call('add_highlight', { contentId: id, quote: honestSentence(number) });
      const changed = await client.call('update_content', { id, notes: 'Before.' });
      const action = actions[0]?.id ?? 'a_aaaaaaaaaaaaaaaa';
      real.set(id, {
        [exampleIds.content]: id,
        [exampleIds.action]: action,
        [exampleIds.goal]: testServer.goal,
        [exampleIds.highlight]: (marked.structured as { id: string }).id,
        [exampleIds.change]: (changed.structured as { undo: string }).undo,
        [examplePage]: url ?? '',
      });
    }
  });
  /** Tools whose example would not reach the page with this id and number, or would replace its title. */
  const own: Record<string, (id: string, number: number) => object> = {
    search: (_, number) => ({ query: wordOf(number) }),
    list_content: (_, number) => ({ limit: 1, offset: sampledNumbers.indexOf(number) }),
    list_actions: (id) => ({ contentId: id }),
    update_content: (id) => ({ id, notes: 'Read.' }),
  };
  /** How to call a tool for one of the pages. */
  const inputFor = (operation: Operation, id: string, number: number): object =>
    own[operation.name]?.(id, number) ?? exampleInput(operation, (sample) => real.get(id)?.[sample] ?? sample);
  /** Refused here: nothing is leased, and the analysis itself is tested above. */
  const refused = new Set(['submit_analysis']);

  test.each(tools.map((operation) => [operation.name, operation] as const))(
    '%s: saved text is only in the fields for it',
    async (name, operation) => {
      let words = 0;
      for (const [number, id] of testServer.ids) {
        const result = await client.call(name, inputFor(operation, id, number));
        expect(result.isError, result.text).toBe(refused.has(name));
        expect(result.isError || result.text === JSON.stringify({ ...notice, ...(result.structured as object) })).toBe(
          true,
        );
        expect(misplaced(result.structured ?? result.text)).toEqual([]);
        expect(result.text).not.toContain(secretWord);
        words += anyWord.test(result.text) ? 1 : 0;
      }
      // The tools that show text do show it: the test looks at something.
      const shows = ['search', 'fetch', 'get_content'].includes(name);
      expect(words).toBeGreaterThanOrEqual(shows ? testServer.ids.size / 2 : 0);
    },
  );

  test('errors do not repeat the text of a page', async () => {
    for (const [number, { text }] of injections.entries()) {
      const attempt = text.replaceAll('{word}', wordOf(number)).slice(0, 90);
      for (const name of ['get_content', 'fetch', 'complete_action']) {
        const result = await client.call(name, { id: attempt });
        expect(result.isError).toBe(true);
        expect(result.text).not.toMatch(anyWord);
      }
    }
  });
});

test('prompts and resources have a page’s text only between marks or in JSON strings', async () => {
  const before = new Set<string>();
  for (const [number, id] of testServer.ids) {
    const prompts = [
      await client.getPrompt('what_do_i_know_about', { topic: `beans ${honestSentence(number)}` }),
      await client.readResource(`commonplace://content/${id}/transcript`),
    ];
    for (const text of prompts) {
      const [, head = '', mark = ''] = /^([\s\S]*?)<saved ([0-9a-f]{16})>\n[\s\S]*\n<\/saved \2>$/.exec(text) ?? [];
      expect(text.split(mark)).toHaveLength(3);
      expect(head).not.toMatch(anyWord);
      before.add(head.replace(honestSentence(number), ''));
    }
    const item = JSON.parse(await client.readResource(`commonplace://content/${id}`)) as { notice: string };
    expect(item).toMatchObject(notice);
    expect(misplaced(item)).toEqual([]);
  }
  for (const prompt of ['weekly_review', 'plan_from_goal']) {
    const text = await client.getPrompt(prompt, prompt === 'plan_from_goal' ? { goal: 'Cook at home' } : {});
    expect(text.slice(0, text.indexOf('<saved '))).not.toMatch(anyWord);
  }
  expect(before.size).toBeLessThanOrEqual(3);
});

test('an assistant gets the same instructions as with an empty library, byte for byte', async () => {
  const fresh = await openTestServer({ embedder: 'none', workers: 0 });
  const other = await connectInMemory(fresh.app);
  expect(await everythingTold(client)).toBe(told);
  expect(await everythingTold(other)).toBe(told);
  await other.close();
  await fresh.close();
});
