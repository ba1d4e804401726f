import type { JSX } from 'preact';
import { itemProps } from '../items/item.ts';
import { factsOf, headingOf } from '../items/item-facts.ts';
import { Do, type Write } from '../parts/writing.tsx';
import { Out } from '../parts/elements.tsx';
import { Listed, Thing } from '../parts/things.tsx';
import type { ContentSummary, List } from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { failedInput } from '../views.ts';

const waitingInput = { ...failedInput(0), status: 'pending' };
const retryAll: Write = [
  'retry_all',
  {},
  ({ queued }: { queued: number }) => `${text.counted(queued, 'item')} queued again.`,
];

/** What could not be read, why, and what to do about it. */
export function Problems(): JSX.Element {
  const { answer: pending } = useAnswer<List<ContentSummary>>('list_content', waitingInput);
  const waiting = (pending?.items ?? []).filter(({ failure }) => failure !== undefined);
  return (
    <>
      <Listed<ContentSummary>
        operation="list_content"
        inputOf={failedInput}
        empty="Everything that you saved could be read."
        head={(total) => (
          <>
            <p class="soft">
              These could not be read. Most problems of the network solve themselves; the rest need you.
            </p>
            {total > 1 && (
              <p>
                <Do class="button quiet" label={`Try all ${text.number(total)} again`} run={retryAll} />
              </p>
            )}
          </>
        )}
        draw={(item) => <Problem key={item.id} item={item} heading="h2" />}
      />
      {waiting.length > 0 && (
        <section class="later">
          <h2>Tried again by themselves</h2>
          <ul class="listed">
            {waiting.map((item) => (
              <Problem key={item.id} item={item} heading="h3" />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** @param heading under the title of the view, or of a section */
function Problem({ item, heading }: { item: ContentSummary; heading: 'h2' | 'h3' }): JSX.Element {
  const { id, title, url, failure } = item;
  const name = headingOf({ title, url });
  return (
    <Thing
      place={itemProps(item)}
      heading={heading}
      title={<a href={`/app/read/${id}`}>{name}</a>}
      facts={[
        ...factsOf(item),
        failure !== undefined &&
          failure.attempts > 0 &&
          `tried ${failure.attempts === 1 ? 'once' : `${text.number(failure.attempts)} times`}`,
      ]}
      does={
        <>
          <Do label="Try again" of={name} run={['retry_item', { id }, 'Queued again.']} />
          <Out to={url} name={text.named('Open the original', name)}>
            Open the original
          </Out>
          <Do label="Delete" of={name} run={['delete_content', { id }, text.items.removed(1)]} />
        </>
      }
    >
      <p class="words">{text.problems.words(failure?.message ?? 'Could not be read')}</p>
    </Thing>
  );
}
