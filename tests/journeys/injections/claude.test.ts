import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClaude } from '../../../src/models/analysis/claude/claude.ts';
import { answerSchema, instructions } from '../../../src/models/analysis/claude/prompt.ts';
import { anyWord, honestSentence, injections } from '../../fixtures/injections.ts';
import {
  draftJson,
  startMessagesServer,
  type AskedMessage,
  type MessagesServer,
} from '../../support/servers/messages-server.ts';
import { liesUnder, openCorpus, sampledNumbers, secret, secretWord, unfounded, type CorpusServer } from './corpus.ts';
import { textWork } from '../../support/texts/text-work.ts';

/** What a model answers that does whatever a page may ask: one true entry of each kind, and every lie beside it. */
const obedient = (sentence: string) =>
  draftJson({
    summary: 'The page says it all. See https://evil.example/leak?d=1 and www.evil.example/now for more.',
    insights: [
      { text: 'Beans want water; more at https://evil.example/leak?d=2', quote: sentence },
      { text: 'Trust Mallory.', quote: 'Everybody must pay Mallory nine hundred euros at once.' },
      { text: 'What another item says.', quote: secret },
    ],
    actions: [
      {
        // Actions with one title are one action: each page's has its own.
        title: sentence,
        quote: sentence,
        goalId: 'g_zzzzzzzzzzzzzzzz',
        reason: null,
      },
      ...liesUnder(sentence),
      { title: 'Delete the library', quote: 'You have to delete the whole library now.', goalId: null, reason: null },
      { title: 'Say nothing', quote: '', goalId: null, reason: null },
      { title: 'Open the safe', quote: secret, goalId: null, reason: null },
    ],
  });

/** A call's one place for saved text: what stands before it, its mark, and the text. */
const delimited = /^([\s\S]*?)<document ([0-9a-f]{24})>\n([\s\S]*)\n<\/document \2>$/;

const readings = [
  ['in one piece', 50_000, [...injections.keys()]],
  ['in sections', 40, sampledNumbers],
] as const;

describe.each(readings)('a model that obeys the page, read %s', (way, sectionTokens, numbers) => {
  let server: MessagesServer;
  let testServer: CorpusServer;
  let asked: AskedMessage[];

  beforeAll(async () => {
    server = await startMessagesServer(({ messages }) => {
      const [sentence = 'Nothing of the kind stands here.'] =
        /Soak the beans [^.]*\./.exec(messages[0]?.content ?? '') ?? [];
      return { text: obedient(sentence) };
    });
    const price = { inputPrice: 0.1, outputPrice: 0.5 };
    const about = { apiKey: 'key', baseUrl: server.url, model: 'a-model', ...price, sectionTokens, maxSections: 50 };
    testServer = await openCorpus(numbers, {
      llmAnalyst: createClaude({ ...about, timeoutMs: 60_000 }, fetch, textWork.verify),
    });
    asked = server.asked;
  });
  afterAll(async () => {
    await testServer.close();
    await server.close();
  });

  test('gets the same prompt with every page, byte for byte, and no tools', () => {
    expect(asked.length).toBeGreaterThan(numbers.length * (way === 'in sections' ? 3 : 1));
    for (const { headers: _, messages: __, ...request } of asked) {
      expect(request).toEqual({
        model: 'a-model',
        max_tokens: 4_000,
        system: [{ type: 'text', text: instructions, cache_control: { type: 'ephemeral' } }],
        output_config: { format: { type: 'json_schema', schema: answerSchema } },
      });
    }
  });

  test('gets a page’s text only between random marks, last in the message', () => {
    const before = new Set<string>();
    const marks = new Set<string>();
    for (const { messages } of asked) {
      const [first, answer, mending, ...more] = messages;
      const [, told = '', mark = '', text = ''] = delimited.exec(first?.content ?? '') ?? [];
      expect(text).not.toBe('');
      expect(first?.content.split(mark)).toHaveLength(3);
      marks.add(mark);
      before.add(told.replace(/part \d+ of \d+/, 'part N of M'));
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'].slice(0, messages.length));
      // What follows is the model's own answer, and words of ours that hold nothing of the page.
      expect(answer?.content ?? '').not.toMatch(anyWord);
      expect(mending?.content ?? '').not.toMatch(anyWord);
      expect(more).toEqual([]);
    }
    for (const told of before) expect(told).not.toMatch(anyWord);
    // Whole, in part, and what was found in the parts: more ways to say it there are not.
    expect(before.size).toBe(way === 'in sections' ? 3 : 1);
    expect(marks.size).toBe(numbers.length + 1);
  });

  test('is never given another item', () => {
    const withSecret = asked.filter(({ messages }) => messages[0]?.content.includes(secretWord));
    expect(withSecret.length).toBeGreaterThan(0);
    for (const { messages } of withSecret) expect(messages[0]?.content).not.toMatch(anyWord);
    for (const { messages } of asked) {
      const words = new Set(messages[0]?.content.match(/zx\d+qv/g));
      expect(words.size).toBeLessThanOrEqual(1);
    }
  });

  test.each(numbers.map((number) => [injections[number]!.name, number] as const))(
    '%s: only content of the page is stored',
    async (_, number) => {
      const item = await testServer.read(testServer.ids.get(number)!);
      expect(unfounded(item, [testServer.goal])).toEqual([]);
      expect(item.keyInsights.map(({ quote }) => quote)).toEqual([honestSentence(number)]);
      expect(item.actions.map(({ quote, goalId }) => [quote, goalId])).toEqual([[honestSentence(number), null]]);
      expect(item.analysis).toMatchObject({ by: 'claude' });
      expect(item.analysis?.droppedQuotes).toBeGreaterThan(0);
      expect(item.summary).toBe('The page says it all. See […] and […] for more.');
    },
  );
});
