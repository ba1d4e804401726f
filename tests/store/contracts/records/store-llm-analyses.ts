import { describe, expect, it } from 'vitest';
import type { AnalysisClaim } from '../../../../src/store/records/analysis-records.ts';
import type { Store } from '../../../../src/store/store.ts';
import { analysisOf, claim, saveAndProcess } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const minute = 60_000;

async function wanted(store: Store, contentId?: string): Promise<AnalysisClaim> {
  const taken = await store.claimAnalysis(minute, contentId === undefined ? {} : { contentId });
  if (taken === null) throw new Error('there is no item to analyse');
  return taken;
}

const better = (text: string) => ({
  ...analysisOf(text, [text]),
  summary: 'A better summary.',
  info: { by: 'claude' as const, model: 'a model', at: '2026-01-01T00:00:00.000Z', droppedQuotes: 0 },
});

export function llmAnalysisContract(underTest: () => StoreUnderTest): void {
  describe('LLM analyses', () => {
    it('are wanted for completed items, newest first, and never twice at once', async () => {
      const { store, clock } = underTest();
      const first = await saveAndProcess(store, 'a', { text: 'Walk every day.' });
      clock.advance(1);
      const second = await saveAndProcess(store, 'b', { text: 'Sleep every night.' });
      expect(await store.countLlmAnalyses()).toEqual({
        waiting: 2,
        claimed: 0,
        failed: 0,
        failures: [],
        delays: [],
      });
      expect(await wanted(store)).toMatchObject({ contentId: second, url: 'b', attempts: 1 });
      expect(await wanted(store)).toMatchObject({ contentId: first });
      expect(await store.claimAnalysis(minute)).toBeNull();
      expect(await store.claimAnalysis(minute, { contentId: first })).toBeNull();
      expect(await store.countLlmAnalyses()).toEqual({
        waiting: 0,
        claimed: 2,
        failed: 0,
        failures: [],
        delays: [],
      });
      clock.advance(minute);
      expect(await wanted(store, first)).toMatchObject({ contentId: first, attempts: 2 });
    });

    it('are wanted for items of a restricted caller, also when a hidden item has the same address and text', async () => {
      const { store } = underTest();
      const url = 'https://example.com/a';
      const others = await saveAndProcess(store, url, { text: 'The same text.' });
      const held = { lists: [], tags: ['work'] };
      const own = await saveAndProcess(store, url, { text: 'The same text.', save: { held } });
      expect(own).not.toBe(others);
      expect(await wanted(store, own)).toMatchObject({ contentId: own, url });
    });

    it('are not wanted for duplicates, texts without words and incomplete items', async () => {
      const { store } = underTest();
      const first = await saveAndProcess(store, 'a', { text: 'The same text.' });
      await saveAndProcess(store, 'b', { text: 'The same text.' });
      await saveAndProcess(store, 'c', { text: '' });
      expect((await wanted(store)).contentId).toBe(first);
      expect(await store.claimAnalysis(minute)).toBeNull();
      const again = await saveAndProcess(store, 'd', { text: 'Another text.' });
      await store.reprocess('analyse', again);
      expect(await store.claimAnalysis(minute)).toBeNull();
    });

    it('replace the extractive one once', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Walk every day.' });
      const taken = await wanted(store);
      expect(await store.keepLlmAnalysis(taken, taken.documentId, better('Walk every day.'))).toBe('kept');
      expect(await store.getContent(id)).toMatchObject({
        status: 'completed',
        summary: 'A better summary.',
        analysis: { by: 'claude', model: 'a model' },
        actions: [{ quote: 'Walk every day.' }],
      });
      expect(await store.keepLlmAnalysis(taken, taken.documentId, better('Walk every day.'))).toBe('kept_before');
      expect((await store.getContent(id))?.actions).toHaveLength(1);
      expect(await store.countLlmAnalyses()).toEqual({
        waiting: 0,
        claimed: 0,
        failed: 0,
        failures: [],
        delays: [],
      });
      expect(await store.claimAnalysis(minute)).toBeNull();
    });

    it("leave renewed extractive analyses alone, and these keep a person's changes", async () => {
      const { store, clock } = underTest();
      const text = 'Walk every day. Sleep every night. Eat an apple. Call Ada.';
      const id = await saveAndProcess(store, 'a', { text, actions: ['Walk every day.', 'Sleep every night.'] });
      const [walk, sleep] = (await store.getContent(id))!.actions;
      await store.updateAction(walk!.id, { state: 'done' });
      await store.addAction({ contentId: id, title: 'Buy shoes' });
      const waiting = await wanted(store, id);
      const updatedAt = async () => (await store.readToExport(id))!.updatedAt;
      const before = await updatedAt();
      const { documentId } = (await store.readDocument(id))!;
      const { info, ...again } = analysisOf(text, ['Walk every day.', 'Eat an apple.'], { summary: 'Anew.' });
      const renewed = { ...again, info: { ...info, promptVersion: '2' } };
      clock.advance(1);
      await store.addGoal({ title: 'Health', category: 'Health' });
      const version = await store.goalsVersion();
      expect(await store.renewExtractiveAnalysis(id, documentId, renewed, version - 1)).toBe(true);
      const after = (await store.getContent(id))!;
      expect(after).toMatchObject({ status: 'completed', summary: 'Anew.', analysis: { promptVersion: '2' } });
      expect(after.actions.map(({ title, state }) => [title, state])).toEqual([
        ['Buy shoes', 'open'],
        ['Walk every day.', 'done'],
        ['Eat an apple.', 'open'],
      ]);
      expect(after.actions.map(({ id: actionId }) => actionId)).toContain(walk!.id);
      expect(after.actions.map(({ id: actionId }) => actionId)).not.toContain(sleep!.id);
      expect(await updatedAt()).toBeGreaterThan(before);
      // Goals have changed since the analyst read them.
      expect((await store.listLinksDue(9)).due.map((one) => one.text)).toContain('Eat an apple.');
      expect(await store.nextJobDueAt()).toBeNull();
      // The claim of the model goes on, and its analysis is not replaced by an extractive one.
      expect(await store.keepLlmAnalysis(waiting, documentId, better('Call Ada.'))).toBe('kept');
      expect(await store.renewExtractiveAnalysis(id, documentId, renewed, version)).toBe(false);
      expect((await store.getContent(id))!.summary).toBe('A better summary.');
    });

    it('are distinguished from extractive ones in the list of analyses, which has only completed items', async () => {
      const { store } = underTest();
      const ids = [];
      for (const url of ['a', 'b', 'c', 'd']) ids.push(await saveAndProcess(store, url, { text: `Text of ${url}.` }));
      const [written, deleted, again, last] = ids;
      const taken = await wanted(store, written);
      await store.keepLlmAnalysis(taken, taken.documentId, better('Text of a.'));
      const { documentId } = (await store.readDocument(again!))!;
      await store.deleteContent(deleted!);
      await store.reprocess('analyse', again);
      expect(await store.renewExtractiveAnalysis(again!, documentId, analysisOf('Text of c.'), 0)).toBe(false);
      expect(await store.renewExtractiveAnalysis(last!, documentId, analysisOf('Text of d.'), 0)).toBe(false);
      const [first, ...more] = await store.listAnalysed(0, 9);
      expect(first).toMatchObject({ contentId: written, url: 'a', info: { by: 'claude' } });
      expect(more).toMatchObject([{ contentId: last, url: 'd', info: { by: 'extractive' } }]);
      expect(await store.listAnalysed(first!.seq, 9)).toEqual(more);
      expect(await store.listAnalysed(0, 1)).toEqual([first]);
    });

    it("keep a person's changes to a sentence with two requests, and the other request with it", async () => {
      const { store } = underTest();
      const text = 'Call the bank and cancel the old card.';
      const both = (...titles: string[]) => {
        const analysis = analysisOf(text, [text]);
        return { ...analysis, actions: titles.flatMap((title) => analysis.actions.map((one) => ({ ...one, title }))) };
      };
      const id = await saveAndProcess(store, 'a', { text });
      const analyse = async (...titles: string[]) => {
        const taken = await wanted(store, id);
        await store.keepLlmAnalysis(taken, taken.documentId, both(...titles));
        return (await store.getContent(id))!.actions.map(({ id: actionId, title, state }) => ({
          actionId,
          title,
          state,
        }));
      };
      const again = async (...titles: string[]) => {
        await store.reprocess('analyse', id);
        const job = await claim(store);
        const { documentId } = (await store.readDocument(id))!;
        await store.keepAnalysis(job, documentId, both(...titles));
      };
      const [bank, card] = await analyse('Call the bank', 'Cancel the old card');
      await store.updateAction(card!.actionId, { state: 'done' });
      const stays = [bank, { ...card, state: 'done' }];
      await again('Call the bank', 'Cancel the old card');
      expect(await analyse('Cancel the old card', 'Call the bank')).toEqual(stays);
      // Where the other thing is not seen for once, it is found again.
      await again('Cancel the old card');
      const found = await analyse('Call the bank', 'Cancel the old card');
      expect(found).toContainEqual(stays[1]);
      expect(found).toContainEqual({ actionId: expect.any(String) as string, title: 'Call the bank', state: 'open' });
      expect(found).toHaveLength(2);
      // In other words it is what was done.
      await again('Get rid of the card');
      expect(await analyse('Get rid of the card')).toEqual([stays[1]]);
    });

    it('recognise an action whose quote is cut differently, by its title or by most of the quote', async () => {
      const { store } = underTest();
      const text = 'Rinse the rice well. Three times will do. Then cook it.';
      const id = await saveAndProcess(store, 'a', { text, actions: ['Rinse the rice well.', 'Then cook it.'] });
      const [rinse, cook] = (await store.getContent(id))!.actions;
      await store.updateAction(rinse!.id, { state: 'done' });
      const taken = await wanted(store, id);
      const analysis = analysisOf(text, ['Rinse the rice well. Three times will do.', 'cook it']);
      const titles = ['Rinse the rice well', 'Boil the rice'];
      const actions = analysis.actions.map((action, at) => ({ ...action, title: titles[at]! }));
      await store.keepLlmAnalysis(taken, taken.documentId, { ...analysis, actions });
      expect((await store.getContent(id))!.actions).toMatchObject([
        {
          id: rinse!.id,
          state: 'done',
          title: 'Rinse the rice well.',
          quote: 'Rinse the rice well. Three times will do.',
        },
        { id: cook!.id, state: 'open', title: 'Boil the rice', quote: 'cook it' },
      ]);
    });

    it('are accepted late from a holder without a successor, and refused from one with a successor', async () => {
      const { store, clock } = underTest();
      await saveAndProcess(store, 'a', { text: 'Walk every day.' });
      const late = await wanted(store);
      clock.advance(2 * minute);
      expect(await store.renewAnalysis(late, minute)).toBe(true);
      clock.advance(2 * minute);
      const next = await wanted(store);
      expect(await store.renewAnalysis(late, minute)).toBe(false);
      expect(await store.keepLlmAnalysis(late, late.documentId, better('Walk every day.'))).toBe('lease_lost');
      await store.endAnalysis(late, { code: 'x', message: 'x', nextAttemptAt: null, attempts: 1 });
      expect(await store.keepLlmAnalysis(next, next.documentId, better('Walk every day.'))).toBe('kept');
    });

    it('are refused for a text that is being reprocessed, and wanted for the new one', async () => {
      const { store } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Walk every day.' });
      const taken = await wanted(store);
      await store.reprocess('analyse', id);
      expect(await store.keepLlmAnalysis(taken, taken.documentId, better('Walk every day.'))).toBe('text_changed');
      await store.keepAnalysis(await claim(store), taken.documentId, analysisOf('Walk every day.'));
      expect(await store.keepLlmAnalysis(taken, taken.documentId, better('Walk every day.'))).toBe('lease_lost');
      expect((await wanted(store)).contentId).toBe(id);
      const nowhere = { contentId: 'c_aaaaaaaaaaaaaaaa', leaseToken: 'x' };
      expect(await store.keepLlmAnalysis(nowhere, 1, better('x'))).toBe('gone');
    });

    it('wait for their next attempt, or are given up until the item is reprocessed', async () => {
      const { store, clock } = underTest();
      await saveAndProcess(store, 'a', { text: 'Walk every day.' });
      const failure = { code: 'rate_limited', message: 'Later.', attempts: 1 };
      await store.endAnalysis(await wanted(store), { ...failure, nextAttemptAt: clock.now() + minute });
      expect(await store.claimAnalysis(minute)).toBeNull();
      expect(await store.countLlmAnalyses()).toMatchObject({
        waiting: 1,
        failures: [],
        delays: [{ message: 'Later.', items: 1 }],
      });
      clock.advance(minute);
      const second = await wanted(store);
      expect(second.attempts).toBe(2);
      await store.endAnalysis(second, { ...failure, code: 'interrupted', nextAttemptAt: clock.now() });
      expect(await store.countLlmAnalyses()).toMatchObject({ waiting: 1, delays: [] });
      const third = await wanted(store);
      expect(third.attempts).toBe(2);
      await store.endAnalysis(third, { ...failure, nextAttemptAt: null });
      expect(await store.countLlmAnalyses()).toEqual({
        waiting: 0,
        claimed: 0,
        failed: 1,
        failures: [{ message: 'Later.', items: 1, contentId: third.contentId }],
        delays: [],
      });
      await store.reprocess('analyse');
      await store.keepAnalysis(await claim(store), third.documentId, analysisOf('Walk every day.'));
      expect(await wanted(store)).toMatchObject({ attempts: 1 });
    });

    it('abandoned by the model are left to the assistant, whose claims do not count as attempts', async () => {
      const { store, clock } = underTest();
      const id = await saveAndProcess(store, 'a', { text: 'Walk every day.' });
      const failure = { code: 'model_refused', message: 'No.', nextAttemptAt: null, attempts: 5 };
      await store.endAnalysis(await wanted(store), failure);
      const asAssistant = () => store.claimAnalysis(minute, { includeRetryable: true });
      const warnings = async () => (await store.getContent(id))?.warnings;
      const before = await warnings();
      expect(before).toMatchObject([
        { code: 'model_refused', message: expect.stringContaining('reprocess') as string },
      ]);
      expect(await asAssistant()).toMatchObject({ contentId: id, attempts: 5 });
      expect(await warnings()).toEqual(before);
      expect(await store.countLlmAnalyses()).toMatchObject({ waiting: 0, claimed: 1, failed: 0 });
      expect(await asAssistant()).toBeNull();
      clock.advance(minute);
      expect(await store.claimAnalysis(minute)).toBeNull();
      expect(await store.countLlmAnalyses()).toMatchObject({
        waiting: 0,
        claimed: 0,
        failed: 1,
        failures: [{ items: 1 }],
      });
      const taken = await asAssistant();
      expect(await store.keepLlmAnalysis(taken!, taken!.documentId, better('Walk every day.'))).toBe('kept');
    });

    it('sum their cost by day', async () => {
      const { stores, clock } = underTest();
      const usage = { inputTokens: 1_000, outputTokens: 20, costMicros: 110 };
      expect(await stores.control.usageToday()).toEqual({ inputTokens: 0, outputTokens: 0, costMicros: 0 });
      await stores.control.addUsage(usage);
      await stores.control.addUsage(usage);
      expect(await stores.control.usageToday()).toEqual({ inputTokens: 2_000, outputTokens: 40, costMicros: 220 });
      clock.advance(24 * 60 * minute);
      expect(await stores.control.usageToday()).toEqual({ inputTokens: 0, outputTokens: 0, costMicros: 0 });
    });
  });
}
