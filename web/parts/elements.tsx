import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
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

const tick = 'M4 12.500 9.500 18 20 6.500';

/** Drawn on a grid of 24, with a line of 1.6. Those of views have their names. */
const paths = {
  library: 'M4 20V5h4v15zm4-12h4v12H8zm6.300-2.300 3.500-1 4 14.500-3.500 1z',
  actions: tick,
  tick,
  goals: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  week: 'M4 6h16v14H4zM4 10.500h16M8.500 3.500V7m7-3.500V7',
  save: 'M12 5v14M5 12h14',
  settings:
    'M4 7h9m5 0h2M4 17h2m5 0h9M15.500 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zm-7 10a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  problems: 'M12 4 2.800 20h18.400zM12 10v4.500m0 2.500v.5',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500 21 21',
  close: 'M6 6l12 12M18 6 6 18',
  out: 'M9 5H5v14h14v-4M13 4h7v7M20 4l-9 9',
  pen: 'M4 20l1-4.500L16 4.500 19.500 8 8.500 19z',
  more: 'M5 12h.010M12 12h.010M19 12h.010',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13',
  history: 'M3.500 9A9 9 0 1 1 3 12M3.500 4v5h5M12 7.500V12l3.500 2',
  command:
    'M9 9h6v6H9zM9 9V6.500A2.500 2.500 0 1 0 6.500 9zm6 0V6.500A2.500 2.500 0 1 1 17.500 9zM9 15v2.500A2.500 2.500 0 1 1 6.500 15zm6 0v2.500a2.500 2.500 0 1 0 2.500-2.500z',
  sources: 'M5 19h.010M5 13a6 6 0 0 1 6 6M5 7.500A11.500 11.500 0 0 1 16.500 19',
  lists: 'M9 6h11M9 12h11M9 18h11M4 6h.010M4 12h.010M4 18h.010',
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
      <path class="leaf" d="M17 8.2c2.6-1.8 6.8-2.4 11.5-2.2v18.6c-4.700-.2-8.900.4-11.500 2.200z" />
      <path class="ribbon" d="M21 4.500h4.500v11.500l-2.250-2.200-2.250 2.200z" />
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
  if (error === undefined) return <p class="soft">{text.loading}</p>;
  return <p class="problem">{error.message || text.connectionLost}</p>;
}

/** A tag that was chosen; a press takes it away. */
export function ChosenTag({ tag, onRemove }: { tag: string; onRemove: () => void }): JSX.Element {
  return (
    <button type="button" class="tag chosen" aria-label={text.library.removeTag(tag)} onClick={onRemove}>
      {tag}
      <Icon name="close" />
    </button>
  );
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
