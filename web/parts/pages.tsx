import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { List } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { Waiting } from './waiting.tsx';

interface PagesParts<Item> {
  operation: string;
  inputOf: (offset: number) => object;
  draw: (item: Item) => JSX.Element;
  /** Said when there is nothing. */
  empty: string;
  /** What stands above the list. */
  head?: (total: number) => JSX.Element;
}

/** A list of an operation, further pages of which come on demand. */
export function Pages<Item>({ operation, inputOf, draw, empty, head }: PagesParts<Item>): JSX.Element {
  const [pages, setPages] = useState(1);
  const { answer, error } = useAnswer<List<Item>>(operation, inputOf(0));
  if (answer === undefined) return <Waiting error={error} />;
  if (answer.total === 0) return <p class="empty">{empty}</p>;
  return (
    <>
      {head?.(answer.total)}
      <ul class="listed">
        {Array.from({ length: pages }, (_, page) => (
          <Page key={page} operation={operation} input={inputOf(page * answer.limit)} draw={draw} />
        ))}
      </ul>
      {pages * answer.limit < answer.total && (
        <button type="button" class="button quiet" onClick={() => setPages(pages + 1)}>
          {text.todo.nextPage}
        </button>
      )}
    </>
  );
}

interface PageParts<Item> extends Pick<PagesParts<Item>, 'operation' | 'draw'> {
  input: object;
}

function Page<Item>({ operation, input, draw }: PageParts<Item>): JSX.Element {
  const { answer } = useAnswer<List<Item>>(operation, input);
  return <>{answer?.items.map(draw)}</>;
}
