import type { JSX } from 'preact';
import { saysMore } from '../actions/says-more.ts';
import { Icon } from '../parts/icon.tsx';
import type { Highlight, ReadItem } from '../records.ts';
import { text } from '../text.ts';
import { plain } from './inline.ts';
import type { Mark } from './marks.ts';

/** What stands beside a block: the insights that were drawn from it, the goals that they serve, and one's own notes. */
export function MarginNotes({
  marks,
  item,
  highlights,
}: {
  marks: readonly Mark[];
  item: ReadItem;
  highlights: readonly Highlight[];
}): JSX.Element | null {
  const notes = marks.flatMap((mark) => noteOf(mark, item, highlights));
  if (notes.length === 0) return null;
  return (
    <div class="margin" role="note">
      {notes.map(({ kind, id, words }) => (
        <p class={kind} dir="auto" data-mark={kind === 'highlight' ? id : undefined}>
          <span class="unseen">{kind === 'insight' ? text.reading.insight : text.reading.note}: </span>
          {words}
          {kind === 'highlight' && (
            <button type="button" class="plain" aria-label={text.reading.changeNote}>
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

function noteOf({ id, kind }: Mark, { keyInsights }: ReadItem, highlights: readonly Highlight[]): Note[] {
  if (kind === 'highlight') {
    const note = highlights.find((highlight) => highlight.id === id)?.note ?? null;
    return note === null ? [] : [{ kind, id, words: note }];
  }
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
