import { isoTime } from '../../domain/clock.ts';
import { shownAddress } from '../../domain/links/shown-address.ts';
import { shortened } from '../../domain/text/shortened.ts';
import type { HistoryChange, HistoryValue } from '../../domain/records/history-entry.ts';
import { type ChangedRow, differingColumns, type Kind } from './changed-rows.ts';

/** Columns' names for people; columns without one are derived. */
const names: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  item: {
    url: 'url',
    given_title: 'title',
    notes: 'notes',
    shelf: 'shelf',
    read_at: 'readAt',
    created_at: 'createdAt',
    deleted_at: 'deletedAt',
    summary: 'summary',
    analysis: 'analysis',
  },
  tag: { tag: 'tags' },
  action: {
    title: 'title',
    state: 'state',
    goal: 'goalId',
    due: 'due',
    priority: 'priority',
    snoozed_until: 'snoozedUntil',
  },
  goal: { title: 'title', category: 'category', description: 'description', archived_at: 'archivedAt' },
  insight: { text: 'keyInsights' },
  original: { hash: 'text' },
  highlight: { quote: 'quote', note: 'note', colour: 'colour', deleted_at: 'deletedAt' },
  list: { name: 'name', icon: 'icon', query: 'query' },
  source: { name: 'name', state: 'state', options: 'options', every_ms: 'everyMinutes' },
  list_item: { list: 'lists' },
  text: { shown: 'text' },
};

/** A highlight is called by the beginning of its words. */
const maxWordsShown = 100;

const times: readonly string[] = ['created_at', 'read_at', 'deleted_at', 'archived_at'];

type Stored = string | number | null;

export function shownValue(kind: Kind, column: string, value: Stored): { field: string; value: HistoryValue } {
  const field = names[kind][column] ?? column;
  if (typeof value === 'number' && times.includes(column)) return { field, value: isoTime(value) };
  if (column === 'every_ms' && typeof value === 'number') return { field, value: value / 60_000 };
  if (column === 'url' && typeof value === 'string') return { field, value: shownAddress(value) };
  if (column === 'analysis' && typeof value === 'string')
    return { field, value: `by ${(JSON.parse(value) as { by: string }).by}` };
  return { field, value };
}

export interface ItemName {
  id: string;
  title: string | null;
  url: string;
}

/** Finds an item by its key; undefined when it no longer exists. */
export type FindItemName = (key: number | null) => ItemName | undefined;

/** Rows of these kinds say themselves what they are called. */
export const hasOwnName = (kind: Kind): boolean => ['action', 'goal', 'highlight', 'list', 'source'].includes(kind);

/** The record that a row belongs to, as it is called now. */
export function subjectOf(
  { kind, item: key, subject, before, after }: ChangedRow,
  findItem: FindItemName,
): { id: string; title: string | null } {
  if (kind === 'action' || kind === 'goal')
    return { id: subject ?? '', title: String(after?.['title'] ?? before?.['title'] ?? '') };
  if (kind === 'highlight')
    return { id: subject ?? '', title: shortened(String(after?.['quote'] || before?.['quote'] || ''), maxWordsShown) };
  if (kind === 'list' || kind === 'source')
    return { id: subject ?? '', title: String(after?.['name'] ?? before?.['name'] ?? '') };
  const item = findItem(key);
  return item === undefined ? { id: '', title: null } : { id: item.id, title: item.title ?? shownAddress(item.url) };
}

/** The rows of an entry as changes of fields. Tags of an item are one change, and so are its insights and its lists. */
export function shownChanges(rows: readonly ChangedRow[], findItem: FindItemName): HistoryChange[] {
  const lists = new Map<string, HistoryChange & { before: string[]; after: string[] }>();
  const changes: HistoryChange[] = [];
  for (const row of rows) {
    const about = subjectOf(row, findItem);
    const isMoved = row.kind === 'list_item' && row.before !== null && row.after !== null;
    if (isMoved) continue;
    if (row.kind === 'tag' || row.kind === 'insight' || row.kind === 'list_item') {
      const [column = '', field = ''] = Object.entries(names[row.kind])[0] ?? [];
      const key = `${row.kind} ${row.key}`;
      const list = lists.get(key) ?? { ...about, field, before: [] as string[], after: [] as string[] };
      if (!lists.has(key)) changes.push(list);
      lists.set(key, list);
      if (row.before !== null) list.before.push(String(row.before[column]));
      if (row.after !== null) list.after.push(String(row.after[column]));
    } else changes.push(...changesOf(row).map((change) => ({ ...about, ...change })));
  }
  return changes;
}

function changesOf(row: ChangedRow): Pick<HistoryChange, 'field' | 'before' | 'after'>[] {
  const { kind } = row;
  const [before, after] = [there(kind, row.before), there(kind, row.after)];
  if (kind === 'original')
    return row.part === '' ? [{ field: 'text', before: bytesOf(before), after: bytesOf(after) }] : [];
  if (before === null && after === null) return [];
  if (before === null || after === null) {
    const column = { item: 'url', highlight: 'quote', list: 'name', source: 'name' }[kind as string] ?? 'title';
    const field = kind === 'item' ? 'saved' : kind;
    const value = (of: typeof before) => (of === null ? null : shownValue(kind, column, of[column] ?? null).value);
    return [{ field, before: value(before), after: value(after) }];
  }
  return differingColumns(row)
    .filter((column) => Object.hasOwn(names[kind], column))
    .map((column) => {
      const { field, value } = shownValue(kind, column, before[column] ?? null);
      return { field, before: value, after: shownValue(kind, column, after[column] ?? null).value };
    });
}

/** A highlight that was deleted stays as a row without words, and a source that was removed as a row, too. */
function there(kind: Kind, values: ChangedRow['before']): ChangedRow['before'] {
  const isGone =
    (kind === 'highlight' && values !== null && values['deleted_at'] !== null) ||
    (kind === 'source' && values?.['state'] === 'removed');
  return isGone ? null : values;
}

function bytesOf(original: ChangedRow['before']): string | null {
  return original === null
    ? null
    : `${original['stored']} bytes stored, SHA-256 ${String(original['hash']).slice(0, 12).toLowerCase()}`;
}

export function withoutItem({ id, title, field, before, after }: HistoryChange): HistoryChange {
  return { id, title, field, before, after };
}

/** Rows of which an entry of a list shows what was changed; an entry that was asked for shows more. */
export const maxRowsShown = (id: string | undefined): number => (id?.startsWith('x_') === true ? 500 : 20);
