import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Floating, type Spot } from '../items/floating.tsx';
import { spotOf } from '../items/item-tools.tsx';
import { useDraft, Form } from '../parts/form.tsx';
import { isTyping } from '../keys/focus-row.ts';
import { Do, useWrite } from '../parts/writing.tsx';
import { Icon, useListeners } from '../parts/elements.tsx';
import type { Highlight } from '../data/records.ts';
import { useStore } from '../data/store.ts';

const colourNames = { yellow: 'Yellow', green: 'Green', blue: 'Blue', pink: 'Pink' };

const maxQuote = 8_000;

interface MarkingParts {
  contentId: string;
  highlights: readonly Highlight[];
  children: ComponentChildren;
}

/** Words that are selected, and where they stand on the screen. */
interface Selected {
  quote: string;
  at: Spot;
}

/** Lets a person highlight what they select, with a colour and a note, and change or remove a highlight where it is. */
export function Marking({ contentId, highlights, children }: MarkingParts): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<Selected | null>(null);
  const [pressed, setPressed] = useState<{ id: string; at: Spot } | null>(null);
  const name = `highlight of ${contentId}`;
  /** A note about words that are not highlighted yet. */
  const [draft, setDraft, forget] = useDraft<{ quote: string; note: string } | null>(name, null);
  const write = useWrite();
  const { outbox } = useStore();
  /** The paragraph that the keys were pressed in: the focus goes back there. */
  const from = useRef<HTMLElement | null>(null);

  const close = (): void => {
    setSelected(null);
    setPressed(null);
    getSelection()?.removeAllRanges();
    from.current?.focus();
    from.current = null;
  };
  const keep = (quote: string, colour = '', note = ''): void => {
    close();
    forget();
    const input = { contentId, quote, ...(note.trim() !== '' && { note }), ...(colour !== '' && { colour }) };
    void write('add_highlight', input, 'Highlighted.', note === '' ? undefined : { name, value: { quote, note } });
  };
  const remove = (id: string): void => {
    close();
    void write('delete_highlight', { id }, 'Highlight removed.');
  };
  const open = (mark: Element | null): void =>
    setPressed(mark === null ? null : { id: mark.getAttribute('data-mark') ?? '', at: spotOf(mark) });
  /** Without a mouse: what is selected, or the paragraph that has the focus. */
  const press = (event: KeyboardEvent): void => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return;
    const block = (target as Element).closest<HTMLElement>('.block');
    const mark = block?.querySelector('mark.highlight') ?? null;
    if (key === 'h' && selected !== null) keep(selected.quote);
    else if (block === null || !block.matches(':focus')) return;
    else if (key === 'h' && mark !== null) {
      from.current = block;
      open(mark);
    } else if (key === 'h') {
      getSelection()?.selectAllChildren(block.querySelector(':scope > :not(.time, .margin)') ?? block);
      const whole = selectionIn(box.current);
      if (whole !== null) keep(whole.quote);
    } else if (key === 'Delete') {
      if (mark !== null) remove(mark.getAttribute('data-mark') ?? '');
    } else return;
    event.preventDefault();
  };
  // Before the keys of the whole page: there, Delete is about the item.
  useListeners({ keydown: press, selectionchange: () => setSelected(selectionIn(box.current)) }, true);
  const highlight = pressed && highlights.find(({ id }) => id === outbox.idOf(pressed.id));

  return (
    <div
      ref={box}
      class="marking"
      onClick={({ target }) => {
        const at = target as Element;
        if (at.closest('.tools, .floating') === null && getSelection()?.isCollapsed !== false)
          open(at.closest('mark.highlight, [role=note] [data-mark]'));
      }}
    >
      {children}
      {draft !== null ? (
        <Noting
          draft={draft}
          at={selected?.at ?? { left: innerWidth / 2, top: innerHeight, bottom: innerHeight }}
          onType={(note) => setDraft({ ...draft, note })}
          onKeep={() => (draft.note.trim() === '' ? forget() : keep(draft.quote, '', draft.note))}
          onGiveUp={forget}
        />
      ) : selected !== null ? (
        <div
          class="tools"
          ref={(tools) => placeBelow(tools, selected.at, box.current)}
          role="toolbar"
          aria-label="Highlight"
          // A press must not take the selection away.
          onMouseDown={(event) => event.preventDefault()}
        >
          <Do label="Highlight" run={() => keep(selected.quote)}>
            <Icon name="pen" />
            Highlight
          </Do>
          <Colours onChoose={(colour) => keep(selected.quote, colour)} />
          <Do label="Highlight with a note" run={() => setDraft({ quote: selected.quote, note: '' })} />
        </div>
      ) : (
        pressed &&
        highlight && (
          <Floating key={pressed.id} at={pressed.at} panel="Highlight" label={highlight.quote} onClose={close}>
            {/* Under the id that it had when it was opened, also once the server has given it another: what is typed stays. */}
            <HighlightForm
              highlight={{ ...highlight, id: pressed.id }}
              onRemove={() => remove(pressed.id)}
              onClose={close}
            />
          </Floating>
        )
      )}
    </div>
  );
}

interface NotingParts {
  draft: { quote: string; note: string };
  at: Spot;
  onType: (note: string) => void;
  onKeep: () => void;
  onGiveUp: () => void;
}

/** Takes a note about words that are highlighted with it. */
function Noting({ draft: { quote, note }, at, onType, onKeep, onGiveUp }: NotingParts): JSX.Element {
  // The words are not selected any more once the note is begun.
  const [place] = useState(at);
  return (
    <Floating at={place} panel="Highlight with a note" label={quote} onClose={onKeep}>
      <form
        onSubmit={(event) => (event.preventDefault(), onKeep())}
        onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onKeep()}
      >
        <NoteField
          label="Your words about it"
          value={note}
          onInput={({ currentTarget }) => onType(currentTarget.value)}
        />
        <p class="buttons">
          <button class="button">Keep</button>
          <Do class="button quiet" label="Cancel" run={onGiveUp} />
        </p>
      </form>
    </Floating>
  );
}

interface HighlightParts {
  highlight: Highlight;
  onRemove: () => void;
  onClose: () => void;
}

/** What can be done with a highlight. Its note is kept however this is closed. */
function HighlightForm({ highlight: { id, note, colour }, onRemove, onClose }: HighlightParts): JSX.Element {
  const write = useWrite();
  const paint = (next: string): unknown => write('update_highlight', { id, colour: next }, 'Colour changed.');
  return (
    <Form
      name={`note of ${id}`}
      first={{ note: note ?? '' }}
      fields={(bind) => <NoteField label="Your note" {...bind('note')} />}
      more={(giveUp) => (
        <>
          <Colours now={colour ?? colours[0] ?? ''} onChoose={paint} />
          <Do
            class="button quiet"
            label="Remove the highlight"
            run={() => {
              giveUp();
              onRemove();
            }}
          />
        </>
      )}
      send={({ note: next }) =>
        next.trim() === (note ?? '').trim() ? undefined : ['update_highlight', { id, note: next.trim() }, 'Note kept.']
      }
      onDone={onClose}
      isKeptOnClose
    />
  );
}

interface NoteFieldParts {
  label: string;
  value: string;
  onInput: (event: { currentTarget: { value: string } }) => void;
}

function NoteField({ label, ...field }: NoteFieldParts): JSX.Element {
  return (
    <div class="field">
      <textarea rows={3} dir="auto" maxlength={4_000} aria-label={label} placeholder="Your words about it" {...field} />
    </div>
  );
}

/** The first one is that of highlights without a colour. */
const colours = Object.keys(colourNames) as (keyof typeof colourNames)[];

/** @param now the colour that is shown; absent: none is */
function Colours({ now, onChoose }: { now?: string; onChoose: (colour: string) => unknown }): JSX.Element {
  return (
    <span class="colours">
      {colours.map((colour) => (
        <button
          type="button"
          class="swatch"
          data-colour={colour}
          aria-label={`Highlight in ${colourNames[colour].toLowerCase()}`}
          {...(now !== undefined && { 'aria-pressed': colour === now })}
          onClick={() => onChoose(colour)}
        />
      ))}
    </span>
  );
}

function placeBelow(tools: HTMLElement | null, { left, bottom }: Spot, box: HTMLElement | null): void {
  const whole = box?.getBoundingClientRect();
  if (tools === null || whole === undefined) return;
  const widest = Math.max(0, whole.width - tools.offsetWidth);
  tools.style.left = `${Math.max(0, Math.min(widest, left - whole.left))}px`;
  tools.style.top = `${bottom - whole.top + 8}px`;
}

function selectionIn(box: HTMLElement | null): Selected | null {
  const selection = getSelection();
  if (box === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const words = box.querySelector('.text');
  if (words === null || !words.contains(range.commonAncestorContainer)) return null;
  // What stands beside the text is not in it.
  const isBeside = (node: Node): boolean =>
    ((node instanceof Element ? node : node.parentElement)?.closest('.margin') ?? null) !== null;
  if (isBeside(range.startContainer) || isBeside(range.endContainer)) return null;
  const quote = selection.toString().trim();
  return quote === '' || quote.length > maxQuote ? null : { quote, at: range.getBoundingClientRect() };
}
