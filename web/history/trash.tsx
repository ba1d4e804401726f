import type { JSX } from 'preact';
import { factsOf } from '../library/item-facts.ts';
import { Facts, Pages, SureButton } from '../parts/elements.tsx';
import { useKeptFocus } from '../parts/kept-focus.ts';
import { useWrite } from '../parts/use-write.ts';
import type { ContentSummary } from '../records.ts';
import { text } from '../text.ts';
import { trashInput } from '../views.ts';

/** What was deleted and can be restored. */
export function Trash(): JSX.Element {
  const write = useWrite();
  const purge = (input: { ids?: string[] }): unknown =>
    write({ operation: 'purge_items', input, done: ({ purged }: { purged: number }) => text.trash.purged(purged) });
  const box = useKeptFocus('.deleted button', '.deleted');
  return (
    <>
      <h1>{text.views.trash}</h1>
      <p class="soft">{text.trash.intro}</p>
      <div ref={box}>
        <Pages<ContentSummary>
          operation="list_content"
          inputOf={trashInput}
          empty={text.trash.none}
          head={(total) => (
            <p>
              <SureButton
                label={text.trash.empty}
                sure={text.trash.sure(total)}
                name={text.trash.empty}
                onSure={() => void purge({})}
              />
            </p>
          )}
          draw={({ id, title, url, deletedAt = '', restorableUntil = '', ...item }) => (
            <li key={id} class="deleted">
              <div>
                <h2>{title ?? url ?? text.library.untitled}</h2>
                <Facts of={[...factsOf({ url, ...item }).slice(0, 2), text.trash.until(deletedAt, restorableUntil)]} />
              </div>
              <p class="pair">
                <button
                  type="button"
                  class="button quiet"
                  aria-label={text.trash.restoreOf(title ?? url ?? text.library.untitled)}
                  onClick={() => void write({ operation: 'restore_content', input: { id }, done: text.trash.restored })}
                >
                  {text.trash.restore}
                </button>
                <SureButton
                  label={text.trash.purge}
                  name={text.trash.purgeOf(title ?? url ?? text.library.untitled)}
                  onSure={() => void purge({ ids: [id] })}
                />
              </p>
            </li>
          )}
        />
      </div>
    </>
  );
}
