import type { JSX } from 'preact';

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
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
