import { beforeEach, describe, expect, it } from 'vitest';
import { scopes } from '../../../../src/domain/records/account.ts';
import { newChange, type Change } from '../../../../src/domain/records/change.ts';
import type { ImportedHighlight } from '../../../../src/domain/records/highlights/highlight.ts';
import { maxHighlights } from '../../../../src/domain/records/limits.ts';
import type { Store } from '../../../../src/store/store.ts';
import { placeAll, withoutTime } from './store-highlights.ts';
import { findItems, saveAndProcess } from '../items/store-items.ts';
import type { StoreUnderTest } from '../store-under-test.ts';

const url = 'https://example.org/a';
const text = 'The first sentence is about bread. The second one is about patience and salt.';
/** Words of notes, by which the item is found, or not. */
const words = ['zeppelin', 'dirigible', 'quixotic', 'balloon'];

export function highlightHistoryContract(underTest: () => StoreUnderTest): void {
  describe('the history of highlights', () => {
    let item: string;
    let bread: string;
    let imported: string;

    const entry = (address: string, highlights: Partial<ImportedHighlight>[]) => ({
      url: address,
      canonicalUrl: address,
      title: null,
      tags: [],
      notes: null,
      createdAt: null,
      highlights: highlights.map(({ quote = '', source = `id:${quote}`, note = null }) => ({
        source,
        quote,
        note,
        colour: null,
        createdAt: null,
      })),
    });

    beforeEach(async () => {
      const { store } = underTest();
      item = await saveAndProcess(store, url, { text, passageLength: 35 });
      bread = (await store.addHighlight({ contentId: item, quote: 'about bread', note: 'zeppelin', colour: 'red' }))!
        .id;
      await store.importContent([entry(url, [{ quote: 'patience and salt', note: 'balloon' }])]);
      await placeAll(store);
      const { items } = await store.listHighlights({ offset: 0, contentId: item });
      imported = items.find(({ source }) => source !== null)!.id;
    });

    const as = async (operation: string): Promise<{ store: Store; change: Change }> => {
      const change = newChange({ face: 'cli', by: null, operation, scopes: ['content:write'] });
      return { change, store: await underTest().stores.open({ account: 'local', change }) };
    };
    const undo = async (id: string, force = false) => {
      const { store, change } = await as('undo');
      return { undone: await store.undo(id, { force }), change };
    };
    const historyOf = async (id: string) =>
      (await underTest().store.listHistory({ id, scopes, limit: 9, offset: 0 }))!.items;

    const seen = async () => {
      const { store, hasSearch } = underTest();
      const { items } = await store.listHighlights({ offset: 0 });
      const found = await Promise.all(
        (hasSearch ? words : []).map(async (word) =>
          (await findItems(store, word, { by: 'words' })).items.map(([passage]) => passage?.ordinal),
        ),
      );
      return { items: items.map(withoutTime), found };
    };

    const writes: Record<string, (store: Store) => Promise<unknown>> = {
      'a new one': (store) => store.addHighlight({ contentId: item, quote: 'The second one', note: 'dirigible' }),
      'one that is not in the text': (store) => store.addHighlight({ contentId: item, quote: 'quixotic words' }),
      'one that was there already': (store) =>
        store.addHighlight({ contentId: item, quote: 'about bread', note: 'dirigible' }),
      'another note and colour': (store) => store.updateHighlight(bread, { note: 'quixotic', colour: '' }),
      'other words': (store) => store.updateHighlight(bread, { quote: 'patience and' }),
      'a deleted one': (store) => store.deleteHighlight(bread),
      'a deleted one of an import': (store) => store.deleteHighlight(imported),
      'an import': (store) =>
        store.importContent([
          entry(url, [
            { quote: 'patience and salt', note: 'quixotic' },
            { quote: 'sentence', note: 'dirigible' },
          ]),
          entry('https://example.org/b', [{ quote: 'of another page' }]),
        ]),
    };

    it.each(Object.entries(writes))('%s can be undone and redone', async (_, write) => {
      const { store } = underTest();
      const before = await seen();
      const done = await as('write');
      await write(done.store);
      await placeAll(store);
      const after = await seen();
      expect(after).not.toEqual(before);
      expect(done.change.isRecorded).toBe(true);
      const first = await undo(done.change.id);
      expect(first.undone).toMatchObject({ outcome: 'undone', conflicts: [] });
      await placeAll(store);
      expect(await seen()).toEqual(before);
      expect((await undo(first.change.id)).undone).toMatchObject({ outcome: 'undone', conflicts: [] });
      await placeAll(store);
      expect(await seen()).toEqual(after);
      expect((await undo(done.change.id)).undone).toMatchObject({ outcome: 'undone', conflicts: [] });
      await placeAll(store);
      expect(await seen()).toEqual(before);
    });

    it('makes restored words findable at once, and undone ones no longer', async (test) => {
      test.skip(!underTest().hasSearch, 'no search');
      const done = await as('update_highlight');
      await done.store.updateHighlight(bread, { note: 'dirigible' });
      await placeAll(done.store);
      await undo(done.change.id);
      expect((await seen()).found).toEqual([[0], [], [], [1]]);
      const added = await as('add_highlight');
      await added.store.addHighlight({ contentId: item, quote: 'The second one', note: 'quixotic' });
      await placeAll(added.store);
      expect((await seen()).found).toEqual([[0], [], [1], [1]]);
      await undo(added.change.id);
      expect((await seen()).found).toEqual([[0], [], [], [1]]);
    });

    it('has no entry for a call that changes nothing', async () => {
      const done = await as('update_highlight');
      await done.store.updateHighlight(bread, { note: 'zeppelin' });
      await done.store.importContent([entry(url, [{ quote: 'patience and salt', note: 'balloon' }])]);
      expect(await done.store.deleteHighlight('h_none')).toBeNull();
      expect(done.change.isRecorded).toBe(false);
    });

    it('lists the changes of an item and of one highlight', async () => {
      const changed = await as('update_highlight');
      await changed.store.updateHighlight(bread, { note: 'dirigible' });
      const deleted = await as('delete_highlight');
      await deleted.store.deleteHighlight(bread);
      const about = { id: bread, title: 'about bread' };
      const expected = [
        { id: deleted.change.id, changes: [{ ...about, field: 'highlight', before: 'about bread', after: null }] },
        { id: changed.change.id, changes: [{ ...about, field: 'note', before: 'zeppelin', after: 'dirigible' }] },
      ];
      expect(await historyOf(bread)).toMatchObject(expected);
      expect(await historyOf(item)).toMatchObject(expected);
    });

    it('reports what was changed since, and overwrites it only with force', async () => {
      const { store } = underTest();
      const done = await as('update_highlight');
      await done.store.updateHighlight(bread, { note: 'dirigible' });
      await store.updateHighlight(bread, { note: 'quixotic', colour: 'blue' });
      expect((await undo(done.change.id)).undone).toMatchObject({
        outcome: 'changed_since',
        conflicts: [{ id: bread, field: 'note', before: 'zeppelin', now: 'quixotic', canForce: true }],
        conflictsTotal: 1,
      });
      await undo(done.change.id, true);
      expect(await store.getHighlight(bread)).toMatchObject({ note: 'zeppelin', colour: 'blue' });

      const added = await as('add_highlight');
      const { id } = (await added.store.addHighlight({ contentId: item, quote: 'sentence' }))!;
      await store.updateHighlight(id, { note: 'of use' });
      expect((await undo(added.change.id)).undone).toMatchObject({
        outcome: 'changed_since',
        conflicts: [{ id, field: 'quote', now: 'sentence', canForce: true }],
      });
      await undo(added.change.id, true);
      expect(await store.getHighlight(id)).toBeNull();
    });

    it('has no words to restore after a deletion, until that is undone', async () => {
      const { store } = underTest();
      const done = await as('update_highlight');
      await done.store.updateHighlight(bread, { note: 'dirigible' });
      const deleted = await as('delete_highlight');
      await deleted.store.deleteHighlight(bread);
      expect((await undo(done.change.id)).undone).toMatchObject({
        outcome: 'changed_since',
        conflicts: [{ id: bread, canForce: false }],
        conflictsTotal: 1,
      });
      await undo(deleted.change.id);
      expect((await undo(done.change.id)).undone).toMatchObject({ outcome: 'undone' });
      expect(await store.getHighlight(bread)).toMatchObject({ note: 'zeppelin' });
    });

    it('follows an import again when a local change was undone, unless something else was changed here', async () => {
      const { store, clock } = underTest();
      const importing = async (note: string) => {
        await store.importContent([entry(url, [{ quote: 'patience and salt', note }])]);
        return (await store.getHighlight(imported))?.note;
      };
      const first = await as('update_highlight');
      await first.store.updateHighlight(imported, { note: 'ours' });
      expect(await importing('theirs')).toBe('ours');
      await undo(first.change.id);
      expect(await importing('theirs')).toBe('theirs');
      const second = await as('update_highlight');
      await second.store.updateHighlight(imported, { note: 'ours' });
      clock.advance(5);
      await store.updateHighlight(imported, { colour: 'blue' });
      await undo(second.change.id);
      expect(await importing('later')).toBe('theirs');
    });

    it('takes an undone import again without bringing it back a second time', async () => {
      const { store } = underTest();
      const entries = [entry(url, [{ quote: 'sentence', note: 'dirigible' }])];
      const done = await as('import');
      await done.store.importContent(entries);
      const { change } = await undo(done.change.id);
      expect(await store.importContent(entries)).toMatchObject([{ outcome: 'merged' }]);
      const before = await seen();
      expect((await undo(change.id)).undone).toMatchObject({
        outcome: 'changed_since',
        conflicts: [{ field: 'quote', before: 'sentence', canForce: false }],
      });
      await undo(change.id, true);
      expect(await seen()).toEqual(before);
    });

    it('never gives an item more highlights than the limit', async () => {
      const { store } = underTest();
      const done = await as('delete_highlight');
      await done.store.deleteHighlight(bread);
      const many = Array.from({ length: maxHighlights }, (_, at) => ({ quote: `words of number ${at}` }));
      await store.importContent([entry(url, many)]);
      await expect(undo(done.change.id)).rejects.toMatchObject({ code: 'invalid_input' });
      expect(await store.getHighlight(bread)).toBeNull();
    });
  });
}
