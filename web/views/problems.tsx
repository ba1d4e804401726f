import type { JSX } from 'preact';
import { itemProps } from '../items/item.ts';
import { factsOf, headingOf } from '../items/item-facts.ts';
import { Do } from '../parts/writing.tsx';
import { Out } from '../parts/elements.tsx';
import { Listed, Thing } from '../parts/things.tsx';
import type { ContentSummary, List } from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { failedInput } from '../views.ts';

const waitingInput = { ...failedInput(0), status: 'pending' };
const retryAll = {
  operation: 'retry_all',
  input: {},
  done: ({ queued }: { queued: number }) => text.problems.retriedAll(queued),
};

/** What could not be read, why, and what to do about it. */
export function Problems(): JSX.Element {
  const { answer: pending } = useAnswer<List<ContentSummary>>('list_content', waitingInput);
  const waiting = (pending?.items ?? []).filter(({ failure }) => failure !== undefined);
  return (
    <>
      <h1>{text.views.problems}</h1>
      <Listed<ContentSummary>
        operation="list_content"
        inputOf={failedInput}
        empty={text.problems.none}
        head={(total) => (
          <>
            <p class="soft">{text.problems.intro}</p>
            {total > 1 && (
              <p>
                <Do class="button quiet" label={text.problems.retryAll(total)} run={retryAll} />
              </p>
            )}
          </>
        )}
        draw={(item) => <Problem key={item.id} item={item} heading="h2" />}
      />
      {waiting.length > 0 && (
        <section class="later">
          <h2>{text.problems.waiting}</h2>
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
      facts={[...factsOf(item), failure !== undefined && failure.attempts > 0 && text.problems.tries(failure.attempts)]}
      does={
        <>
          <Do
            label={text.tryAgain}
            of={name}
            run={{ operation: 'retry_item', input: { id }, done: text.problems.retried }}
          />
          <Out to={url} name={text.named(text.problems.source, name)}>
            {text.problems.source}
          </Out>
          <Do
            label={text.remove}
            of={name}
            run={{ operation: 'delete_content', input: { id }, done: text.items.removed(1) }}
          />
        </>
      }
    >
      <p class="words">{text.problems.words(failure?.message ?? text.library.failed)}</p>
    </Thing>
  );
}
