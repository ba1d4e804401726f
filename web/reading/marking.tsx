import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { Highlight } from '../records.ts';
import { text } from '../text.ts';

const maxQuote = 8_000;

interface Selected {
  quote: string;
  /** Where the tools stand, in pixels of the text's box. */
  left: number;
  top: number;
}

/** Lets a person highlight what they select, with or without a note, and remove a highlight that they press. */
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
  const [pressed, setPressed] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const write = useWrite();
  /** The paragraph that the keys were pressed in: the focus goes back there. */
  const from = useRef<HTMLElement | null>(null);

  useLayoutEffect(() => {
    const look = (): void => {
      if (document.querySelector('.tools :focus') !== null) return;
      setSelected(selectionIn(box.current));
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, []);

  const close = (): void => {
    setSelected(null);
    setNote(null);
    setPressed(null);
    getSelection()?.removeAllRanges();
    from.current?.focus();
    from.current = null;
  };
  /** Without a mouse: the paragraph that has the focus is marked as a whole, or its mark removed. */
  const press = (event: KeyboardEvent): void => {
    const block = event.target as HTMLElement;
    if (event.key === 'Escape' && block.closest('.tools') !== null) return close();
    if (!block.matches('.block') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'h') {
      getSelection()?.selectAllChildren(block.querySelector(':scope > :not(.time, .margin)') ?? block);
      setSelected(selectionIn(box.current));
    } else if (event.key === 'Delete') setPressed(markOf(block.querySelector('mark.highlight')));
    else return;
    event.preventDefault();
    from.current = block;
    // The tools are drawn in the microtask before this one. Keys that were pressed already come after both.
    queueMicrotask(() => box.current?.querySelector<HTMLElement>('.tools button')?.focus());
  };
  const keep = async (quote: string, words: string): Promise<void> => {
    close();
    await write({
      operation: 'add_highlight',
      input: { contentId, quote, ...(words.trim() !== '' && { note: words }) },
      done: text.reading.highlighted,
    });
  };
  const removed = highlights.find(({ id }) => id === pressed);

  return (
    <div
      ref={box}
      class="marking"
      onClick={(event) => {
        const mark = markOf((event.target as Element).closest('mark.highlight'));
        if ((event.target as Element).closest('.tools') === null)
          setPressed(getSelection()?.isCollapsed === false ? null : mark);
      }}
      onKeyDown={press}
    >
      {children}
      {selected !== null && (
        <div class="tools" ref={(tools) => moveTo(tools, selected)} role="toolbar" aria-label={text.reading.highlight}>
          {note === null ? (
            <>
              <button type="button" onMouseDown={keepSelection} onClick={() => void keep(selected.quote, '')}>
                <Icon name="pen" />
                {text.reading.highlight}
              </button>
              <button type="button" onMouseDown={keepSelection} onClick={() => setNote('')}>
                {text.reading.highlightWithNote}
              </button>
            </>
          ) : (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                void keep(selected.quote, note);
              }}
            >
              <textarea
                ref={(field) => field?.focus()}
                rows={3}
                maxlength={4_000}
                aria-label={text.reading.notePlaceholder}
                placeholder={text.reading.notePlaceholder}
                value={note}
                onInput={(event) => setNote(event.currentTarget.value)}
              />
              <button>{text.reading.saveHighlight}</button>
            </form>
          )}
        </div>
      )}
      {removed !== undefined && selected === null && (
        <div class="tools low" role="toolbar" aria-label={text.reading.highlight}>
          <button
            type="button"
            onClick={() => {
              close();
              void write({
                operation: 'delete_highlight',
                input: { id: removed.id },
                done: text.reading.highlightRemoved,
              });
            }}
          >
            {text.reading.removeHighlight}
          </button>
        </div>
      )}
    </div>
  );
}

function markOf(element: Element | null): string | null {
  return element?.getAttribute('data-mark') ?? null;
}

/** The button must not take the selection away before it is pressed. */
function keepSelection(event: MouseEvent): void {
  event.preventDefault();
}

function moveTo(tools: HTMLElement | null, { left, top }: Selected): void {
  if (tools === null) return;
  tools.style.left = `${left}px`;
  tools.style.top = `${top}px`;
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
  if (quote === '' || quote.length > maxQuote) return null;
  const [place, whole] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
  return { quote, left: Math.max(0, place.left - whole.left), top: place.bottom - whole.top + 8 };
}
