import type { JSX } from 'preact';
import { nameOf } from '../library/item-facts.ts';
import { Icon } from '../parts/icon.tsx';
import { useWrite } from '../parts/use-write.ts';
import { safeAddress } from '../reading/inline-view.tsx';
import type { ActionItem } from '../records.ts';
import { text } from '../text.ts';
import { Tick } from './tick.tsx';

/** One thing to do, with one press to do it. @param isAtItem it stands with the item that asks for it */
export function ActionRow({ action, isAtItem = false }: { action: ActionItem; isAtItem?: boolean }): JSX.Element {
  const write = useWrite();
  const { id, title, reason, quote, state } = action;
  const why = reason ?? (isAtItem || quote === null || saysTheSame(quote, title) ? null : quote);
  return (
    <li class={`action ${state}`}>
      <Tick id={id} title={title} state={state} />
      <div>
        <p class="title">{title}</p>
        {why !== null && <p class="why">{why}</p>}
        {!isAtItem && <Where action={action} />}
      </div>
      {state === 'open' && (
        <button
          type="button"
          class="plain dismiss"
          aria-label={text.actions.dismiss(title)}
          onClick={() =>
            void write({
              operation: 'update_action',
              input: { id, state: 'dismissed' },
              done: text.actions.dismissedToast,
            })
          }
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

/** Most titles are their sentence, without its full stop. */
function saysTheSame(quote: string, title: string): boolean {
  return quote.length < 1.25 * title.length && quote.toLowerCase().startsWith(title.slice(0, -1).toLowerCase());
}

/** The sentence that it came from: in the text as it was saved, and at its source. */
function Where({ action: { contentId, contentTitle, locator, url } }: { action: ActionItem }): JSX.Element {
  const place = locator?.kind === 'text' ? `#at-${locator.start}` : '';
  const address = url === null ? null : safeAddress(url, null);
  const at =
    locator?.kind === 'time' ? text.clock(locator.seconds) : locator?.kind === 'page' ? text.page(locator.page) : null;
  const title = nameOf(contentTitle, url);
  return (
    <p class="facts">
      <a href={`/app/read/${contentId}${place}`} title={text.todo.where(title)}>
        {title}
      </a>
      {at !== null && address !== null && (
        <>
          {' '}
          <a href={address} target="_blank" rel="noopener noreferrer">
            {at}
            <Icon name="out" />
          </a>
        </>
      )}
    </p>
  );
}
