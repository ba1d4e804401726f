import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ContentSummary, List } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { focusRow } from '../keys/focus-row.ts';
import { factsOf } from './item-facts.ts';
import { listInput, rowsAtOnce } from './questions.ts';

/** Parts of the list that are drawn before and after what is on the screen. */
const partsAround = 1;

interface Window {
  first: number;
  last: number;
}

/**
 * A list of any length. Only the parts around what is on the screen are drawn and asked for; rows have one height, so
 * that the rest needs only its length.
 */
export function Rows({ query, total }: { query: URLSearchParams; total: number }): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const [{ first, last }, setWindow] = useState<Window>({ first: 0, last: 0 });
  const parts = Math.ceil(total / rowsAtOnce);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    let isWaiting = false;
    const measure = (): void => {
      isWaiting = false;
      const rowHeight = heightOfRow(element);
      const partHeight = rowHeight * rowsAtOnce;
      element.style.height = `${total * rowHeight}px`;
      const top = -element.getBoundingClientRect().top;
      const next = {
        first: Math.max(0, Math.min(parts - 1, Math.floor(top / partHeight) - partsAround)),
        last: Math.max(0, Math.min(parts - 1, Math.floor((top + innerHeight) / partHeight) + partsAround)),
      };
      element.style.paddingTop = `${next.first * partHeight}px`;
      setWindow((now) => (now.first === next.first && now.last === next.last ? now : next));
    };
    const onScroll = (): void => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(measure);
    };
    measure();
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('resize', onScroll);
    return () => {
      removeEventListener('scroll', onScroll);
      removeEventListener('resize', onScroll);
    };
  }, [total, parts]);

  return (
    <>
      <p class="total soft" aria-live="polite">
        {text.library.items(total)}
      </p>
      <ol class="rows" ref={list} aria-label={text.library.list} onKeyDown={moveFocus}>
        {Array.from({ length: last - first + 1 }, (_, index) => (
          <Part key={first + index} query={query} part={first + index} total={total} />
        ))}
      </ol>
    </>
  );
}

function heightOfRow(list: Element): number {
  return list.querySelector('li')?.getBoundingClientRect().height || 1;
}

/** The arrow keys go from row to row. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || (event.target as Element).closest('li') === null) return;
  event.preventDefault();
  focusRow(step === 1 ? 1 : -1);
}

function Part({ query, part, total }: { query: URLSearchParams; part: number; total: number }): JSX.Element {
  const offset = part * rowsAtOnce;
  const { answer } = useAnswer<List<ContentSummary>>('list_library', listInput(query, offset));
  const rows = Math.min(rowsAtOnce, total - offset);
  return (
    <>
      {Array.from({ length: rows }, (_, index) => {
        const item = answer?.items[index];
        const place = { 'aria-posinset': offset + index + 1, 'aria-setsize': total };
        return (
          <li key={offset + index} class="row" {...place}>
            {item !== undefined && <Row item={item} />}
          </li>
        );
      })}
    </>
  );
}

function Row({ item }: { item: ContentSummary }): JSX.Element {
  const { id, title, url, summary, tags, progress, failure, status } = item;
  const isFailed = status === 'failed';
  return (
    <article class={isFailed ? 'failed' : ''}>
      <h2>
        <a href={`/app/read/${id}`}>{title ?? url ?? text.library.untitled}</a>
      </h2>
      <p class="facts">
        {factsOf(item).map((fact) => (
          <span>{fact}</span>
        ))}
      </p>
      {isFailed ? (
        <p class="summary state">{failure?.message ?? text.library.failed}</p>
      ) : progress !== undefined ? (
        <p class="summary state">{text.library.stages[progress.stage]}…</p>
      ) : (
        <p class="summary">{summary}</p>
      )}
      {tags.length > 0 && (
        <p class="tags">
          {tags.slice(0, 5).map((tag) => (
            <a class="tag" href={`/?tag=${encodeURIComponent(tag)}`}>
              {tag}
            </a>
          ))}
        </p>
      )}
    </article>
  );
}
