import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nameOf } from './item-facts.ts';
import { Do, type Write } from '../parts/writing.tsx';
import { Facts, Icon, Out } from '../parts/elements.tsx';
import { plain, saysMore } from '../reading/inline.ts';
import type { ActionItem, ActionOrder, GoalsOverview } from '../data/records.ts';
import { isWaiting } from '../kept/laid-over.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';
import { ActionForm } from './action-form.tsx';

interface ActionRowParts {
  action: ActionItem;
  /** What the rows around it have in common, and need not say. */
  by: ActionOrder;
}

/** One thing to do, with one press to do it. */
export function ActionRow({ action, by }: ActionRowParts): JSX.Element {
  const [isEdited, setEdited] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const wasEdited = useRef(false);
  useLayoutEffect(() => {
    if (wasEdited.current && !isEdited) row.current?.querySelector<HTMLElement>('.edit')?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  const { id, title, reason, state } = action;
  if (isEdited)
    return (
      <li class="action">
        <ActionForm action={action} onDone={() => setEdited(false)} />
      </li>
    );
  const dismiss: Write = ['update_action', { id, state: 'dismissed' }, 'Dismissed.'];
  const quote = by === 'item' ? '' : plain(action.quote ?? '');
  const why = reason ?? (saysMore(quote, title) ? quote : null);
  return (
    <li class={`action ${state}`} ref={row} id={id}>
      <Tick action={action} state={state} />
      <div dir="auto">
        <p class="title">{title}</p>
        {why !== null && <p class="why">{why}</p>}
        {action.quoteGone === true && <p class="why">The text no longer says this.</p>}
        <Where action={action} by={by} />
      </div>
      {state === 'open' && (
        <>
          <Do class="plain edit" label="Edit" of={title} run={() => setEdited(true)}>
            <Icon name="pen" />
          </Do>
          <Do class="plain dismiss" label="Dismiss" of={title} run={dismiss}>
            <Icon name="close" />
          </Do>
        </>
      )}
    </li>
  );
}

/** Its days, its priority, its goal, and the sentence that it came from: in the text as it was saved, and at its source. */
function Where({ action, by }: ActionRowParts): JSX.Element {
  const { contentId, contentTitle, goalId, due, priority, snoozedUntil, locator, url } = action;
  const { answer: overview } = useAnswer<GoalsOverview>('goals_overview', {}, goalId !== null && by !== 'goal');
  const goal = by === 'goal' ? undefined : overview?.goals.find(({ id }) => id === goalId)?.title;
  const place = locator?.kind === 'text' ? `#at-${locator.start}` : '';
  const at =
    locator?.kind === 'time' ? text.clock(locator.seconds) : locator?.kind === 'page' ? text.page(locator.page) : null;
  const title = nameOf(contentTitle, url);
  // A note that was made for it has its words, once it is read.
  const isOwn = contentTitle === action.title || (contentTitle === null && url === null);
  const source = (
    <>
      <a href={`/app/read/${contentId}${place}`} title={`Read it in “${title}”`}>
        {title}
      </a>
      {at !== null && ' '}
      {at !== null && <Out to={url}>{at}</Out>}
    </>
  );
  return (
    <Facts
      of={[
        by !== 'day' && due !== null && <span class="due">by {text.day(due)}</span>,
        by !== 'priority' && text.todo.priorityOf[priority],
        snoozedUntil !== null &&
          snoozedUntil > new Date().toISOString().slice(0, 10) &&
          `from ${text.day(snoozedUntil)}`,
        goal ?? null,
        by !== 'item' && !isOwn && source,
      ]}
    />
  );
}

interface TickParts extends Pick<ActionItem, 'state'> {
  action: Pick<ActionItem, 'id' | 'title'>;
}

/** The round box before something to do: a press marks it done, or opens it again. */
export function Tick({ action, state }: TickParts): JSX.Element {
  const { id, title } = action;
  const isOpen = state === 'open';
  const change: Write = isOpen
    ? ['complete_action', { id }, 'Done.']
    : ['update_action', { id, state: 'open' }, 'Open again.'];
  return (
    <Do
      class={`tick ${isWaiting(action) ? 'waits' : ''}`}
      label={isOpen ? 'Mark done' : 'Open again'}
      of={title}
      run={change}
    >
      <Icon name="tick" />
    </Do>
  );
}

/** In a list of things to do, the arrow keys go from one to the next, over groups; Delete dismisses the one that has the focus, `e` changes it. */
export function moveFocus(event: KeyboardEvent & { currentTarget: Element }): void {
  const target = event.target as Element;
  const row = target.closest('.action:not(:has(form))');
  if (row === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const button = { Delete: '.dismiss', Backspace: '.dismiss', e: '.edit' }[event.key];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (button !== undefined) row.querySelector<HTMLElement>(button)?.click();
  else if (step !== undefined) {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.tick')];
    all[all.findIndex((tick) => row.contains(tick)) + step]?.focus();
  } else return;
  event.preventDefault();
}

/** What the item asks to do. */
export function ItemActions({ actions }: { actions: readonly ActionItem[] }): JSX.Element {
  return (
    <section class="item-actions">
      <h2>To do</h2>
      <ul class="actions" onKeyDown={moveFocus}>
        {actions.map((action) => (
          <ActionRow key={action.id} action={action} by="item" />
        ))}
      </ul>
    </section>
  );
}
