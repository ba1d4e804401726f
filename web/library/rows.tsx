import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { itemProps } from '../items/item.ts';
import { useTools, ChooseBox, MenuButton } from '../items/item-tools.tsx';
import { moveFocus } from '../keys/focus-row.ts';
import type { ContentSummary, List, PassedItem, Titles } from '../data/records.ts';
import { useAnswer, useStore } from '../data/store.ts';
import { text } from '../text.ts';
import { listInput, rowsAtOnce, titlesAtOnce } from '../data/questions.ts';
import { useAddress } from '../address.tsx';
import { Facts } from '../parts/elements.tsx';
import { canRetry } from '../items/item-facts.ts';
import { CardPicture, ItemFacts } from '../parts/pictures.tsx';

/** Rows that are drawn before and after those on the screen: when somebody reads, scrolls, and rushes through the list. */
const rowsAround = { reading: 40, scrolling: 20, rushing: 8 };
/** So near to the end of what is drawn, more is drawn. */
const minRowsLeft = 4;
/** Whoever stays near rows for this time is shown all of them; titles do for the others. */
const stayMs = 100;

/** The first and the last of some rows. */
type Span = readonly [first: number, last: number];

/**
 * A list of any length. Only the rows around those on the screen are drawn; rows have one height, so that the rest needs only its
 * length. They stand in a block that sticks to the screen when the scrolling is faster than the drawing: so rows are always seen.
 */
export function Rows({ query, total }: { query: URLSearchParams; total: number }): JSX.Element {
  const reel = useRef<HTMLDivElement>(null);
  const [[first, last], setDrawn] = useState<Span>([0, Math.min(total, rowsAtOnce) - 1]);
  const [asked, setAsked] = useState<Span>([0, 0]);
  const titleAt = useTitles(query, total);
  const size = useRef({ height: 0, columns: 1 });
  const [resized, setResized] = useState(0);

  useLayoutEffect(() => {
    const element = reel.current;
    if (element === null) return undefined;
    const { height, columns } = (size.current = sizeOf(element));
    const [before, rows] = [...element.children] as HTMLElement[];
    element.style.height = `${Math.ceil(total / columns) * height}px`;
    // The first that is drawn begins a row.
    const above = Math.floor(first / columns);
    if (above * columns !== first) return setDrawn([above * columns, last]);
    if (before !== undefined) before.style.height = `${above * height}px`;
    // The block leaves the screen neither above nor below.
    const stick = `${Math.min(0, innerHeight - Math.ceil((last - first + 1) / columns) * height)}px`;
    if (rows !== undefined) rows.style.top = rows.style.bottom = stick;
  }, [total, first, last, resized]);

  useLayoutEffect(() => {
    const element = reel.current;
    if (element === null) return undefined;
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScreen = (): Span => {
      const { height, columns } = size.current;
      const top = -element.getBoundingClientRect().top;
      const [from, to] = [Math.floor(top / height), Math.floor((top + innerHeight) / height)];
      return widened([from * columns, (to + 1) * columns - 1], 0, total);
    };
    const measure = (): void => {
      frame = 0;
      const seen = onScreen();
      setDrawn((drawn) => {
        const needed = widened(seen, minRowsLeft, total);
        if (needed[0] >= drawn[0] && needed[1] <= drawn[1] && drawn[1] < total) return drawn;
        const isNear = seen[0] <= drawn[1] && seen[1] >= drawn[0];
        return widened(seen, isNear ? rowsAround.scrolling : rowsAround.rushing, total);
      });
      timer ??= setTimeout(settle, stayMs, seen);
    };
    /** @param before what was on the screen a moment ago */
    const settle = (before: Span): void => {
      timer = undefined;
      const seen = onScreen();
      const [from, to] = [widened(before, rowsAtOnce / 2, total), widened(seen, rowsAtOnce / 2, total)];
      const stayed: Span = [Math.max(from[0], to[0]), Math.min(from[1], to[1])];
      if (stayed[0] <= stayed[1]) setAsked([partOf(stayed[0]), partOf(stayed[1])]);
      if (seen[0] !== before[0]) timer = setTimeout(settle, stayMs, seen);
      else setDrawn(widened(seen, rowsAround.reading, total));
    };
    const onScroll = (): void => {
      frame ||= requestAnimationFrame(measure);
    };
    const onResize = (): void => {
      setResized((count) => count + 1);
      onScroll();
    };
    measure();
    // The list scrolls with the window, or by itself beside a text.
    document.addEventListener('scroll', onScroll, { passive: true, capture: true });
    addEventListener('resize', onResize);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      document.removeEventListener('scroll', onScroll, { capture: true });
      removeEventListener('resize', onResize);
    };
  }, [total]);

  /** Keys can come faster than frames. So the rows around the focused one are drawn at once, before the next key. */
  const drawAround = (event: FocusEvent): void => {
    const place = Number((event.target as Element).closest('li')?.ariaPosInSet) - 1;
    if (!(place >= 0)) return;
    const needed = widened([place, place], minRowsLeft, total);
    if (needed[0] < first || needed[1] > last) setDrawn(widened([place, place], rowsAround.scrolling, total));
  };

  const parts = Array.from({ length: partOf(last) - partOf(first) + 1 }, (_, index) => partOf(first) + index);
  return (
    <div class="reel" ref={reel}>
      <div />
      <ol class="rows" aria-label="Saved items" onKeyDown={moveFocus} onFocusIn={drawAround}>
        {parts.map((part) => (
          <Part
            key={part}
            query={query}
            part={part}
            first={first}
            last={last}
            total={total}
            isAsked={part >= asked[0] && part <= asked[1]}
            titleAt={titleAt}
          />
        ))}
      </ol>
    </div>
  );
}

/** The same rows with so many more on both sides, within a list of `total` rows. */
function widened([from, to]: Span, more: number, total: number): Span {
  return [Math.max(0, Math.min(total - 1, from - more)), Math.max(0, Math.min(total - 1, to + more))];
}

function partOf(row: number): number {
  return Math.floor(row / rowsAtOnce);
}

/** The height of a row, and how many items stand in one: cards stand side by side. */
function sizeOf(list: Element): { height: number; columns: number } {
  const row = list.querySelector('li');
  const width = row?.getBoundingClientRect().width || 1;
  return {
    height: row?.getBoundingClientRect().height || 1,
    columns: Math.max(1, Math.round(list.getBoundingClientRect().width / width)),
  };
}

interface PartOfList {
  query: URLSearchParams;
  part: number;
  /** The rows that are drawn, of all parts. */
  first: number;
  last: number;
  total: number;
  isAsked: boolean;
  titleAt: (place: number) => PassedItem | undefined;
}

/** Rows that are asked for together. */
function Part({ query, part, first, last, total, isAsked, titleAt }: PartOfList): JSX.Element {
  const { chosen } = useTools();
  const offset = part * rowsAtOnce;
  const { answer } = useAnswer<List<ContentSummary>>('list_library', listInput(query, offset), isAsked);
  const [from, to] = [Math.max(first, offset), Math.min(last, offset + rowsAtOnce - 1)];
  return (
    <>
      {Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
        const place = from + index;
        const item = answer?.items[place - offset];
        return (
          <li
            key={place}
            class={`row ${item !== undefined && chosen.has(item.id) ? 'chosen' : ''}`}
            aria-posinset={place + 1}
            aria-setsize={total}
            {...itemProps(item)}
          >
            <Row item={item} passed={item === undefined ? titleAt(place) : undefined} />
          </li>
        );
      })}
    </>
  );
}

/** The first view, and what it loads, comes first. After a change of the list, what follows it is waited for. */
const waitMs = { first: 300, again: 3_000 };

/**
 * The titles of the whole list, loaded ahead in little, so that no place is empty wherever somebody drags the scroll bar to. A list
 * of few rows needs none, and whoever saves data gets them as they come by.
 * @returns what is known of the item at a place
 */
function useTitles(query: URLSearchParams, total: number): (place: number) => PassedItem | undefined {
  const store = useStore();
  const [, draw] = useState(0);
  const inputs = (place: number): object =>
    listInput(query, Math.floor(place / titlesAtOnce) * titlesAtOnce, titlesAtOnce);
  const answerAt = (place: number): Titles | undefined => store.get<Titles>('list_titles', inputs(place))?.answer;

  useEffect(() => {
    if (total <= 2 * rowsAtOnce || savesData()) return undefined;
    const over = new AbortController();
    const loadAll = async (): Promise<void> => {
      for (let place = 0; place < total && !over.signal.aborted; place += titlesAtOnce) {
        // Another total: items came or went, and places with them.
        if (answerAt(place)?.total === total) continue;
        await store.load('list_titles', inputs(place), true);
        draw((count) => count + 1);
      }
    };
    const timer = setTimeout(() => void loadAll(), answerAt(0) === undefined ? waitMs.first : waitMs.again);
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [store, query, total]);

  return (place) => answerAt(place)?.items[place % titlesAtOnce];
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

interface RowParts {
  item: ContentSummary | undefined;
  /** What is shown until the item itself is there; the elements stay then, and the focus with them. */
  passed: PassedItem | undefined;
}

/** An item in the list; nothing when nothing is known of it yet. */
export function Row({ item, passed }: RowParts): JSX.Element | null {
  const { reading } = useAddress();
  const { choices } = useStore().start;
  const head = item ?? (passed === undefined ? null : { id: passed[0], title: passed[1], url: null });
  if (head === null) return null;
  return (
    <article class={item?.status === 'failed' ? 'failed' : ''}>
      {choices.rows === 'cards' && <CardPicture item={item} />}
      {item !== undefined && <ChooseBox item={item} />}
      <h2 dir="auto">
        {item?.readAt === null && <span class="unread" role="img" aria-label="Unread" title="Unread" />}
        <a href={`/app/read/${head.id}`} aria-current={reading === head.id ? 'true' : undefined}>
          {(head.title ?? head.url ?? '') || 'Untitled'}
        </a>
      </h2>
      {item === undefined ? <Facts of={factsOfPassed(passed)} /> : <ItemFacts item={item} />}
      {item !== undefined && <MenuButton item={item} />}
      {item !== undefined && <Details {...item} />}
    </article>
  );
}

function factsOfPassed(passed: PassedItem | undefined): string[] {
  if (passed === undefined) return [];
  const [, , kind, day] = passed;
  return [...(kind === null ? [] : [text.kinds[kind]]), text.saved(text.day(day))];
}

function Details(item: ContentSummary): JSX.Element {
  const isUnread = item.status === 'failed' || item.progress !== undefined;
  return (
    <>
      {isUnread ? (
        <State of={item} />
      ) : (
        <p class="summary" dir="auto">
          {item.summary}
        </p>
      )}
      <Tags of={item.tags} />
    </>
  );
}

/** Why its text is not there. */
export function State({ of }: { of: ContentSummary }): JSX.Element {
  const { status, progress, failure, url } = of;
  return (
    <p class="summary state">
      {canRetry(of)
        ? text.problems.words(failure?.message ?? 'Could not be read')
        : text.library.progress(status, progress?.stage ?? 'fetch', url)}
    </p>
  );
}

export function Tags({ of }: { of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <p class="tags">
      {of.slice(0, 5).map((tag) => (
        <a class="tag" href={`/?tag=${encodeURIComponent(tag)}`}>
          {tag}
        </a>
      ))}
    </p>
  );
}
