import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, useListeners, useMedia } from '../parts/elements.tsx';
import type { ReadItem, Section } from '../data/records.ts';
import { text } from '../text.ts';
import { useStore } from '../data/store.ts';
import { plain, saysMore } from './inline.ts';
import type { Mark } from './source.ts';
import { showPlace } from './places.ts';

/** What stands beside a block: the insights that were drawn from it, the goals that they serve, and one's own notes. */
export function MarginNotes({ marks, item }: { marks: readonly Mark[]; item: ReadItem }): JSX.Element | null {
  const notes = marks.flatMap((mark) => noteOf(mark, item));
  if (notes.length === 0) return null;
  return (
    <div class="margin" role="note">
      {notes.map(({ kind, id, words }) => (
        <p class={kind} dir="auto" data-mark={kind === 'highlight' ? id : undefined}>
          <span class="unseen">{kind === 'insight' ? 'Insight' : 'Your note'}: </span>
          {words}
          {kind === 'highlight' && (
            <button type="button" class="plain" aria-label="Change your note">
              <Icon name="pen" />
            </button>
          )}
        </p>
      ))}
    </div>
  );
}

interface Note {
  kind: 'insight' | 'highlight';
  id: string;
  words: string;
}

function noteOf({ id, kind, note = null }: Mark, { keyInsights }: ReadItem): Note[] {
  if (kind === 'highlight') return note === null ? [] : [{ kind, id, words: note }];
  const insight = keyInsights[Number(id.slice('insight-'.length))];
  // Without a model the insight is the quote itself: it is marked in the text, and need not stand beside it again.
  if (insight === undefined) return [];
  const said = saysMore(insight.text, plain(insight.quote ?? '')) ? [insight.text] : [];
  return [...said, ...(insight.goalReason === undefined ? [] : [insight.goalReason])].map((words) => ({
    kind: 'insight',
    id,
    words,
  }));
}

/** The sections of a long text: at the side, or folded on a narrow screen. */
export function Outline({ sections }: { sections: readonly Section[] }): JSX.Element {
  const isWide = useMedia('(min-width: 100rem)');
  return (
    <details class="outline" open={isWide}>
      <summary>Contents</summary>
      <ol>
        {sections.map(({ title, start, level, seconds, page }) => (
          <li class={`level-${Math.min(level, 4)}`} dir="auto">
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

/** The video itself, where the person allowed players; times in the transcript then play it from there. */
export function Player({ item }: { item: ReadItem }): JSX.Element | null {
  const players = useStore().start.choices.players === 'on';
  const [second, setSecond] = useState<string | null>(null);
  const id = players && item.contentType === 'youtube' ? videoOf(item.canonicalUrl ?? item.url) : null;
  useListeners({
    click(event) {
      const time = (event.target as Element).closest<HTMLElement>('a.time[data-second]');
      if (id === null || time === null || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      setSecond(time.dataset['second'] ?? null);
    },
  });
  if (id === null) return null;
  return (
    <iframe
      class="player"
      title="Player"
      src={`https://www.youtube-nocookie.com/embed/${id}${second === null ? '' : `?start=${second}&autoplay=1`}`}
      sandbox="allow-scripts allow-same-origin allow-presentation"
      allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
      referrerpolicy="strict-origin"
    />
  );
}

function videoOf(url: string | null): string | null {
  const id = URL.parse(url ?? '')?.searchParams.get('v') ?? '';
  return /^[\w-]{6,20}$/.test(id) ? id : null;
}
