import type { JSX } from 'preact';
import type { CallError } from '../calls.ts';
import { text } from '../text.ts';
import { useState } from 'preact/hooks';
import type { List } from '../records.ts';
import { useAnswer } from '../store.ts';

/** What stands below a title, in a few words each. Nothing without any. */
export function Facts({ of }: { of: readonly (string | JSX.Element | false | null)[] }): JSX.Element | null {
  const facts = of.filter((fact) => fact !== '' && fact !== false && fact !== null);
  if (facts.length === 0) return null;
  return (
    <p class="facts">
      {facts.map((fact) => (
        <span>{fact}</span>
      ))}
    </p>
  );
}

/** Drawn on a grid of 24, with a line of 1.6. */
const paths = {
  shelf: 'M4 20V5h4v15zm4-12h4v12H8zm6.300-2.300 3.500-1 4 14.500-3.500 1z',
  check: 'M4 12.500 9.500 18 20 6.500',
  goal: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  week: 'M4 6h16v14H4zM4 10.500h16M8.500 3.500V7m7-3.500V7',
  add: 'M12 5v14M5 12h14',
  settings:
    'M4 7h9m5 0h2M4 17h2m5 0h9M15.500 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zm-7 10a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  problem: 'M12 4 2.800 20h18.400zM12 10v4.500m0 2.500v.5',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500 21 21',
  close: 'M6 6l12 12M18 6 6 18',
  out: 'M9 5H5v14h14v-4M13 4h7v7M20 4l-9 9',
  pen: 'M4 20l1-4.500L16 4.500 19.500 8 8.500 19z',
  more: 'M5 12h.010M12 12h.010M19 12h.010',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13',
  history: 'M3.500 9A9 9 0 1 1 3 12M3.500 4v5h5M12 7.500V12l3.500 2',
  command:
    'M9 9h6v6H9zM9 9V6.500A2.500 2.500 0 1 0 6.500 9zm6 0V6.500A2.500 2.500 0 1 1 17.500 9zM9 15v2.500A2.500 2.500 0 1 1 6.500 15zm6 0v2.500a2.500 2.500 0 1 0 2.500-2.500z',
  back: 'M14.500 5 7.500 12l7 7',
  source: 'M5 19h.010M5 13a6 6 0 0 1 6 6M5 7.500A11.500 11.500 0 0 1 16.500 19',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.010M4 12h.010M4 18h.010',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** The mark of Commonplace: an open book with a ribbon. It has no name of its own: the name stands beside it. */
export function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path class="leaf" d="M15 8.2C12.4 6.4 8.2 5.8 3.5 6v18.6c4.7-.2 8.9.4 11.5 2.2z" />
      <path class="leaf" d="M17 8.2c2.6-1.8 6.8-2.4 11.5-2.2v18.6c-4.700-.2-8.900.4-11.500 2.200z" />
      <path class="ribbon" d="M21 4.500h4.500v11.500l-2.250-2.200-2.250 2.200z" />
    </svg>
  );
}

/** Stands where an answer will be: that it is on its way, or why it did not come. */
export function Waiting({ error }: { error: CallError | undefined }): JSX.Element {
  if (error === undefined) return <p class="soft">{text.loading}</p>;
  return <p class="problem">{error.message || text.connectionLost}</p>;
}

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

interface SureButtonParts {
  label: string;
  /** The label with what it is about, for whoever hears it. */
  name: string;
  /** What is asked; else whether one is sure. */
  sure?: string;
  onSure: () => void;
}

/** A button for what cannot be taken back: it asks once, and looking elsewhere is a no. */
export function SureButton({ label, name, sure = text.settings.sure, onSure }: SureButtonParts): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      class={`button quiet ${isAsking ? 'asking' : ''}`}
      aria-label={isAsking ? text.settings.sureNamed(sure, name) : name}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking);
        if (isAsking) onSure();
      }}
    >
      {isAsking ? sure : label}
    </button>
  );
}
