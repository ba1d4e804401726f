import { type Kind, recordedColumns } from '../history/changed-rows.ts';

/*
 * Triggers that note changed rows for the history. While `libraries.recording` names an entry, they insert into the view
 * `noted_changes` (`schema.sql`). Of a new item only the address is noted, which is enough: an import saves many.
 * Renaming a tag changes its key, so it is two changes.
 */

interface NotedTable {
  kind: Kind;
  /** The key, part, item and subject of a row `@`, as `history_changes` has them. */
  names: string;
  /** A field of the record that is no column of the row. */
  further?: string;
  /** The columns whose updates are noted. Absent: all that are recorded. */
  updates?: string;
}

const tables: Readonly<Record<string, NotedTable>> = {
  items: { kind: 'item', names: `@.seq, '', @.seq, @.id` },
  actions: { kind: 'action', names: `@.seq, '', @.item, @.id` },
  goals: { kind: 'goal', names: `@.seq, '', NULL, @.id` },
  insights: { kind: 'insight', names: '@.item, @.ordinal, @.item, NULL' },
  highlights: { kind: 'highlight', names: `@.seq, '', @.item, @.id` },
  item_tags: { kind: 'tag', names: '@.item, @.folded, @.item, NULL' },
  lists: { kind: 'list', names: `@.seq, '', NULL, @.id`, updates: 'name, icon, query, ordinal' },
  list_items: {
    kind: 'list_item',
    names: '@.item, @.list, @.item, (SELECT l.id FROM lists l WHERE l.seq = @.list)',
    further: `'list', (SELECT l.name FROM lists l WHERE l.seq = @.list), `,
    updates: 'ordinal',
  },
  sources: { kind: 'source', names: `@.seq, '', NULL, @.id` },
};

export function historyTriggers(): string {
  return Object.entries(tables)
    .map(([table, noted]) => triggersOf(table, noted))
    .join('\n');
}

function triggersOf(table: string, { kind, names, further = '', updates }: NotedTable): string {
  const { columns } = recordedColumns[kind];
  const fields = columns.map((column) => `'${column}', @.${column}`).join(', ');
  const of = (row: 'old' | 'new', part: string) => part.replaceAll('@', row);
  const state = (row: 'old' | 'new') => of(row, `json_object(${further}${fields})`);
  const note = (row: 'old' | 'new', before: string, after: string) =>
    `INSERT INTO noted_changes VALUES ('${kind}', ${of(row, names)}, ${before}, ${after});`;
  const trigger = (name: string, event: string, notes: string, condition = '') => `
CREATE TRIGGER ${table}_${name}_history AFTER ${event} ON ${table}
WHEN (SELECT recording FROM libraries) IS NOT NULL${condition} BEGIN
  ${notes}
END;`;
  const added = note('new', 'NULL', state('new'));
  const removed = note('old', state('old'), 'NULL');
  const changed = note('old', state('old'), state('new'));
  const addedItem = `INSERT INTO history_changes (entry, kind, key, part, item, subject, before, after)
  SELECT recording, 'item', ${of('new', names)}, NULL, json_object('url', new.url) FROM libraries WHERE true
  ON CONFLICT (entry, kind, key, part) DO UPDATE SET after = ${state('new')};`;
  return [
    trigger('add_to', 'INSERT', kind === 'item' ? addedItem : added),
    ...(kind === 'tag'
      ? [
          trigger('change_in', 'UPDATE', changed, ' AND old.folded = new.folded'),
          trigger('rename_in', 'UPDATE', `${removed}\n  ${added}`, ' AND old.folded <> new.folded'),
        ]
      : [trigger('change_in', `UPDATE OF ${updates ?? columns.join(', ')}`, changed)]),
    // A source that is removed stays as a row.
    ...(kind === 'source' ? [] : [trigger('remove_in', 'DELETE', removed)]),
  ].join('');
}
