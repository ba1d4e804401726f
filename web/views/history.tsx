import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import { Do, type Write } from '../parts/writing.tsx';
import { Listed, Thing } from '../parts/things.tsx';
import type { Change, HistoryEntry, ContentSummary } from '../data/records.ts';
import { text } from '../text.ts';
import { historyInput, trashInput } from '../views.ts';
import { factsOf, headingOf } from '../items/item-facts.ts';

/** What was changed, by whom, and the way back; of one item when the address names it. */
export function History(): JSX.Element {
  const { query } = useAddress();
  const id = query.get('id');
  return (
    <>
      <h1>{text.views.history}</h1>
      {id === null ? (
        <p class="soft">{text.history.intro}</p>
      ) : (
        <p class="soft">
          {text.history.ofOne} <a href={`/app/read/${id}`}>{text.history.toItem}</a>{' '}
          <a href="/app/history">{text.history.all}</a>
        </p>
      )}
      <Listed<HistoryEntry>
        key={id ?? ''}
        operation="history"
        inputOf={(offset) => historyInput(query, offset)}
        empty={text.history.none}
        draw={(entry) => <Entry key={entry.id} entry={entry} isOfOne={id !== null} />}
      />
    </>
  );
}

/** Changes of one entry that are shown. */
const maxShown = 6;

function Entry({ entry, isOfOne }: { entry: HistoryEntry; isOfOne: boolean }): JSX.Element {
  const { id, at, face, by, operation, rows, changes, undoneBy, isRestored = false } = entry;
  const name = text.history.operations[operation] ?? operation.replaceAll('_', ' ');
  const shown = changes.filter(({ field }) => field !== 'deletedAt' || !isOfOne).slice(0, maxShown);
  const undo = { operation: 'undo', input: { id }, done: text.undoneOrNot };
  return (
    <Thing
      heading="h2"
      class={undoneBy === undefined ? '' : 'undone'}
      title={name}
      facts={[text.minute(at), text.history.by(face, by), undoneBy !== undefined && text.history.undone]}
      does={
        undoneBy === undefined && !isRestored && <Do label={text.undo} of={`${name}, ${text.minute(at)}`} run={undo} />
      }
    >
      <ul class="changes">
        {shown.map((change) => (
          <li>
            <Changed change={change} isOfOne={isOfOne} />
          </li>
        ))}
      </ul>
      {rows > shown.length && changes.length > maxShown && <p class="soft">{text.history.rows(rows)}</p>}
    </Thing>
  );
}

function Changed({ change, isOfOne }: { change: Change; isOfOne: boolean }): JSX.Element {
  const { id, title, field, before, after } = change;
  const label = text.history.fields[field];
  const [old, now] = [text.history.value(before), text.history.value(after)];
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

const purge = (input: { ids?: string[] }): Write => ({
  operation: 'purge_items',
  input,
  done: ({ purged }: { purged: number }) => text.trash.purged(purged),
});

/** What was deleted and can be restored. */
export function Trash(): JSX.Element {
  return (
    <>
      <h1>{text.views.trash}</h1>
      <p class="soft">{text.trash.intro}</p>
      <Listed<ContentSummary>
        operation="list_content"
        inputOf={trashInput}
        empty={text.trash.none}
        head={(total) => (
          <p>
            <Do class="button quiet" label={text.trash.empty} sure={text.trash.sure(total)} run={purge({})} />
          </p>
        )}
        draw={({ id, title, url, deletedAt = '', restorableUntil = '', ...item }) => {
          const name = headingOf({ title, url });
          const restore = { operation: 'restore_content', input: { id }, done: text.trash.restored };
          return (
            <Thing
              key={id}
              heading="h2"
              title={name}
              facts={[...factsOf({ url, ...item }).slice(0, 2), text.trash.until(deletedAt, restorableUntil)]}
              does={
                <>
                  <Do label={text.trash.restore} of={name} run={restore} />
                  <Do label={text.trash.purge} of={name} sure={text.sure} run={purge({ ids: [id] })} />
                </>
              }
            />
          );
        }}
      />
    </>
  );
}
