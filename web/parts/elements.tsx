import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallError } from '../data/calls.ts';
import { safeAddress } from '../reading/inline-view.tsx';
import { text } from '../text.ts';

export type Fact = string | JSX.Element | false | null | undefined;

/** What stands below a title, in a few words each. Nothing without any. */
export function Facts({ of }: { of: readonly Fact[] }): JSX.Element | null {
  const facts = of.filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <p class="facts">
      {facts.map((fact) => (
        <span>{fact}</span>
      ))}
    </p>
  );
}

const tick = 'M4 12.5 9.5 18 20 6.5';

/** Drawn on a grid of 24, with a line of 1.6. Those of views have their names. */
const paths = {
  library: 'M4 20V5h4v15zm4-12h4v12H8zm6.3-2.3 3.5-1 4 14.5-3.5 1z',
  actions: tick,
  tick,
  goals: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  week: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V7m7-3.5V7',
  save: 'M12 5v14M5 12h14',
  settings:
    'M4 7h9m5 0h2M4 17h2m5 0h9M15.5 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zm-7 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  problems: 'M12 4 2.8 20h18.4zM12 10v4.5m0 2.5v.5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 21 21',
  close: 'M6 6l12 12M18 6 6 18',
  out: 'M9 5H5v14h14v-4M13 4h7v7M20 4l-9 9',
  pen: 'M4 20l1-4.5L16 4.5 19.5 8 8.5 19z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13',
  history: 'M3.5 9A9 9 0 1 1 3 12M3.5 4v5h5M12 7.5V12l3.5 2',
  command:
    'M9 9h6v6H9zM9 9V6.5A2.5 2.5 0 1 0 6.5 9zm6 0V6.5A2.5 2.5 0 1 1 17.5 9zM9 15v2.5A2.5 2.5 0 1 1 6.5 15zm6 0v2.5a2.5 2.5 0 1 0 2.5-2.5z',
  sources: 'M5 19h.01M5 13a6 6 0 0 1 6 6M5 7.5A11.5 11.5 0 0 1 16.5 19',
  lists: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
} as const;

export function Icon({ name }: { name: keyof typeof paths }): JSX.Element {
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
      <path class="leaf" d="M17 8.2c2.6-1.8 6.8-2.4 11.5-2.2v18.6c-4.7-.2-8.9.4-11.5 2.2z" />
      <path class="ribbon" d="M21 4.5h4.5v11.5l-2.25-2.2-2.25 2.2z" />
    </svg>
  );
}

interface OutParts {
  to: string | null | undefined;
  /** What it is called for whoever hears it, where its words alone do not tell. */
  name?: string;
  children: ComponentChildren;
}

/** A link to another site. Nothing without an address, or with one that a link may not have. */
export function Out({ to, name, children }: OutParts): JSX.Element | null {
  const address = safeAddress(to ?? '', null);
  if (address === null) return null;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" aria-label={name}>
      {children}
      <Icon name="out" />
    </a>
  );
}

/** Stands where an answer will be: that it is on its way, or why it did not come. */
export function Waiting({ error }: { error: CallError | undefined }): JSX.Element {
  if (error === undefined) return <p class="soft">Loading…</p>;
  return <p class="problem">{error.message || text.connectionLost}</p>;
}

/** A tag that was chosen; a press takes it away. */
export function ChosenTag({ tag, onRemove }: { tag: string; onRemove: () => void }): JSX.Element {
  return (
    <button type="button" class="tag chosen" aria-label={`Remove the tag ${tag}`} onClick={onRemove}>
      {tag}
      <Icon name="close" />
    </button>
  );
}

type Handlers = { [Name in keyof WindowEventMap]?: (event: WindowEventMap[Name]) => void };

/** Hears events anywhere on the page while the component is there. The handlers of its latest drawing are called. */
export function useListeners(handlers: Handlers, capture = false): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useLayoutEffect(() => {
    const over = new AbortController();
    const hear = (event: Event): void => latest.current[event.type as keyof Handlers]?.(event as never);
    for (const name of Object.keys(handlers)) addEventListener(name, hear, { signal: over.signal, capture });
    return () => over.abort();
  }, []);
}

/** Whether a media query is true; false in the first drawing, which the server makes as well. */
export function useMedia(query: string): boolean {
  const [isTrue, setTrue] = useState(false);
  useLayoutEffect(() => {
    const media = matchMedia(query);
    const look = (): void => setTrue(media.matches);
    look();
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [query]);
  return isTrue;
}
