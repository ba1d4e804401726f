import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useClosing } from '../kept/use-draft.ts';
import { useWrite } from '../parts/use-write.ts';
import type { Highlight } from '../records.ts';
import { text } from '../text.ts';

/** The first one is that of highlights without a colour. */
const colours = Object.keys(text.reading.colours) as (keyof typeof text.reading.colours)[];

interface ColoursParts {
  /** The colour that is shown; absent: none is. */
  now?: string;
  onChoose: (colour: string) => void;
}

export function Colours({ now, onChoose }: ColoursParts): JSX.Element {
  return (
    <span class="colours">
      {colours.map((colour) => (
        <button
          type="button"
          class="swatch"
          data-colour={colour}
          aria-label={text.reading.highlightIn(text.reading.colours[colour])}
          {...(now !== undefined && { 'aria-pressed': colour === now })}
          onClick={() => onChoose(colour)}
        />
      ))}
    </span>
  );
}

interface HighlightParts {
  highlight: Highlight;
  place: (tools: HTMLElement | null) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** What can be done with a highlight, beside it. Its note is kept however the tools are closed. */
export function HighlightTools({ highlight, place, onRemove, onClose }: HighlightParts): JSX.Element {
  const { id, note, colour } = highlight;
  const write = useWrite();
  const box = useRef<HTMLFormElement>(null);
  const isRemoved = useRef(false);
  const before = note ?? '';
  const [words, setWords] = useClosing(`highlight ${id}`, before, (next) =>
    isRemoved.current || next.trim() === before.trim()
      ? undefined
      : { operation: 'update_highlight', input: { id, note: next.trim() }, done: text.reading.noteKept },
  );
  useEffect(() => {
    const tools = box.current;
    place(tools);
    tools?.querySelector('textarea')?.focus({ preventScroll: true });
  }, []);
  return (
    <form
      ref={box}
      class="tools"
      aria-label={text.reading.highlight}
      onSubmit={(event) => (event.preventDefault(), onClose())}
      onKeyDown={(event) => {
        const isKept = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
        if (event.key !== 'Escape' && !isKept) return;
        event.preventDefault();
        onClose();
      }}
    >
      <textarea
        rows={3}
        dir="auto"
        maxlength={4_000}
        aria-label={text.reading.note}
        placeholder={text.reading.notePlaceholder}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <p>
        <button>{text.goals.keep}</button>
        <Colours
          now={colour ?? colours[0] ?? ''}
          onChoose={(next) =>
            void write({ operation: 'update_highlight', input: { id, colour: next }, done: text.reading.coloured })
          }
        />
        <button
          type="button"
          onClick={() => {
            isRemoved.current = true;
            onRemove();
          }}
        >
          {text.reading.removeHighlight}
        </button>
      </p>
    </form>
  );
}
