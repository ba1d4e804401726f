import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDraft } from '../kept/use-draft.ts';
import { isTyping } from '../keys/is-typing.ts';
import { Icon } from '../parts/icon.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { Highlight } from '../records.ts';
import { text } from '../text.ts';
import { Colours, HighlightTools } from './highlight-tools.tsx';

const maxQuote = 8_000;

/** Where tools stand, in pixels of the text's box. */
interface Place {
  left: number;
  top: number;
}

interface Selected extends Place {
  quote: string;
}

/** Lets a person highlight what they select, with a colour and a note, and change or remove a highlight where it is. */
export function Marking({
  contentId,
  highlights,
  children,
}: {
  contentId: string;
  highlights: readonly Highlight[];
  children: ComponentChildren;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<Selected | null>(null);
  const [pressed, setPressed] = useState<(Place & { id: string }) | null>(null);
  const name = `highlight of ${contentId}`;
  /** A note about words that are not highlighted yet. */
  const [draft, setDraft, forget] = useDraft<{ quote: string; note: string } | null>(name, null);
  const write = useWrite();
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
    void write({
      operation: 'add_highlight',
      input: { contentId, quote, ...(note.trim() !== '' && { note }), ...(colour !== '' && { colour }) },
      ...(note !== '' && { draft: { name, value: { quote, note } } }),
      done: text.reading.highlighted,
    });
  };
  const remove = (id: string): void => {
    close();
    void write({ operation: 'delete_highlight', input: { id }, done: text.reading.highlightRemoved });
  };
  const open = (mark: Element | null): void => {
    const id = mark?.getAttribute('data-mark') ?? '';
    setPressed(mark === null || box.current === null ? null : { id, ...placeBelow(mark, box.current) });
  };
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
  const current = useRef(press);
  current.current = press;
  useLayoutEffect(() => {
    const look = (): void => {
      if (document.querySelector('.tools :focus') === null) setSelected(selectionIn(box.current));
    };
    const onKey = (event: KeyboardEvent): void => current.current(event);
    document.addEventListener('selectionchange', look);
    // Before the keys of the whole page: there, Delete is about the item.
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('selectionchange', look);
      document.removeEventListener('keydown', onKey, true);
    };
  }, []);
  const highlight = highlights.find(({ id }) => id === pressed?.id);

  return (
    <div
      ref={box}
      class="marking"
      onClick={({ target }) => {
        const at = target as Element;
        if (at.closest('.tools') === null && getSelection()?.isCollapsed !== false)
          open(at.closest('mark.highlight, [role=note] [data-mark]'));
      }}
    >
      {children}
      {draft !== null ? (
        <form
          class="tools low"
          aria-label={text.reading.highlightWithNote}
          onSubmit={(event) => {
            event.preventDefault();
            keep(draft.quote, '', draft.note);
          }}
        >
          <blockquote dir="auto">{draft.quote}</blockquote>
          <textarea
            ref={(field) => field?.focus()}
            rows={3}
            dir="auto"
            maxlength={4_000}
            aria-label={text.reading.notePlaceholder}
            placeholder={text.reading.notePlaceholder}
            value={draft.note}
            onInput={(event) => setDraft({ ...draft, note: event.currentTarget.value })}
          />
          <p>
            <button>{text.goals.keep}</button>
            <button type="button" onClick={forget}>
              {text.reading.giveUp}
            </button>
          </p>
        </form>
      ) : selected !== null ? (
        <div
          class="tools"
          ref={(tools) => moveTo(tools, selected)}
          role="toolbar"
          aria-label={text.reading.highlight}
          // A press must not take the selection away.
          onMouseDown={(event) => event.preventDefault()}
        >
          <button type="button" onClick={() => keep(selected.quote)}>
            <Icon name="pen" />
            {text.reading.highlight}
          </button>
          <Colours onChoose={(colour) => keep(selected.quote, colour)} />
          <button type="button" onClick={() => setDraft({ quote: selected.quote, note: '' })}>
            {text.reading.highlightWithNote}
          </button>
        </div>
      ) : (
        pressed !== null &&
        highlight !== undefined && (
          <HighlightTools
            key={highlight.id}
            highlight={highlight}
            place={(tools) => moveTo(tools, pressed)}
            onRemove={() => remove(highlight.id)}
            onClose={close}
          />
        )
      )}
    </div>
  );
}

function moveTo(tools: HTMLElement | null, { left, top }: Place): void {
  if (tools === null) return;
  tools.style.left = `${left}px`;
  tools.style.top = `${top}px`;
}

function placeBelow(what: { getBoundingClientRect: () => DOMRect }, box: Element): Place {
  const [place, whole] = [what.getBoundingClientRect(), box.getBoundingClientRect()];
  const widest = Math.max(0, whole.width - 320);
  return { left: Math.max(0, Math.min(widest, place.left - whole.left)), top: place.bottom - whole.top + 8 };
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
  return quote === '' || quote.length > maxQuote ? null : { quote, ...placeBelow(range, box) };
}
