import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countWrittenAnalyses } from '../../src/services/analyses/analysis-cost.ts';
import {
  createAssistantAnalysisService,
  type AssistantAnalysisService,
} from '../../src/services/analyses/assistant-analysis.ts';
import { ManualClock } from '../support/clock.ts';
import { addFinishedItem, paragraphs } from '../support/content.ts';
import { openStores, type TestStores } from '../support/store/stores.ts';
import { withChangedStore } from '../support/vitest/workers.ts';
import { textWork } from '../support/texts/text-work.ts';

const lines = ['Sleep is a skill that grows.', 'Go to bed at the same hour every night.'];
const insight = { text: 'Sleep can be learnt.', quote: 'Sleep is a skill that grows.' };
const lie = { text: 'Invented.', quote: 'Nobody needs more than four hours.' };
const draft = { summary: 'A summary by the assistant.', insights: [insight], actions: [] };
const minute = 60_000;

let testServer: TestStores;
let clock: ManualClock;
let assistantAnalysis: AssistantAnalysisService;

beforeEach(async () => {
  clock = new ManualClock();
  testServer = await openStores(clock);
  assistantAnalysis = createAssistantAnalysisService(testServer.stores, clock, textWork);
});
afterEach(() => testServer.close());

const save = (url: string, text: readonly string[] = lines) =>
  addFinishedItem(testServer.store, { url, blocks: paragraphs(...text, `At ${url}.`), about: { title: url } });

const next = (maxTokens = 8_000, cursor?: string) => assistantAnalysis.next('local', { maxTokens, cursor });

async function leased(): Promise<{ id: string; lease: string }> {
  const { item, lease } = await next();
  if (item === null || lease === undefined) throw new Error('nothing waits');
  return { id: item.id, lease };
}

describe('analysis by the connected assistant', () => {
  it('returns an item with its text, the rules and the goals, and stores the submission', async () => {
    const id = await save('https://example.com/sleep');
    const goal = await testServer.store.addGoal({ title: 'Sleep better', category: 'Health' });
    const given = await next();
    expect(given).toMatchObject({
      item: { id, title: 'https://example.com/sleep', url: 'https://example.com/sleep' },
      goals: [{ id: goal.id, title: 'Sleep better', category: 'Health' }],
      leaseExpiresAt: '2026-01-01T00:30:00.000Z',
      waiting: 0,
    });
    expect(given.rules).toContain('letter by letter');
    expect(given.text).toContain('Go to bed at the same hour every night.');
    const action = {
      title: 'Keep your hours',
      quote: lines[1]!,
      goalId: goal.id,
      reason: 'It makes sleep regular.',
      priority: 'low' as const,
    };
    expect(await assistantAnalysis.submit('local', id, given.lease!, { ...draft, actions: [action] })).toEqual({
      id,
      outcome: 'kept',
      problems: [],
      kept: { insights: 1, actions: 1 },
      waiting: 0,
    });
    expect(await testServer.store.getContent(id)).toMatchObject({
      summary: draft.summary,
      keyInsights: [{ ...insight, locator: { kind: 'text' } }],
      actions: [{ title: 'Keep your hours', goalId: goal.id, quote: lines[1], priority: 'low' }],
      analysis: { by: 'assistant', droppedQuotes: 0 },
    });
    expect(await next()).toEqual({ item: null, waiting: 0 });
  });

  it('reports quotes that are not in the text once, then stores the rest without them', async () => {
    await save('a');
    const { id, lease } = await leased();
    const lying = {
      ...draft,
      insights: [lie, insight],
      actions: [{ title: 'Pay', quote: lie.quote, goalId: null, reason: null }],
    };
    const asked = await assistantAnalysis.submit('local', id, lease, lying);
    expect(asked).toMatchObject({ outcome: 'mend', kept: { insights: 0, actions: 0 } });
    expect(asked.problems.map(({ path }) => path)).toEqual(['insights[0].quote', 'actions[0].quote']);
    expect((await testServer.store.getContent(id))?.analysis?.by).toBe('extractive');
    const kept = await assistantAnalysis.submit('local', id, lease, lying);
    expect(kept).toMatchObject({ outcome: 'kept', kept: { insights: 1, actions: 0 } });
    expect(kept.problems).toEqual(
      asked.problems.map(({ path }) => ({
        path,
        message: 'These words are not in the text: this entry was left out.',
      })),
    );
    expect(await testServer.store.getContent(id)).toMatchObject({
      keyInsights: [insight],
      actions: [],
      analysis: { by: 'assistant', droppedQuotes: 2 },
    });
  });

  it('reports an unsupported reason once, then stores the action without it', async () => {
    await save('a');
    const { id, lease } = await leased();
    const action = { title: 'Go to bed at the same hour', quote: lines[1]!, goalId: null };
    const lying = { ...draft, insights: [], actions: [{ ...action, reason: 'The assistant has to pay Mallory.' }] };
    const asked = await assistantAnalysis.submit('local', id, lease, lying);
    expect(asked).toMatchObject({ outcome: 'mend', problems: [{ path: 'actions[0].reason' }] });
    const kept = await assistantAnalysis.submit('local', id, lease, lying);
    expect(kept).toMatchObject({ outcome: 'kept', kept: { actions: 1 }, problems: [{ path: 'actions[0].reason' }] });
    expect(kept.problems[0]?.message).toContain('this reason was left out');
    expect(await testServer.store.getContent(id)).toMatchObject({
      actions: [{ title: action.title, reason: null }],
      analysis: { droppedQuotes: 0 },
    });
  });

  it('is counted before sentences of the text replace it', async () => {
    const [written, other] = [await save('https://example.com/a'), await save('https://example.com/b')];
    for (let { item, lease } = await next(); item !== null; { item, lease } = await next()) {
      if (item.id === written) await assistantAnalysis.submit('local', item.id, lease ?? '', draft);
    }
    const count = (ids?: readonly string[]) => countWrittenAnalyses(testServer.stores, 'local', ids);
    expect([await count(), await count([written]), await count([other])]).toEqual([1, 1, 0]);
  });

  it('stores a repeated entry once and says so', async () => {
    const id = await save('a');
    const { lease } = await leased();
    const action = { title: 'Go to bed at the same hour', quote: lines[1]!, goalId: null, reason: null };
    const titles = ['Go to bed at the same hour!', 'go to bed at same hour', 'Always go to bed at the same hour.'];
    const kept = await assistantAnalysis.submit('local', id, lease, {
      ...draft,
      insights: [insight, insight],
      actions: [
        action,
        ...titles.map((title) => ({ ...action, title })),
        { ...action, quote: lines[0]!, title: 'Practise sleep as a skill' },
      ],
    });
    expect(kept).toMatchObject({ outcome: 'kept', kept: { insights: 1, actions: 2 } });
    expect(kept.problems.map(({ path }) => path)).toEqual(['insights[1]', 'actions[1]', 'actions[2]', 'actions[3]']);
    const stored = await testServer.store.getContent(id);
    expect(stored?.actions.map(({ title }) => title).sort()).toEqual([action.title, 'Practise sleep as a skill']);
    expect(stored?.analysis).toMatchObject({ droppedQuotes: 0 });
  });

  it.each([
    ['https://example.com/home', 'Home', 3],
    ['https://example.com/list', 'A checklist for spring', 4],
    ['note:1', 'The house', 4],
  ])('keeps of %s, %j, at most the allowed number of actions and reports the rest', async (url, title, most) => {
    const jobs = ['Wash the curtains.', 'Water the herbs.', 'Sweep the chimney.', 'Tune the piano.'];
    const id = await addFinishedItem(testServer.store, {
      url,
      blocks: paragraphs(...lines, ...jobs),
      about: { title, contentType: 'text' },
    });
    const { lease } = await leased();
    const actions = jobs.map((quote) => ({ title: quote, quote, goalId: null, reason: null }));
    const left = expect.objectContaining({
      path: 'actions',
      message: expect.stringContaining('At most 3') as string,
    }) as object;
    const problems = most === 3 ? [left] : [];
    const kept = await assistantAnalysis.submit('local', id, lease, { ...draft, actions });
    expect(kept).toMatchObject({ outcome: 'kept', kept: { insights: 1, actions: most }, problems });
    expect(kept.problems).toHaveLength(problems.length);
    expect((await testServer.store.getContent(id))?.actions).toHaveLength(most);
  });

  it('removes addresses from the assistant’s words that are not in the text', async () => {
    const id = await save('https://example.company.com/sleep');
    const { lease } = await leased();
    const summary = 'See https://example.com, https://example.company.com, evil.example/leak and thief@evil.example.';
    await assistantAnalysis.submit('local', id, lease, { ...draft, summary });
    expect(await testServer.store.getContent(id)).toMatchObject({ summary: 'See […], […], […] and […].' });
    expect((await testServer.store.getContent(id))?.transcript).toContain('https://example.company.com/sleep');
  });

  it('holds no lease for an item whose text disappears while it is handed out', async () => {
    const id = await save('https://example.com/sleep');
    const stores = withChangedStore(testServer.stores, () => ({ readDocument: () => Promise.resolve(null) }));
    const asking = createAssistantAnalysisService(stores, clock, textWork).next('local', { maxTokens: 8_000 });
    await expect(asking).rejects.toMatchObject({ code: 'not_found' });
    expect((await next()).item?.id).toBe(id);
  });

  it('accepts one of two concurrent submissions, and gives concurrent requests different items', async () => {
    await save('a');
    await save('b');
    const [first, second] = await Promise.all([leased(), leased()]);
    expect(first.id).not.toBe(second.id);
    const twice = await Promise.all(
      ['One.', 'Another.'].map((summary) =>
        assistantAnalysis.submit('local', first.id, first.lease, { ...draft, summary }),
      ),
    );
    expect(twice.map(({ outcome }) => outcome).sort()).toEqual(['kept', 'kept_before']);
    const mine = { ...draft, summary: 'With the lease of another item.' };
    await expect(assistantAnalysis.submit('local', second.id, first.lease, mine)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('refuses a submission for a deleted item, and accepts it after the restoration', async () => {
    await save('a');
    const { id, lease } = await leased();
    await testServer.store.deleteContent(id);
    await expect(assistantAnalysis.submit('local', id, lease, draft)).rejects.toMatchObject({ code: 'not_found' });
    expect((await next()).item).toBeNull();
    await testServer.store.restoreContent(id);
    expect((await assistantAnalysis.submit('local', id, lease, draft)).outcome).toBe('kept');
  });

  it("hands out items waiting for a model's retry last, so an empty answer means that nothing waits", async () => {
    await save('a');
    const delayed = (await testServer.store.claimAnalysis(minute))!;
    const failure = { code: 'model_unavailable', message: 'Away.', nextAttemptAt: clock.now() + 60 * minute };
    await testServer.store.endAnalysis(delayed, { ...failure, attempts: 1 });
    await save('b');
    expect(await next()).toMatchObject({ item: { title: 'b' }, waiting: 1 });
    const { id, lease } = await leased();
    expect(id).toBe(delayed.contentId);
    expect(await next()).toEqual({ item: null, waiting: 0 });
    expect((await assistantAnalysis.submit('local', id, lease, draft)).outcome).toBe('kept');
    expect(await testServer.store.getContent(id)).toMatchObject({ analysis: { by: 'assistant' }, warnings: [] });
  });

  it('never gives two assistants the same item, and hands out an abandoned one again', async () => {
    await save('a');
    await save('b');
    const first = await leased();
    const second = await leased();
    expect(second.id).not.toBe(first.id);
    expect((await next()).item).toBeNull();
    clock.advance(31 * minute);
    const third = await leased();
    expect([first.id, second.id]).toContain(third.id);
    const late = third.id === first.id ? first : second;
    await expect(assistantAnalysis.submit('local', late.id, late.lease, draft)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('has ended') as string,
    });
    expect((await assistantAnalysis.submit('local', third.id, third.lease, draft)).outcome).toBe('kept');
  });

  it('explains that a text is being reprocessed, an item is missing, or a lease is invalid', async () => {
    await save('a');
    const { id, lease } = await leased();
    await testServer.store.reprocess('analyse', id);
    await expect(assistantAnalysis.submit('local', id, lease, draft)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('earlier text') as string,
    });
    await expect(assistantAnalysis.submit('local', 'c_aaaaaaaaaaaaaaaa', lease, draft)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(assistantAnalysis.submit('local', id, 'j_aaaaaaaaaaaaaaaa', draft)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('reads a long text piece by piece, every character once, within its budget', async () => {
    const book = Array.from(
      { length: 400 },
      (_, at) => `Sentence ${at} of a long book says "something" about \\ sleep.`,
    );
    await save('book', book);
    let given = await next(1_500);
    const { item, lease } = given;
    let text = '';
    for (;;) {
      expect(JSON.stringify(given).length / 4).toBeLessThanOrEqual(1_500);
      expect(given.range?.start).toBe(text.length);
      text += given.text ?? '';
      clock.advance(20 * minute);
      if (given.nextCursor === undefined) break;
      given = await next(1_500, given.nextCursor);
      expect(given).toMatchObject({ item: { id: item!.id }, lease });
    }
    expect(text).toBe(await testServer.store.readTranscript(item!.id));
    expect((await assistantAnalysis.submit('local', item!.id, lease!, { ...draft, insights: [] })).outcome).toBe(
      'kept',
    );
    await expect(next(1_500, 'c_aaaaaaaaaaaaaaaa.j_aaaaaaaaaaaaaaaa.5')).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(next(1_500, 'nonsense')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('stays within the smallest budget, however many goals there are', async () => {
    await save(
      'a',
      Array.from({ length: 100 }, (_, at) => `Sentence ${at} about sleep.`),
    );
    for (let at = 0; at < 60; at++)
      await testServer.store.addGoal({ title: `Goal number ${at} `.repeat(8), category: 'Wealth' });
    const given = await next(1_000);
    expect(JSON.stringify(given).length / 4).toBeLessThanOrEqual(1_000);
    expect(given.text?.length).toBeGreaterThan(50);
  });
});
