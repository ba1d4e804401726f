import type { JSX } from 'preact';
import { itemProps } from '../items/item.ts';
import { factsOf } from '../library/item-facts.ts';
import { Facts, Icon, Pages } from '../parts/elements.tsx';
import { useTell } from '../parts/toast.tsx';
import { useWrite } from '../parts/use-write.ts';
import { safeAddress } from '../reading/inline-view.tsx';
import type { ContentSummary, List } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { failedInput } from '../views.ts';

const waitingInput = { ...failedInput(0), status: 'pending' };

/** What could not be read, why, and what to do about it. */
export function Problems(): JSX.Element {
  const { answer: pending } = useAnswer<List<ContentSummary>>('list_content', waitingInput);
  const waiting = (pending?.items ?? []).filter(({ failure }) => failure !== undefined);
  return (
    <>
      <h1>{text.views.problems}</h1>
      <Pages<ContentSummary>
        operation="list_content"
        inputOf={failedInput}
        empty={text.problems.none}
        head={(total) => (
          <>
            <p class="soft">{text.problems.intro}</p>
            {total > 1 && <RetryAll total={total} />}
          </>
        )}
        draw={(item) => <Problem key={item.id} item={item} />}
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

function RetryAll({ total }: { total: number }): JSX.Element {
  const write = useWrite();
  const tell = useTell();
  const retry = async (): Promise<void> => {
    const answer = await write<{ queued: number }>({ operation: 'retry_all', input: {} });
    if (answer !== null) tell({ message: text.problems.retriedAll(answer.queued) });
  };
  return (
    <p>
      <button type="button" class="button quiet" onClick={() => void retry()}>
        {text.problems.retryAll(total)}
      </button>
    </p>
  );
}

/** @param heading under the title of the view, or of a section */
function Problem({ item, heading: Heading = 'h2' }: { item: ContentSummary; heading?: 'h2' | 'h3' }): JSX.Element {
  const write = useWrite();
  const { id, title, url, failure } = item;
  const name = title ?? url ?? text.library.untitled;
  const address = url === null ? null : safeAddress(url, null);
  const retry = { operation: 'retry_item', input: { id }, done: text.problems.retried };
  const remove = { operation: 'delete_content', input: { id }, done: text.items.removed(1) };
  return (
    <li class="problem-item" {...itemProps(item)}>
      <Heading>
        <a href={`/app/read/${id}`}>{name}</a>
      </Heading>
      <Facts
        of={[...factsOf(item), failure !== undefined && failure.attempts > 0 && text.problems.tries(failure.attempts)]}
      />
      <p class="words">{text.problems.words(failure?.message ?? text.library.failed)}</p>
      <p class="do">
        <button type="button" aria-label={text.problems.retryOf(name)} onClick={() => void write(retry)}>
          {text.problems.retry}
        </button>
        {address !== null && (
          <a href={address} target="_blank" rel="noopener noreferrer" aria-label={text.problems.sourceOf(name)}>
            {text.problems.source}
            <Icon name="out" />
          </a>
        )}
        <button type="button" aria-label={text.problems.removeOf(name)} onClick={() => void write(remove)}>
          {text.problems.remove}
        </button>
      </p>
    </li>
  );
}
