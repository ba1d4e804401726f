import type { JSX } from 'preact';
import { factsOf } from '../library/item-facts.ts';
import { Do } from '../parts/do.tsx';
import { Listed, Thing } from '../parts/things.tsx';
import type { Write } from '../parts/use-write.ts';
import type { ContentSummary } from '../records.ts';
import { text } from '../text.ts';
import { trashInput } from '../views.ts';

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
          const name = title ?? url ?? text.library.untitled;
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
