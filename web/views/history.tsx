import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import { Do, type Write } from '../parts/writing.tsx';
import { Listed, Thing } from '../parts/things.tsx';
import type { Change, HistoryEntry, ContentSummary } from '../data/records.ts';
import { text } from '../text.ts';
import { historyInput, trashInput } from '../views.ts';
import { factsOf, headingOf } from '../items/item-facts.ts';

/** What an operation has done. */
const operationNames = {
  save_content: 'Saved',
  add_note: 'Note written',
  import: 'Imported',
  update_content: 'Changed',
  update_contents: 'Changed',
  edit_item: 'Changed',
  delete_content: 'Deleted',
  delete_items: 'Deleted',
  restore_content: 'Restored',
  rename_tag: 'Tag renamed',
  submit_analysis: 'Summarised by an assistant',
  add_highlight: 'Highlighted',
  update_highlight: 'Highlight changed',
  delete_highlight: 'Highlight removed',
  add_action: 'Added to do',
  update_action: 'Changed in to do',
  complete_action: 'Done',
  add_goal: 'Goal added',
  update_goal: 'Goal changed',
  add_list: 'List made',
  update_list: 'List changed',
  change_list: 'List changed',
  put_in_list: 'Put into a list',
  take_from_list: 'Taken out of a list',
  delete_list: 'List deleted',
  undo: 'Undone',
  follow: 'Followed',
  update_source: 'Source changed',
  delete_source: 'Source removed',
  check_source: 'New from a source',
  open_source_entry: 'Saved from a source',
  refresh_content: 'Fetched again',
  edit_in_vault: 'Changed in a vault',
} as Readonly<Record<string, string>>;
/** Fields whose values are shown. */
const fieldNames = {
  shelf: 'Kept in',
  readAt: 'Read',
  title: 'Title',
  notes: 'Note',
  tags: 'Tags',
  url: 'Address',
  summary: 'Summary',
  state: 'State',
  due: 'Due',
  priority: 'Priority',
  snoozedUntil: 'Snoozed until',
  category: 'Part of life',
  description: 'Description',
  quote: 'Words',
  note: 'Note',
  colour: 'Colour',
} as Readonly<Record<string, string>>;
const changedBy = (face: HistoryEntry['face'], by: string | null): string => {
  const names = {
    mcp: 'by an assistant',
    rest: 'by a program',
    cli: 'on the command line',
    page: 'in a browser',
    feed: 'by a feed',
    pages: 'by fetching the page again',
    folder: 'by a folder',
    mailbox: 'by a mailbox',
    vault: 'in a vault',
  };
  if (by === null || face === 'cli') return names[face];
  return face === 'page' ? `in ${by}` : `${names[face]} (${by})`;
};
const wordsOfValue = (value: string | number | boolean | string[] | null): string => {
  const words = value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
  return words.length > 200 ? `${words.slice(0, 199)}…` : words;
};

/** What was changed, by whom, and the way back; of one item when the address names it. */
export function History(): JSX.Element {
  const { query } = useAddress();
  const id = query.get('id');
  return (
    <>
      {id === null ? (
        <p class="soft">What was changed in the library, by you and by assistants. What is undone can be done again.</p>
      ) : (
        <p class="soft">
          What was changed of one item. <a href={`/app/read/${id}`}>Show the item</a>{' '}
          <a href="/app/history">Show all changes</a>
        </p>
      )}
      <Listed<HistoryEntry>
        key={id ?? ''}
        operation="history"
        inputOf={(offset) => historyInput(query, offset)}
        empty="Nothing was changed yet."
        draw={(entry) => <Entry key={entry.id} entry={entry} isOfOne={id !== null} />}
      />
    </>
  );
}

/** Changes of one entry that are shown. */
const maxShown = 6;

function Entry({ entry, isOfOne }: { entry: HistoryEntry; isOfOne: boolean }): JSX.Element {
  const { id, at, face, by, operation, rows, changes, undoneBy, isRestored = false } = entry;
  const name = operationNames[operation] ?? operation.replaceAll('_', ' ');
  const shown = changes.filter(({ field }) => field !== 'deletedAt' || !isOfOne).slice(0, maxShown);
  return (
    <Thing
      heading="h2"
      class={undoneBy === undefined ? '' : 'undone'}
      title={name}
      facts={[text.minute(at), changedBy(face, by), undoneBy !== undefined && 'undone']}
      does={
        undoneBy === undefined &&
        !isRestored && <Do label="Undo" of={`${name}, ${text.minute(at)}`} run={['undo', { id }, text.undoneOrNot]} />
      }
    >
      <ul class="changes">
        {shown.map((change) => (
          <li>
            <Changed change={change} isOfOne={isOfOne} />
          </li>
        ))}
      </ul>
      {rows > shown.length && changes.length > maxShown && <p class="soft">{text.counted(rows, 'change')} in all</p>}
    </Thing>
  );
}

function Changed({ change, isOfOne }: { change: Change; isOfOne: boolean }): JSX.Element {
  const { id, title, field, before, after } = change;
  const label = fieldNames[field];
  const [old, now] = [wordsOfValue(before), wordsOfValue(after)];
  // A time that came or went is said by the name of the change.
  const hasValues = label !== undefined && field !== 'deletedAt';
  const isOwn = isOfOne && id.startsWith('c_');
  return (
    <>
      {!isOwn && (id.startsWith('c_') ? <a href={`/app/read/${id}`}>{title ?? id}</a> : title)}
      {hasValues && (
        <>
          {!isOwn && ' · '}
          {label}: {old !== '' && <del>{old}</del>} {now !== '' && <ins>{now}</ins>}
        </>
      )}
    </>
  );
}

const purge = (input: { ids?: string[] }): Write => [
  'purge_items',
  input,
  ({ purged }: { purged: number }) => `${text.counted(purged, 'item')} deleted for good.`,
];

/** What was deleted and can be restored. */
export function Trash(): JSX.Element {
  return (
    <>
      <p class="soft">What you deleted in the last 30 days. After that it is removed for good.</p>
      <Listed<ContentSummary>
        operation="list_content"
        inputOf={trashInput}
        empty="Nothing was deleted in the last 30 days."
        head={(total) => (
          <p>
            <Do
              class="button quiet"
              label="Empty the trash"
              sure={`Sure? ${text.counted(total, 'item')} will be gone for good`}
              run={purge({})}
            />
          </p>
        )}
        draw={({ id, title, url, deletedAt = '', restorableUntil = '', ...item }) => {
          const name = headingOf({ title, url });
          return (
            <Thing
              key={id}
              heading="h2"
              title={name}
              facts={[
                ...factsOf({ url, ...item }, true).slice(0, 2),
                `deleted ${text.day(deletedAt)}, kept until ${text.day(restorableUntil)}`,
              ]}
              does={
                <>
                  <Do label="Restore" of={name} run={['restore_content', { id }, 'Restored.']} />
                  <Do label="Delete for good" of={name} sure="Sure?" run={purge({ ids: [id] })} />
                </>
              }
            />
          );
        }}
      />
    </>
  );
}
