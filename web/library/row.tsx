import type { JSX } from 'preact';
import { useAddress } from '../address.tsx';
import { ChooseBox, MenuButton } from '../items/item-tools.tsx';
import { Facts } from '../parts/elements.tsx';
import { CardPicture, ItemFacts } from '../parts/pictures.tsx';
import type { ContentSummary, PassedItem } from '../records.ts';
import { useStore } from '../store.ts';
import { text } from '../text.ts';

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
        {item?.readAt === null && (
          <span class="unread" role="img" aria-label={text.items.unread} title={text.items.unread} />
        )}
        <a href={`/app/read/${head.id}`} aria-current={reading === head.id ? 'true' : undefined}>
          {(head.title ?? head.url ?? '') || text.library.untitled}
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
