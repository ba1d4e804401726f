import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import { ChooseBox, MenuButton } from '../items/item-tools.tsx';
import { Facts } from '../parts/elements.tsx';
import type { ContentSummary, PassedItem } from '../records.ts';
import { text } from '../text.ts';
import { factsOf } from './item-facts.ts';

interface RowParts {
  item: ContentSummary | undefined;
  /** What is shown until the item itself is there; the elements stay then, and the focus with them. */
  passed: PassedItem | undefined;
}

/** An item in the list; nothing when nothing is known of it yet. */
export function Row({ item, passed }: RowParts): JSX.Element | null {
  const { reading } = useAddress();
  const head = item === undefined ? passedHead(passed) : headOf(item);
  if (head === null) return null;
  return (
    <article class={item?.status === 'failed' ? 'failed' : ''}>
      {item !== undefined && <ChooseBox item={item} />}
      <h2 dir="auto">
        <a href={`/app/read/${head.id}`} aria-current={reading === head.id ? 'true' : undefined}>
          {head.title === '' ? text.library.untitled : head.title}
        </a>
      </h2>
      <Facts of={head.facts} />
      {item !== undefined && <MenuButton item={item} />}
      {item !== undefined && <Details {...item} />}
    </article>
  );
}

interface Head {
  id: string;
  title: string;
  facts: readonly string[];
}

function headOf(item: ContentSummary): Head {
  return { id: item.id, title: item.title ?? item.url ?? '', facts: factsOf(item) };
}

function passedHead(passed: PassedItem | undefined): Head | null {
  if (passed === undefined) return null;
  const [id, title, kind, day] = passed;
  return { id, title, facts: [...(kind === null ? [] : [text.kinds[kind]]), text.saved(text.day(day))] };
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
export function State({ of: { status, progress, failure, url } }: { of: ContentSummary }): JSX.Element {
  return (
    <p class="summary state">
      {status === 'failed'
        ? text.problems.words(failure?.message ?? text.library.failed)
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
