import { z } from 'zod';
import { exampleIds, exampleList } from '../domain/records/examples.ts';
import {
  itemList,
  type ItemList,
  type ListedItems,
  listIcon,
  listName,
  listPosition,
  listQuery,
} from '../domain/records/list.ts';
import { maxLists } from '../domain/records/limits.ts';
import { clearable, listOf, listOffset, someId, undo, unlisted } from './fields.ts';
import { withoutEmpty } from './answers/lean.ts';
import { counted, indented, line, meta, oneLine, printList, title, type Printed } from './answers/printed.ts';
import { defineOperation } from './operation.ts';
import { requirePermission } from './call.ts';
import { tag } from '../domain/records/content.ts';

/** An id, or a name in any case. */
const someList = z.string().min(1).max(1_000).describe('The id of the list, or its name in any case.');
const contentIds = z.array(someId).min(1).max(100).describe('The ids of the items.');
const icon = clearable(listIcon).describe('An emoji; empty for none.');
const query = listQuery.describe('What finds its items, in the language of searches: `tag:sleep is:unread`.');

function printItemList({ id, name, icon: sign, query: asked, items }: ItemList): Printed {
  return [
    line(
      meta(id),
      '  ',
      title(oneLine(`${sign === null ? '' : `${sign} `}${name}`, 200)),
      meta(`  ${counted(items, 'item')}`),
    ),
    ...(asked === null ? [] : indented('    ', [line(meta(oneLine(asked, 160)))])),
  ];
}

function leanList(list: ItemList): unknown {
  const { createdAt: _, updatedAt: __, ...rest } = list;
  return withoutEmpty(rest);
}

export const listLists = defineOperation({
  name: 'list_lists',
  title: 'List lists',
  description: 'With counts.',
  input: z.strictObject({
    limit: unlisted(z.int().min(1).max(maxLists).describe('How many at most.').default(maxLists)),
    offset: unlisted(listOffset.describe('How many to skip.')),
  }),
  output: listOf(itemList),
  assistant: {
    input: {},
    lean: ({ items }) => ({ items: items.map(leanList) }),
  },
  permission: 'content:read',
  set: 'manage',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/lists',
    about: 'Lists the lists of items in their order, each with the number of its items.',
    answers: { 200: 'The lists.' },
  },
  cli: { command: 'lists', print: (list) => printList(list, 'list', printItemList) },
  example: { input: {}, output: { items: [exampleList], total: 1, limit: maxLists, offset: 0 } },
  async run({ limit = maxLists, offset = 0 }, { lists, account }) {
    return { ...(await lists.list(account, { limit, offset })), limit, offset };
  },
});

export const getList = defineOperation({
  name: 'get_list',
  title: 'Read a list',
  description: 'A list, without its items.',
  input: z.strictObject({ id: someList }),
  output: itemList,
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/lists/:id',
    about: 'One list. Its items are what `GET /content` lists with `query=list:<its id>`.',
    answers: { 200: 'The list.' },
  },
  example: { input: { id: exampleIds.list }, output: exampleList },
  run: ({ id }, { lists, account }) => lists.get(account, id),
});

export const addList = defineOperation({
  name: 'add_list',
  title: 'Make a list',
  description: 'By hand, or by a query.',
  input: z.strictObject({
    name: listName.describe('Its name.'),
    icon: icon.optional(),
    query: query.min(1).optional(),
  }),
  output: itemList.extend(undo),
  permission: 'content:write',
  acknowledges: ['id'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/lists',
    about:
      'Makes a list. With a `query` it always has what that finds; without one, items are put into it by hand. A list that has this name already is that list, and takes the icon and the query.',
    answers: { 200: 'The list.' },
  },
  cli: {
    command: 'lists add <name>',
    print: (list) => [
      ...printItemList(list),
      ...(list.undo === undefined ? [line('This list was there already. Nothing was changed.')] : []),
    ],
  },
  example: { input: { name: exampleList.name, icon: '🌙' }, output: exampleList },
  run: (input, { lists, writer }) => lists.add(writer, input),
});

export const updateList = defineOperation({
  name: 'update_list',
  title: 'Change a list',
  description: 'Its name, icon, query or place.',
  input: z.strictObject({
    id: someList,
    name: listName.describe('Its new name.').optional(),
    icon: icon.optional(),
    query: query.min(1).optional(),
    position: listPosition.describe('How many lists stand before it.').optional(),
  }),
  output: itemList.extend(undo),
  permission: 'content:write',
  acknowledges: ['id'],
  // Destructive: the query before is lost.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/lists/:id',
    bodyRules: { minProperties: 1 },
    about:
      'Changes a list. Fields that are left out stay as they are. A list by hand stays one, and so does a list by a query.',
    answers: { 200: 'The list as it is now.' },
  },
  cli: { command: 'lists edit <id>', print: printItemList },
  example: { input: { id: exampleIds.list, position: 0 }, output: exampleList },
  run: ({ id, ...changes }, { lists, writer }) => lists.update(writer, id, changes),
});

export const deleteList = defineOperation({
  name: 'delete_list',
  title: 'Delete a list',
  description: 'Its items stay.',
  input: z.strictObject({ id: someList }),
  output: itemList.extend(undo),
  permission: 'content:delete',
  acknowledges: ['id'],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/lists/:id',
    about: 'Deletes a list. Its items stay as they are. `undo` brings it back for 30 days.',
    answers: { 200: 'What was deleted.' },
  },
  cli: {
    command: 'lists delete <id>',
    print: ({ id, name }) => [line('Deleted: ', oneLine(name, 200), meta(`  ${id}`))],
  },
  example: { input: { id: exampleIds.list }, output: exampleList },
  run: ({ id }, { lists, writer }) => lists.delete(writer, id),
});

const listed = {
  changed: z.int().describe('How many items were put into it, moved or taken out.'),
  missing: z.array(z.string()).describe('Those of the ids for which there is no item.'),
  ...undo,
};

const answerOf = ({ list, changed, missing }: ListedItems) => ({ ...list, changed, missing });

const printListedItems = ({
  changed,
  missing,
  ...list
}: ItemList & Pick<ListedItems, 'changed' | 'missing'>): Printed => [
  ...printItemList(list),
  line(`Changed: ${counted(changed, 'item')}.`),
  ...missing.map((id) => line(`${oneLine(id, 100)}: there is no such item.`)),
];

export const putInList = defineOperation({
  name: 'put_in_list',
  title: 'Put items into a list, or move them in it',
  description: 'In the given order.',
  input: z.strictObject({
    id: someList,
    contentIds,
    position: z
      .int()
      .min(0)
      .max(1_000_000)
      .describe('How many items stand before them. Absent: new ones come last, and the others stay where they are.')
      .optional(),
  }),
  output: itemList.extend(listed),
  permission: 'content:write',
  acknowledges: ['id', 'changed', 'missing'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/lists/:id/items',
    about:
      'Puts items into a list by hand, in the given order: at its end, or at `position`. Items that are in it already move there.',
    answers: { 200: 'The list as it is now, and which ids are none of an item.' },
  },
  cli: { command: 'lists put <id>', print: printListedItems },
  example: {
    input: { id: exampleIds.list, contentIds: [exampleIds.content] },
    output: { ...exampleList, changed: 1, missing: [] },
  },
  run: async ({ id, contentIds: ids, position }, { lists, writer }) =>
    answerOf(await lists.addItems(writer, id, ids, position)),
});

export const takeFromList = defineOperation({
  name: 'take_from_list',
  title: 'Take items out of a list',
  description: 'They stay in the library.',
  input: z.strictObject({ id: someList, contentIds }),
  output: itemList.extend(listed),
  permission: 'content:write',
  acknowledges: ['id', 'changed', 'missing'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/lists/:id/items',
    about: 'Takes items out of a list by hand. They stay in the library and in other lists.',
    answers: { 200: 'The list as it is now, and which ids are none of an item.' },
  },
  cli: { command: 'lists take <id>', print: printListedItems },
  example: {
    input: { id: exampleIds.list, contentIds: [exampleIds.content] },
    output: { ...exampleList, items: 0, changed: 1, missing: [] },
  },
  run: async ({ id, contentIds: ids }, { lists, writer }) => answerOf(await lists.removeItems(writer, id, ids)),
});

/** All that an assistant does with one list, as one tool: every conversation pays for each. */
export const changeList = defineOperation({
  name: 'change_list',
  title: 'Edit a list',
  description: 'Made if there is none. add, remove: ids.',
  input: z.strictObject({
    list: someList,
    name: unlisted(listName.optional()),
    icon: unlisted(listIcon.optional()),
    query: query.min(1).optional(),
    add: z.array(someId).max(100).optional(),
    remove: z.array(someId).max(100).optional(),
    delete: z.boolean().optional(),
  }),
  output: itemList.extend({ ...listed, deleted: z.boolean().optional() }),
  assistant: {
    input: {},
    lean: leanList,
  },
  permission: 'content:write',
  acknowledges: ['id', 'changed', 'missing'],
  set: 'manage',
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  example: {
    input: { list: exampleList.name, icon: '🌙' },
    output: { ...exampleList, changed: 0, missing: [] },
  },
  async run({ list, delete: isDeleted, ...changes }, { lists, writer, caller }) {
    if (isDeleted !== true) return answerOf(await lists.change(writer, list, changes));
    requirePermission(deleteList, caller);
    return { ...(await lists.delete(writer, list)), changed: 0, missing: [], deleted: true };
  },
});

/* Tags, by which items are found as in lists. */

export const listTags = defineOperation({
  name: 'list_tags',
  title: 'List tags',
  description: 'With counts.',
  input: z.strictObject({
    limit: z.int().min(1).max(1_000).describe('How many tags at most.').default(100),
    offset: unlisted(z.int().min(0).describe('How many to skip, counted from the most used.').default(0)),
  }),
  output: listOf(z.object({ tag: z.string(), count: z.int() })),
  permission: 'content:read',
  set: 'manage',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/tags',
    about: 'Lists the tags of all items, most used first.',
    answers: { 200: 'One page of the list.' },
  },
  cli: {
    command: 'tags',
    print: (tags) => printList(tags, 'tag', ({ tag, count }) => [line(meta(String(count).padStart(6)), `  ${tag}`)]),
  },
  example: {
    input: { limit: 2 },
    output: {
      items: [
        { tag: 'sleep', count: 12 },
        { tag: 'health', count: 7 },
      ],
      total: 31,
      limit: 2,
      offset: 0,
    },
  },
  run: (input, { library, account }) => library.listTags(account, input),
});

export const renameTag = defineOperation({
  name: 'rename_tag',
  title: 'Rename a tag',
  description: 'One that exists is merged.',
  input: z.strictObject({
    from: tag.describe('The tag to rename, in any case.'),
    to: tag.describe('Its new name, as it is to be written from now on.'),
  }),
  output: z.object({
    tag: z.string(),
    items: z.int().describe('How many items had the old tag.'),
    merged: z.boolean().describe('Whether items had the new tag already.'),
    ...undo,
  }),
  permission: 'content:write',
  acknowledges: ['tag'],
  set: 'manage',
  // Destructive: which items had which of two merged tags is lost, unless the change is undone.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'post',
    path: '/tags/rename',
    mayMissRecord: true,
    about: 'Renames a tag on all items. When items have the new tag already, the two become one.',
    answers: { 200: 'How many items had the old tag, and whether the two were merged.' },
  },
  cli: {
    command: 'tag rename <from> <to>',
    print: ({ tag: name, items, merged }) => [
      line(
        `${counted(items, 'item')} now ${items === 1 ? 'has' : 'have'} the tag ${oneLine(name, 100)}`,
        merged ? ', merged with those that had it.' : '.',
      ),
    ],
  },
  example: { input: { from: 'Sleep', to: 'sleep' }, output: { tag: 'sleep', items: 12, merged: false } },
  async run({ from, to }, { library, writer }) {
    return { tag: to, ...(await library.renameTag(writer, from, to)) };
  },
});
