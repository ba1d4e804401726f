import { z } from 'zod';
import { exampleIds, exampleSource } from '../domain/records/examples.ts';
import { maxSources } from '../domain/records/limits.ts';
import {
  shownEntry,
  source,
  type Source,
  sourceMinutes,
  sourceName,
  sourceOptions,
} from '../domain/records/sources/source.ts';
import { isoTime, rhythmWords } from '../domain/clock.ts';
import { exampleSaved, savedItem } from './content/save-content.ts';
import { listOf, listOffset, someId, undo } from './fields.ts';
import {
  counted,
  indented,
  line,
  meta,
  oneLine,
  printList,
  shownTime,
  title,
  type Printed,
} from './answers/printed.ts';
import { defineOperation } from './operation.ts';

const options = sourceOptions.shape;
const settings = {
  name: sourceName.describe('Its name. A new one without a name has its title.').optional(),
  take: options.take,
  only: options.only,
  without: options.without,
  tags: options.tags,
  keepUnread: options.keepUnread,
  keepDays: options.keepDays,
  everyMinutes: sourceMinutes
    .describe('How many minutes between two checks; 0: as often as it changes, which is the default.')
    .optional(),
};

type Settings = { [Name in keyof typeof settings]?: z.infer<(typeof settings)[Name]> };

/** Splits the fields of an input by their role in the store. */
function changesOf({ name, everyMinutes, ...rest }: Settings) {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(name !== undefined && { name }),
    ...(everyMinutes !== undefined && { everyMinutes: everyMinutes === 0 ? null : everyMinutes }),
    options: sourceOptions.parse(Object.fromEntries(given)),
  };
}

function printSource(source: Source): Printed {
  const { id, kind, address, name, state, options: of, everyMinutes, items, unread, headlines, problem } = source;
  const { checkedAt, changedAt, nextCheckAt } = source;
  const counts = [
    ...(kind === 'pages' ? [] : [counted(items, 'item')]),
    ...(everyMinutes === null ? [] : [`${kind === 'pages' ? 'fetched again ' : ''}${rhythmWords(everyMinutes)}`]),
    ...(unread > 0 ? [`${unread} unread`] : []),
    ...(headlines > 0 ? [counted(headlines, 'headline')] : []),
    ...(state === 'active' ? [] : [state]),
  ];
  const checks = [
    checkedAt === null ? 'not checked yet' : `checked ${shownTime(checkedAt)}`,
    ...(changedAt === null ? [] : [`something new ${shownTime(changedAt)}`]),
    ...(nextCheckAt === null ? [] : [`next check ${shownTime(nextCheckAt)}`]),
  ];
  return [
    line(meta(id), '  ', title(oneLine(name, 200)), meta(`  ${kind}, ${counts.join(', ')}`)),
    ...indented('    ', [
      ...(address === name ? [] : [line(meta(oneLine(address, 160)))]),
      line(meta(checks.join(', '))),
      ...Object.entries(of).flatMap(([option, value]) =>
        value === undefined || (Array.isArray(value) && value.length === 0)
          ? []
          : line(meta(oneLine(`${option}: ${Array.isArray(value) ? value.join(', ') : String(value)}`, 300))),
      ),
    ]),
    ...(problem === null ? [] : indented('    ', [line(oneLine(problem.message, 400))])),
  ];
}

/** Sources are only checked while a program runs. */
const needsProgram = line(
  meta('It is checked while `commonplace serve` or an assistant runs, or at once by `commonplace work`.'),
);

export const listSources = defineOperation({
  name: 'list_sources',
  title: 'List what is followed: feeds, folders, mailboxes, and pages that are fetched again',
  description: 'With counts and problems.',
  input: z.strictObject({
    limit: z.int().min(1).max(maxSources).describe('How many at most.').default(maxSources),
    offset: listOffset.describe('How many to skip.'),
  }),
  output: listOf(source),
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/sources',
    about: 'Lists the sources by name: feeds, folders, mailboxes, and pages that are fetched again.',
    answers: { 200: 'The sources.' },
  },
  cli: { command: 'sources', print: (list) => printList(list, 'source', printSource) },
  example: { input: {}, output: { items: [exampleSource], total: 1, limit: maxSources, offset: 0 } },
  async run({ limit = maxSources, offset = 0 }, { sources, account }) {
    const all = await sources.list(account);
    return { items: all.slice(offset, offset + limit), total: all.length, limit, offset };
  },
});

export const getSource = defineOperation({
  name: 'get_source',
  title: 'Show one source',
  description: 'A source, without its entries.',
  input: z.strictObject({ id: someId }),
  output: source,
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: { method: 'get', path: '/sources/:id', about: 'One source.', answers: { 200: 'The source.' } },
  cli: { command: 'sources show <id>', print: printSource },
  example: { input: { id: exampleIds.source }, output: exampleSource },
  run: ({ id }, { sources, account }) => sources.get(account, id),
});

export const follow = defineOperation({
  name: 'follow',
  title: 'Follow a feed: of a site, a channel, a podcast',
  description: 'New entries become items.',
  input: z.strictObject({
    address: z
      .string()
      .min(1)
      .max(10_000)
      .describe('The address of a feed, or of a page that names its feed, such as a blog or a YouTube channel.'),
    ...settings,
  }),
  output: source.extend({
    isKnown: z.boolean().describe('Whether it was followed before.'),
    otherFeeds: z
      .array(z.object({ address: z.string(), title: z.string().nullable() }))
      .describe('Further feeds that the page names. They are not followed.'),
    ...undo,
  }),
  permission: 'content:write',
  acknowledges: ['id'],
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  apiV1: {
    method: 'post',
    path: '/sources',
    about:
      'Follows the feed at the address, or the one that the page there names. The newest ten entries become items at once, later ones as they appear. A feed that is followed already takes the given settings, and goes on if it was paused.',
    answers: { 200: 'The source.' },
  },
  cli: {
    command: 'follow <address>',
    print: ({ otherFeeds, isKnown, ...followed }) => [
      ...(isKnown ? [line('You follow it already.')] : []),
      ...printSource(followed),
      ...otherFeeds.map((other) => line(meta('    also there: '), oneLine(other.address, 200))),
      needsProgram,
    ],
  },
  example: {
    input: { address: 'https://example.com/blog', tags: ['blogs'] },
    output: { ...exampleSource, isKnown: false, otherFeeds: [] },
  },
  async run({ address, ...given }, { sources, writer, signal }) {
    const followed = await sources.follow(writer, { address, ...changesOf(given) }, signal);
    return { ...followed.source, isKnown: followed.isKnown, otherFeeds: followed.others };
  },
});

export const updateSource = defineOperation({
  name: 'update_source',
  title: 'Change a source: its name, tags, words and rhythm',
  description: 'Its name, options, rhythm or state.',
  input: z.strictObject({
    id: someId,
    state: z
      .enum(['active', 'paused'])
      .describe('`paused`: it is not checked. `active`: it is checked now, and goes on.')
      .optional(),
    ...settings,
  }),
  output: source.extend(undo),
  permission: 'content:write',
  acknowledges: ['id'],
  // Destructive: the settings before are lost.
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  apiV1: {
    method: 'put',
    path: '/sources/:id',
    bodyRules: { minProperties: 1 },
    about:
      'Changes, pauses or resumes a source. Fields that are left out stay as they are. Resuming a folder that paused because many files were gone puts their items into the trash.',
    answers: { 200: 'The source as it is now.' },
  },
  cli: { command: 'sources edit <id>', print: printSource },
  example: { input: { id: exampleIds.source, name: 'Example' }, output: exampleSource },
  run: ({ id, state, ...given }, { sources, writer }) =>
    sources.update(writer, id, { ...changesOf(given), ...(state && { state }) }),
});

export const deleteSource = defineOperation({
  name: 'delete_source',
  title: 'Stop following a source',
  description: 'Its items stay.',
  input: z.strictObject({ id: someId }),
  output: source.extend(undo),
  permission: 'content:delete',
  acknowledges: ['id'],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  apiV1: {
    method: 'delete',
    path: '/sources/:id',
    about: 'Removes a source. Its items stay as they are.',
    answers: { 200: 'The removed source.' },
  },
  cli: {
    command: 'sources remove <id>',
    print: ({ id, name }) => [line('No longer followed: ', oneLine(name, 200), meta(`  ${id}`))],
  },
  example: { input: { id: exampleIds.source }, output: exampleSource },
  run: ({ id }, { sources, writer }) => sources.delete(writer, id),
});

export const checkSource = defineOperation({
  name: 'check_source',
  title: 'Check a source now',
  description: 'Within seconds, while a server runs.',
  input: z.strictObject({ id: someId }),
  output: source,
  permission: 'content:write',
  acknowledges: ['id'],
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  apiV1: {
    method: 'post',
    path: '/sources/:id/check',
    about: 'Makes a source due now. `checkedAt` and `problem` give the result later.',
    answers: { 200: 'The source as it is before the check.' },
  },
  cli: {
    command: 'sources check <id>',
    print: (checked) => [...printSource(checked), needsProgram],
  },
  example: { input: { id: exampleIds.source }, output: exampleSource },
  run: ({ id }, { sources, writer }) => sources.check(writer, id),
});

export const listSourceEntries = defineOperation({
  name: 'list_source_entries',
  title: 'List the entries of a source, newest first',
  description: 'Such as headlines.',
  input: z.strictObject({
    id: someId,
    state: shownEntry.shape.state.optional(),
    limit: z.int().min(1).max(200).describe('How many at most.').default(50),
    offset: listOffset.describe('How many to skip.'),
  }),
  output: listOf(shownEntry),
  permission: 'content:read',
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  apiV1: {
    method: 'get',
    path: '/sources/:id/entries',
    about: 'What a source offered, newest first: items, headlines that wait to be opened, and what was left out.',
    answers: { 200: 'The entries.' },
  },
  cli: {
    command: 'sources entries <id>',
    print: (list) =>
      printList(list, 'entry', ({ key, state, title: name, address, contentId }) => [
        line(title(oneLine(name ?? address ?? key, 200)), meta(`  ${contentId ?? state}`)),
        ...indented('    ', [line(meta(key))]),
      ]),
  },
  example: {
    input: { id: exampleIds.source, state: 'headline' },
    output: {
      items: [
        {
          key: 'https://example.com/articles/sleep',
          state: 'headline',
          contentId: null,
          title: 'How to sleep',
          address: 'https://example.com/articles/sleep',
          publishedAt: '2026-03-02T07:00:00.000Z',
          seenAt: '2026-03-02T07:15:11.204Z',
        },
      ],
      total: 1,
      limit: 50,
      offset: 0,
    },
  },
  async run({ id, state, limit = 50, offset = 0 }, { sources, account }) {
    const entries = await sources.entries(account, id, { state, limit, offset });
    const items = entries.items.map(({ key, state: is, contentId, title: name, address, publishedAt, seenAt }) => ({
      key,
      state: is,
      contentId,
      title: name,
      address,
      publishedAt: publishedAt === null ? null : isoTime(publishedAt),
      seenAt: isoTime(seenAt),
    }));
    return { items, total: entries.total, limit, offset };
  },
});

export const openSourceEntry = defineOperation({
  name: 'open_source_entry',
  title: 'Save what an entry of a source leads to',
  description: 'A headline becomes an item.',
  input: z.strictObject({
    id: someId,
    key: z.string().min(1).max(200).describe('The key of the entry, as the list of entries shows it.'),
  }),
  output: savedItem,
  permission: 'content:write',
  acknowledges: ['id', 'status', 'outcome'],
  effects: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  apiV1: {
    method: 'post',
    path: '/sources/:id/entries/open',
    about: 'Saves the page that an entry leads to, such as a headline, with the tags of its source.',
    answers: { 200: 'The item.' },
    mayMissRecord: true,
  },
  cli: {
    command: 'sources open <id> <key>',
    print: ({ id, url }) => [line('Saved: ', oneLine(url ?? '', 200), meta(`  ${id}`))],
  },
  example: {
    input: { id: exampleIds.source, key: 'https://example.com/articles/sleep' },
    output: { ...exampleSaved, outcome: 'created' },
  },
  run: ({ id, key }, { sources, writer }) => sources.openEntry(writer, id, key),
});
