import { beforeEach, describe, expect, it } from 'vitest';
import { scopes } from '../../../../src/domain/records/account.ts';
import { newChange, type Change } from '../../../../src/domain/records/change.ts';
import { maxTags } from '../../../../src/domain/records/limits.ts';
import type { PlacedAnalysis } from '../../../../src/domain/records/analyses/analysis.ts';
import type { Store } from '../../../../src/store/store.ts';
import { addFinishedItem, emptyAnalysis, paragraphs, textResource } from '../../../support/content.ts';
import type { StoreUnderTest } from '../store-under-test.ts';
import { claimJob } from '../../../support/store/claims.ts';

const url = 'https://example.com/';

/** What people see of a library, and the bytes behind it. */
async function seen(store: Store): Promise<unknown> {
  const { items } = await store.listContent({ limit: 100, offset: 0 });
  const whole = await Promise.all(
    items.map(async ({ id }) => {
      const original = await store.readOriginal(id);
      return { ...(await store.getContent(id)), original: original && Buffer.from(original.bytes).toString() };
    }),
  );
  return {
    items: whole,
    tags: await store.listTags({ limit: 100, offset: 0 }),
    goals: await store.listGoals({ offset: 0, includeArchived: true }),
    actions: await store.listActions({ offset: 0 }),
  };
}

const quote = 'Keep the bedroom cool.';
const analysis: PlacedAnalysis = {
  ...emptyAnalysis,
  summary: 'On sleep.',
  insights: [{ text: quote, quote, start: 0, end: 22, locator: { kind: 'text', start: 0, end: 22 }, url }],
  actions: [
    {
      title: 'Keep the bedroom cool',
      reason: null,
      goalId: null,
      quote,
      start: 0,
      end: 22,
      locator: { kind: 'text', start: 0, end: 22 },
      url,
    },
  ],
};

export function historyContract(underTest: () => StoreUnderTest): void {
  describe('history and undo', () => {
    let one: string;
    let two: string;

    beforeEach(async () => {
      const { store } = underTest();
      one = await addFinishedItem(store, {
        url: `${url}1`,
        blocks: paragraphs(quote, 'And dark.'),
        tags: ['Sleep', 'health'],
        notes: 'mine',
        analysis,
      });
      two = await addFinishedItem(store, {
        url: `${url}2`,
        blocks: paragraphs(quote, 'Something else entirely, of another page.'),
        tags: ['sleep'],
        analysis,
      });
    });

    const as = async (operation: string): Promise<{ store: Store; change: Change }> => {
      const change = newChange({ face: 'mcp', by: 'laptop', operation, scopes: ['content:write'] });
      return { change, store: await underTest().stores.open({ account: 'local', change }) };
    };

    const undo = async (id: string, force = false) => {
      const { store, change } = await as('undo');
      return { undone: await store.undo(id, { force }), change };
    };

    const history = async (id?: string) =>
      (await underTest().store.listHistory({ ...(id !== undefined && { id }), scopes, limit: 100, offset: 0 }))!;

    const actionOf = async (item: string) => {
      const { items } = await underTest().store.listActions({ contentId: item, offset: 0 });
      return items[0]?.id ?? '';
    };

    const writes: Record<string, (store: Store) => Promise<unknown>> = {
      'a new item': (store) =>
        store.saveContent({ url: `${url}3`, canonicalUrl: `${url}3`, tags: ['new'], notes: 'a note' }),
      'tags and notes that a save merges': (store) =>
        store.saveContent({ url: `${url}1`, canonicalUrl: `${url}1`, tags: ['more', 'SLEEP'], notes: 'other' }),
      'a title, tags and notes': (store) =>
        store.updateContent(one, { title: 'Mine', tags: ['health', 'x'], notes: null }),
      'a shelf and that it was read': (store) => store.updateContent(one, { shelf: 'archive', read: true }),
      'tags that are added and taken away': (store) =>
        store.updateContent(one, { addTags: ['x', 'y'], removeTags: ['sleep'] }),
      'a tag that becomes another one': (store) => store.renameTag('sleep', 'Health'),
      'a tag that is written otherwise': (store) => store.renameTag('sleep', 'SLEEP'),
      'a deleted item, whose action goes to the other one': (store) => store.deleteContent(one),
      'a completed action': async (store) => store.updateAction(await actionOf(one), { state: 'done' }),
      'a dismissed and renamed action': async (store) =>
        store.updateAction(await actionOf(one), { state: 'dismissed', title: 'Open the window' }),
      'an action that a person adds': (store) =>
        store.addAction({ contentId: one, title: 'Buy blinds', due: '2026-03-31' }),
      'the day of an action': async (store) => store.updateAction(await actionOf(one), { due: '2026-03-31' }),
      'the priority and the snoozing of an action': async (store) =>
        store.updateAction(await actionOf(one), { priority: 'high', snoozedUntil: '2026-03-31' }),
      'a new goal': (store) => store.addGoal({ title: 'Sleep', category: 'Health' }),
      'an import': (store) =>
        store.importContent([
          { url: `${url}4`, canonicalUrl: `${url}4`, title: 'Four', tags: ['i'], notes: null, createdAt: 5 },
          { url: `${url}1`, canonicalUrl: `${url}1`, title: 'One', tags: ['i'], notes: 'imported', createdAt: 7 },
        ]),
    };

    it.each(Object.entries(writes))('%s can be undone and redone', async (_, write) => {
      const { store } = underTest();
      const before = await seen(store);
      const done = await as('write');
      await write(done.store);
      const after = await seen(store);
      expect(after).not.toEqual(before);
      expect(done.change.isRecorded).toBe(true);
      const first = await undo(done.change.id);
      expect(first.undone).toMatchObject({ outcome: 'undone', operation: 'write', conflicts: [] });
      expect(await seen(store)).toEqual(before);
      expect((await undo(done.change.id)).undone).toMatchObject({ outcome: 'undone_before' });
      const again = await undo(first.change.id);
      expect(again.undone).toMatchObject({ outcome: 'undone', conflicts: [] });
      expect(await seen(store)).toEqual(after);
      expect((await undo(done.change.id)).undone).toMatchObject({ outcome: 'undone', conflicts: [] });
      expect(await seen(store)).toEqual(before);
    });

    it('a changed goal, including its archiving, can be undone', async () => {
      const { store } = underTest();
      const { id } = await store.addGoal({ title: 'Sleep', category: 'Health', description: 'Eight hours' });
      const before = await seen(store);
      const done = await as('update_goal');
      await done.store.updateGoal(id, { title: 'Rest', category: 'Wealth', description: '', archived: true });
      await undo(done.change.id);
      expect(await seen(store)).toEqual(before);
    });

    it('a submitted analysis can be undone', async () => {
      const { store } = underTest();
      const claim = await store.claimAnalysis(60_000, { contentId: one });
      const document = await store.readDocument(one);
      const before = await seen(store);
      const done = await as('submit_analysis');
      const written: PlacedAnalysis = {
        ...analysis,
        summary: 'Written by hand.',
        insights: [],
        actions: [{ ...analysis.actions[0]!, quote: 'And dark.', title: 'Darken the room', start: 24, end: 33 }],
        info: { ...analysis.info, by: 'assistant' },
      };
      expect(await done.store.keepLlmAnalysis(claim!, document?.documentId ?? -1, written)).toBe('kept');
      const after = await seen(store);
      const { change } = await undo(done.change.id);
      expect(await seen(store)).toEqual(before);
      // It waits for an analysis again.
      expect(await store.claimAnalysis(60_000, { contentId: one })).not.toBeNull();
      await undo(change.id);
      expect(await seen(store)).toEqual(after);
    });

    it('replaced bytes are restored and read again', async () => {
      const { store } = underTest();
      const done = await as('save_content');
      const given = { url: `${url}1`, canonicalUrl: `${url}1`, tags: [], notes: undefined };
      await done.store.saveContent({ ...given, original: textResource(`${url}1`, 'Other words.') });
      await undo(done.change.id);
      const original = await store.readOriginal(one);
      expect(Buffer.from(original?.bytes ?? []).toString()).toBe(`${quote}\n\nAnd dark.`);
      expect(await claimJob(store, 60_000)).toMatchObject({ contentId: one, stage: 'extract' });
    });

    it('undoing a save whose companion is gone removes nothing else', async () => {
      const { store } = underTest();
      const done = await as('save_content');
      await done.store.keepCompanion(one, 'captions', textResource(`${url}captions`, 'Captions.'));
      const again = { url: `${url}1`, canonicalUrl: `${url}1`, tags: [], notes: undefined };
      await store.saveContent({ ...again, original: textResource(`${url}1`, 'Other words.') });
      await undo(done.change.id);
      expect(await store.readOriginal(one, 'captions')).toBeNull();
      expect(Buffer.from((await store.readOriginal(one))?.bytes ?? []).toString()).toBe('Other words.');
    });

    it('a write that changes nothing leaves no history', async () => {
      const { store } = underTest();
      await store.updateContent(one, { notes: 'by the program' });
      const done = await as('update_content');
      await done.store.updateContent(one, { notes: 'by the program', tags: ['Sleep', 'health'] });
      expect(done.change.isRecorded).toBe(false);
      expect(await history()).toEqual({ items: [], total: 0 });
      expect((await undo(done.change.id)).undone).toBeNull();
    });

    it('an undo reports what was changed since, and overwrites it only with force', async () => {
      const { store } = underTest();
      const done = await as('update_content');
      await done.store.updateContent(one, { notes: 'first', addTags: ['x'] });
      await store.updateContent(one, { notes: 'second' });
      const before = await seen(store);
      const { undone } = await undo(done.change.id);
      expect(undone).toMatchObject({
        outcome: 'changed_since',
        rows: 0,
        conflicts: [{ id: one, field: 'notes', before: 'mine', now: 'second', canForce: true }],
        conflictsTotal: 1,
      });
      expect(await seen(store)).toEqual(before);
      const { change } = await undo(done.change.id, true);
      expect(await store.getContentSummary(one)).toMatchObject({ notes: 'mine', tags: ['Sleep', 'health'] });
      await undo(change.id);
      expect(await seen(store)).toEqual(before);
    });

    it('changes of other fields and items do not prevent an undo', async () => {
      const { store } = underTest();
      const done = await as('update_content');
      await done.store.updateContent(one, { notes: 'first' });
      await store.updateContent(one, { title: 'Mine', addTags: ['y'] });
      await store.updateContent(two, { notes: 'second' });
      expect((await undo(done.change.id)).undone).toMatchObject({ outcome: 'undone' });
      expect(await store.getContentSummary(one)).toMatchObject({ notes: 'mine', title: 'Mine' });
    });

    it('a saved item that was changed since is deleted only with force', async () => {
      const { store } = underTest();
      const saved = await as('save_content');
      const { id } = await saved.store.saveContent({
        url: `${url}3`,
        canonicalUrl: `${url}3`,
        tags: [],
        notes: undefined,
      });
      await (await as('update_content')).store.updateContent(id, { notes: 'of use' });
      const { undone } = await undo(saved.change.id);
      expect(undone).toMatchObject({ outcome: 'changed_since', conflicts: [{ id, canForce: true }] });
      expect((await undo(saved.change.id, true)).undone).toMatchObject({ outcome: 'undone' });
      expect(await store.getContentSummary(id)).toBeNull();
      expect(await store.listContent({ limit: 9, offset: 0, deleted: true })).toMatchObject({ items: [{ id }] });
    });

    it('an undo reports what it cannot undo, and skips it with force', async () => {
      const { store } = underTest();
      const deleted = await as('delete_content');
      await deleted.store.deleteContent(one);
      const other = await store.importContent([
        { url: `${url}1`, canonicalUrl: `${url}1`, title: null, tags: [], notes: null, createdAt: null },
      ]);
      expect(other).toMatchObject([{ outcome: 'deleted' }]);
      const { id } = await store.saveContent({ url: `${url}3`, canonicalUrl: `${url}3`, tags: [], notes: undefined });
      await store.updateContent(id, { original: textResource(`${url}1`, 'x') });
      const { undone } = await undo(deleted.change.id);
      expect(undone).toMatchObject({
        outcome: 'changed_since',
        conflicts: [{ field: 'url', now: id, canForce: false }],
      });
      expect((await undo(deleted.change.id, true)).undone).toMatchObject({ outcome: 'undone', conflictsTotal: 1 });
      expect(await store.getContentSummary(one)).toBeNull();
    });

    it('an import is one change, and can be imported again after an undo', async () => {
      const { store } = underTest();
      const entries = Array.from({ length: 70 }, (_, at) => ({
        url: `${url}i/${at}`,
        canonicalUrl: `${url}i/${at}`,
        title: `Item ${at}`,
        tags: [`t${at}`],
        notes: null,
        createdAt: at,
      }));
      const before = await seen(store);
      const done = await as('import');
      for (let at = 0; at < entries.length; at += 10) await done.store.importContent(entries.slice(at, at + 10));
      expect(await history()).toMatchObject({ total: 1, items: [{ operation: 'import', rows: 140 }] });
      expect((await undo(done.change.id)).undone).toMatchObject({ outcome: 'undone', rows: 140 });
      expect(await seen(store)).toEqual(before);
      await expect(done.store.importContent(entries)).rejects.toMatchObject({ code: 'invalid_input' });
      const again = await (await as('import')).store.importContent(entries.map((one) => ({ ...one, tags: ['other'] })));
      expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['taken']));
      expect(await store.listContent({ limit: 1, offset: 0, filter: { tag: 'other' } })).toMatchObject({ total: 70 });
      expect((await store.getContentSummary(again[7]!.id))?.tags).toEqual(['other']);
    });

    it('a change too large for one write is not undone if any of its rows was changed since', async () => {
      const { store } = underTest();
      const done = await as('import');
      const imported = await done.store.importContent(
        Array.from({ length: 45 }, (_, at) => ({
          url: `${url}i/${at}`,
          canonicalUrl: `${url}i/${at}`,
          title: null,
          tags: Array.from({ length: maxTags }, (_tag, tag) => `t${tag}`),
          notes: null,
          createdAt: at,
        })),
      );
      const changed = imported.slice(0, 25).map(({ id }) => id);
      const later = await as('update_content');
      for (const id of changed) await later.store.updateContent(id, { notes: 'mine' });
      const { undone } = await undo(done.change.id);
      expect(undone).toMatchObject({ outcome: 'changed_since', rows: 0, conflictsTotal: 25 });
      expect(undone?.conflicts).toHaveLength(20);
      expect(changed).toEqual(expect.arrayContaining(undone!.conflicts.map(({ id }) => id)));
      expect(await store.listContent({ limit: 1, offset: 0 })).toMatchObject({ total: 47 });
      expect((await undo(done.change.id, true)).undone).toMatchObject({ outcome: 'undone', conflictsTotal: 25 });
      expect(await store.listContent({ limit: 1, offset: 0 })).toMatchObject({ total: 2 });
    });

    it('the history gives time, author, operation, before and after, for everything or one record', async () => {
      const { clock } = underTest();
      const first = await as('update_content');
      await first.store.updateContent(one, { notes: 'other', addTags: ['x'] });
      const second = await as('complete_action');
      const action = await actionOf(two);
      await second.store.updateAction(action, { state: 'done' });
      const entry = {
        id: first.change.id,
        at: clock.now(),
        face: 'mcp',
        by: 'laptop',
        operation: 'update_content',
        rows: 2,
        changes: [
          { id: one, title: `${url}1`, field: 'tags', before: [], after: ['x'] },
          { id: one, title: `${url}1`, field: 'notes', before: 'mine', after: 'other' },
        ],
        undoneBy: null,
        undoes: null,
        isRestored: false,
      };
      expect((await history()).items.map(({ operation }) => operation)).toEqual(['complete_action', 'update_content']);
      expect(await history(first.change.id)).toEqual({ items: [entry], total: 1 });
      expect((await history(one)).items.at(-1)).toEqual(entry);
      expect((await history(action)).items).toMatchObject([
        { id: second.change.id, changes: [{ field: 'state', before: 'open', after: 'done' }] },
      ]);
      expect(await history('c_aaaaaaaaaaaaaaaa')).toBeNull();
      const { change } = await undo(first.change.id);
      expect((await history(one)).items).toMatchObject([
        { id: change.id, undoes: first.change.id },
        // The action belongs to both items.
        { id: second.change.id },
        { id: first.change.id, undoneBy: change.id },
      ]);
      expect((await history(one)).items.map(({ id }) => id)).not.toContain('');
    });

    it('the history shows only changes of records that the caller may read', async () => {
      const { store, stores } = underTest();
      const change = newChange({ face: 'rest', by: null, operation: 'add_goal', scopes: ['goals:write'] });
      await (await stores.open({ account: 'local', change })).addGoal({ title: 'Sleep', category: 'Health' });
      const page = { limit: 10, offset: 0 };
      expect(await store.listHistory({ scopes: ['content:write'], ...page })).toEqual({ items: [], total: 0 });
      expect(await store.listHistory({ scopes: ['goals:write'], ...page })).toMatchObject({ total: 1 });
      expect(await store.needsOfChange(change.id)).toEqual({ scopes: ['goals:write'], removes: ['goals'] });
    });

    it('the history is forgotten after 30 elapsed days, whatever the clock says', async () => {
      const { store, clock } = underTest();
      const done = await as('update_content');
      await done.store.updateContent(one, { notes: 'other' });
      clock.setBy(40 * 24 * 60 * 60_000);
      while (await store.maintain());
      expect(await history()).toMatchObject({ total: 1 });
      for (let days = 0; days < 31; days += 1) {
        clock.advance(24 * 60 * 60_000);
        await store.updateContent(two, { notes: String(days) });
      }
      expect(await store.hasMaintenance()).toBe(true);
      while (await store.maintain());
      expect(await history()).toEqual({ items: [], total: 0 });
      expect((await undo(done.change.id)).undone).toBeNull();
    });

    it('the history belongs to one account, and no other can see or undo it', async () => {
      const { stores } = underTest();
      const done = await as('update_content');
      await done.store.updateContent(one, { notes: 'other' });
      const { id } = await stores.control.createAccount({ name: 'Other', plan: 'pro' });
      const other = await stores.open({ account: id, change: newChange({ ...done.change }) });
      expect(await other.listHistory({ scopes, limit: 10, offset: 0 })).toEqual({ items: [], total: 0 });
      expect(await other.needsOfChange(done.change.id)).toBeNull();
      expect(await other.undo(done.change.id, { force: true })).toBeNull();
    });
  });
}
