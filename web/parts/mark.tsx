import type { JSX } from 'preact';

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
