import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState, useCallback } from 'preact/hooks';
import type { List } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { Do } from './writing.tsx';
import { type Fact, Facts, Waiting } from './elements.tsx';

interface ThingParts {
  title: ComponentChildren;
  heading?: 'h2' | 'h3';
  facts?: readonly Fact[];
  /** What can be done with it: buttons and links. */
  does?: ComponentChildren;
  class?: string;
  /** Makes it the place of an item (`itemProps`). */
  place?: object;
  /** What stands between its facts and what can be done. */
  children?: ComponentChildren;
}

/** One of the things that a view lists. */
export function Thing(parts: ThingParts): JSX.Element {
  const { title, heading: Heading = 'h3', facts = [], does, class: look = '', place, children } = parts;
  return (
    <li class={`thing ${look}`} {...place}>
      <Heading dir="auto">{title}</Heading>
      <Facts of={facts} />
      {children}
      {does && <p class="do">{does}</p>}
    </li>
  );
}

interface ListedParts<Item> extends Pick<PagesParts<Item>, 'operation' | 'inputOf' | 'draw'> {
  /** Said when there is nothing. */
  empty?: string;
  /** What stands above the list. */
  head?: (total: number) => JSX.Element;
}

/** The list of an operation, whose things are drawn by `Thing`. */
export function Listed<Item>({ empty, head, ...parts }: ListedParts<Item>): JSX.Element | null {
  const { answer, error } = useAnswer<List<Item>>(parts.operation, parts.inputOf(0));
  const list = useKeptFocus('.thing button', '.thing');
  if (answer === undefined) return <Waiting error={error} />;
  if (answer.items.length === 0) return empty === undefined ? null : <p class="empty">{empty}</p>;
  return (
    <>
      {head?.(answer.total)}
      <ul class="listed" ref={list}>
        <Pages {...parts} limit={answer.limit} total={answer.total} />
      </ul>
    </>
  );
}

interface PagesParts<Item> {
  operation: string;
  inputOf: (offset: number) => object;
  /** @param before the item before it in the whole list */
  draw: (item: Item, place: number, before: Item | undefined) => JSX.Element;
  /** Items of a page, and of all. */
  limit: number;
  total: number;
  /** Pages that were shown before. */
  first?: number;
  /** Told how many pages are shown. */
  onPages?: (pages: number) => void;
}

/** Rows of a list. The next page is asked for when the end of the one before comes near. */
export function Pages<Item>({ inputOf, limit, total, first = 1, onPages, ...parts }: PagesParts<Item>): JSX.Element {
  const [pages, setPages] = useState(first);
  useEffect(() => onPages?.(pages));
  return (
    <>
      {Array.from({ length: pages }, (_, page) => (
        <Page
          key={page}
          {...parts}
          input={inputOf(page * limit)}
          before={page === 0 ? undefined : inputOf((page - 1) * limit)}
          onEnd={pages * limit < total && page + 1 === pages ? () => setPages(pages + 1) : undefined}
        />
      ))}
    </>
  );
}

interface PageParts<Item> extends Pick<PagesParts<Item>, 'operation' | 'draw'> {
  input: object;
  /** The input of the page before; undefined for the first one. */
  before: object | undefined;
  /** The page is the last so far, and there are more. */
  onEnd: (() => void) | undefined;
}

function Page<Item>({ operation, input, before, draw, onEnd }: PageParts<Item>): JSX.Element {
  const store = useStore();
  const { answer, error } = useAnswer<Pick<List<Item>, 'items'>>(operation, input);
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (end.current === null || answer === undefined) return undefined;
    const watch = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && onEnd?.(), {
      rootMargin: '100%',
    });
    watch.observe(end.current);
    return () => watch.disconnect();
  });
  if (answer === undefined && error !== undefined)
    return (
      <li>
        <Waiting error={error} />
        <Do class="button quiet" label="Try again" run={() => store.load(operation, input)} />
      </li>
    );
  const lastBefore = before && store.get<List<Item>>(operation, before)?.answer?.items.at(-1);
  return (
    <>
      {answer?.items.map((item, index, { [index - 1]: last = lastBefore }) => draw(item, index, last))}
      {onEnd !== undefined && <li aria-hidden="true" ref={end} />}
    </>
  );
}

/**
 * When the row that has the focus goes away, the focus goes to the row that takes its place. Else whoever uses the keyboard would
 * begin again at the top.
 * @param targets selects in each row what takes the focus
 * @returns the ref of the list
 */
export function useKeptFocus(targets: string, rows: string): (list: HTMLElement | null) => void {
  const end = useRef<() => void>(undefined);
  return useCallback(
    (list) => {
      end.current?.();
      end.current = undefined;
      if (list === null) return;
      let place = -1;
      const all = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(targets)];
      const remember = (): void => {
        const row = document.activeElement?.closest(rows) ?? null;
        place = row === null ? -1 : all().findIndex((one) => row.contains(one));
      };
      // A press of the mouse or the focus elsewhere leaves the list for good.
      const forget = ({ target }: Event): void => {
        if ((target as Element).closest('.floating, .toasts, .bulk') === null) place = -1;
      };
      const changed = new MutationObserver(() => {
        if (place === -1 || document.activeElement !== document.body) return;
        const left = all();
        left[Math.min(place, left.length - 1)]?.focus();
      });
      changed.observe(list, { childList: true, subtree: true });
      const over = new AbortController();
      const { signal } = over;
      list.addEventListener('focusin', remember, { signal });
      for (const left of ['pointerdown', 'focusin']) document.addEventListener(left, forget, { signal, capture: true });
      end.current = () => {
        changed.disconnect();
        over.abort();
      };
    },
    [targets, rows],
  );
}
