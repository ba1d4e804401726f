import type { JSX } from 'preact';
import { useMedia } from '../parts/use-media.ts';
import type { Section } from '../records.ts';
import { text } from '../text.ts';
import { showPlace } from './places.ts';

/** The sections of a long text: at the side, or folded on a narrow screen. */
export function Outline({ sections }: { sections: readonly Section[] }): JSX.Element {
  const isWide = useMedia('(min-width: 100rem)');
  return (
    <details class="outline" open={isWide}>
      <summary>{text.reading.outline}</summary>
      <ol>
        {sections.map(({ title, start, level, seconds, page }) => (
          <li class={`level-${Math.min(level, 4)}`}>
            <a
              href={`#at-${start}`}
              onClick={(event) => {
                event.preventDefault();
                showPlace(start);
              }}
            >
              {title || '…'}
            </a>
            {seconds !== undefined && <span class="soft"> {text.clock(seconds)}</span>}
            {page !== undefined && <span class="soft"> {text.page(page)}</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
