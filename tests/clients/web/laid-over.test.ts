import { expect, it } from 'vitest';
import { isWaiting, laidOver } from '../../../web/kept/laid-over.ts';

/* Answers with the writes laid over them that the server does not have yet. */

const item = { id: 'c_1', title: 'Bees', notes: null, tags: ['bees'], shelf: 'inbox', readAt: null, blocks: [{}] };
const other = { id: 'c_2', title: 'Wasps', tags: [] };
const list = { items: [item, other], total: 2 };

/** The answer with a write laid over it. */
const over = (answer: unknown, operation: string, input: object, asked = ['list_library', {}] as [string, object]) =>
  laidOver(...asked, answer, [['key', { operation, input }]], true) as typeof list;

it('shows edits of an item wherever it is, and leaves all else as it is', () => {
  const edited = over(list, 'edit_item', { id: 'c_1', title: 'Hives', notes: '', before: { title: 'Bees' } });
  expect(edited).toEqual({ ...list, items: [{ ...item, title: 'Hives', notes: null }, other] });
  expect(edited.items[1]).toBe(other);
  expect(edited.items.map(isWaiting)).toEqual([true, false]);
  expect(over(list, 'edit_item', { id: 'c_9', title: 'Hives' })).toBe(list);
  expect(over(list, 'undo', { id: 'c_1' })).toBe(list);
  expect(over(list, 'edit_item', { id: 'c_1', title: 'Hives' }, ['history', {}])).toBe(list);
});

it('shows tags, shelf and whether an item was read', () => {
  const input = { ids: ['c_1', 'c_2'], addTags: ['honey'], removeTags: ['bees'], shelf: 'archive', read: true };
  const [first, second] = over(list, 'update_contents', input).items;
  expect(first).toMatchObject({ tags: ['honey'], shelf: 'archive', readAt: expect.any(String) as string });
  expect(second).toMatchObject({ title: 'Wasps', tags: ['honey'] });
  const proposed = { ...item, proposedTags: [{ tag: 'honey' }, { tag: 'wax' }] };
  expect(over(proposed, 'update_contents', { ids: ['c_1'], addTags: ['honey'] })).toMatchObject({
    tags: ['bees', 'honey'],
    proposedTags: [{ tag: 'wax' }],
  });
  expect(over(item, 'update_contents', { ids: ['c_1'], addTags: ['Bees', 'Wax'] })).toMatchObject({
    tags: ['bees', 'Wax'],
  });
});

it('marks a waiting item also when a later write changes a part of it', () => {
  const writes = [
    ['1', { operation: 'edit_item', input: { id: 'c_1', title: 'Hives' } }],
    ['2', { operation: 'complete_action', input: { id: 'a_1' } }],
  ] as const;
  const shown = laidOver('read_item', {}, { ...item, actions: [{ id: 'a_1', state: 'open' }] }, writes, true) as object;
  expect(shown).toMatchObject({ title: 'Hives', actions: [{ state: 'done' }] });
  expect(isWaiting(shown)).toBe(true);
});

it('shows new, changed and removed highlights of their item alone', () => {
  const asked = ['list_highlights', { contentId: 'c_1', limit: 9 }] as [string, object];
  const none = { items: [], total: 0 };
  const input = { contentId: 'c_1', quote: 'Bees dance.', colour: 'green' };
  const added = over(none, 'add_highlight', input, asked);
  expect(added.items).toMatchObject([{ id: 'key', place: 'found', note: null, ...input }]);
  // The server has it, although its answer was lost.
  expect(over(added, 'add_highlight', input, asked).items).toHaveLength(1);
  expect(over(none, 'add_highlight', { ...input, contentId: 'c_2' }, asked)).toBe(none);
  expect(over(added, 'update_highlight', { id: 'key', note: 'Why?' }, asked).items).toMatchObject([{ note: 'Why?' }]);
  expect(over(added, 'delete_highlight', { id: 'key' }, asked).items).toEqual([]);
});
