import { Fragment, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { goTo, useAddress } from '../address.tsx';
import { Empty } from '../library/empty.tsx';
import { nameOf } from '../items/item-facts.ts';
import type { ActionItem, ActionOrder, GoalsOverview, List, TodoState } from '../data/records.ts';
import { Waiting } from '../parts/elements.tsx';
import { Options } from '../parts/form.tsx';
import { Pages, useKeptFocus } from '../parts/things.tsx';
import { useAnswer } from '../data/store.ts';
import { localTime, text } from '../text.ts';
import { ActionForm } from '../items/action-form.tsx';
import { ActionRow, moveFocus } from '../items/action-row.tsx';
import { actionsAtOnce, goalOf, orderOf, orders, stateOf, states, todoAddress, todoInput } from '../data/questions.ts';

const nothing = {
  open: 'Nothing waits for you.',
  snoozed: 'Nothing is snoozed.',
  done: 'Nothing is done yet.',
  dismissed: 'Nothing was dismissed.',
};
const orderNames = { goal: 'By goal', item: 'By item', day: 'By day', priority: 'By priority' };
const stateNames = { open: 'Open', snoozed: 'Snoozed', done: 'Done', dismissed: 'Dismissed' };

/** What is to be done: what saved items ask for, and what the person adds. By goal, item, day or priority. */
export function Todo(): JSX.Element {
  const { query } = useAddress();
  const [state, goal, by] = [stateOf(query), goalOf(query), orderOf(query)];
  const { answer: overview } = useAnswer<GoalsOverview>('goals_overview', {});
  const { answer: list, error } = useAnswer<List<ActionItem>>('list_todo', todoInput(query));
  const box = useKeptFocus('.tick', '.action');
  const [today, setToday] = useState('');
  // The server does not know what day it is where the person is.
  useEffect(() => setToday(localTime(new Date()).slice(0, 10)), []);
  return (
    <>
      <ActionForm key={goal} goalId={goal ?? undefined} />
      <Filters state={state} goal={goal} by={by} overview={overview} />
      {list === undefined ? (
        <Waiting error={error} />
      ) : list.total === 0 ? (
        <Empty says={nothing[state]}>
          {state === 'open' ? (
            <>
              <p class="soft">
                What your saved pages ask you to do appears here, each with the sentence that it came from.
              </p>
              <a href="/app/save">Save a page</a>
              <a href="/app/goals">Name a goal that it should serve</a>
            </>
          ) : (
            <a href={todoAddress('open', goal, by)}>See what is open</a>
          )}
        </Empty>
      ) : (
        <div ref={box} onKeyDown={moveFocus}>
          <ul class="actions">
            <Pages<ActionItem>
              key={`${state} ${goal} ${by}`}
              operation="list_todo"
              inputOf={(offset) => todoInput(query, offset)}
              limit={actionsAtOnce}
              total={list.total}
              draw={(action, _, before) => (
                <Fragment key={action.id}>
                  {(before === undefined || groupOf(before, by) !== groupOf(action, by)) && (
                    <Heading action={action} by={by} overview={overview} list={state} today={today} />
                  )}
                  <ActionRow action={action} by={by} />
                </Fragment>
              )}
            />
          </ul>
          <p class="keys soft">
            Arrow keys go from one to the next, Space ticks off, e changes, Delete dismisses, a adds.
          </p>
        </div>
      )}
    </>
  );
}

interface FiltersParts extends Pick<HeadingParts, 'by' | 'overview'> {
  state: TodoState;
  goal: string | null | undefined;
}

function Filters({ state, goal, by, overview }: FiltersParts): JSX.Element {
  const all = [
    ...(overview?.goals ?? []),
    ...(overview === undefined ? [] : [{ id: null, counts: overview.withoutGoal }]),
  ];
  const count = (one: TodoState) =>
    all.filter(({ id }) => goal === undefined || id === goal).reduce((sum, { counts }) => sum + counts[one], 0);
  return (
    <nav class="tabs" aria-label="Show">
      {states.map((one) => (
        <a href={todoAddress(one, goal, by)} aria-current={one === state ? 'true' : undefined}>
          {stateNames[one]} <span class="count">{overview !== undefined && text.number(count(one))}</span>
        </a>
      ))}
      <select
        class="aside"
        aria-label="Group"
        onChange={(event) => goTo(todoAddress(state, goal, event.currentTarget.value as ActionOrder))}
      >
        <Options of={orders.map((one) => [one, orderNames[one]] as const)} chosen={by} />
      </select>
      {goal === undefined ? <a href="/app/goals">Goals</a> : <a href={todoAddress(state, undefined, by)}>All goals</a>}
    </nav>
  );
}

function groupOf({ goalId, contentId, completedAt, due, priority }: ActionItem, by: ActionOrder): string {
  return { goal: goalId ?? '', item: contentId, day: completedAt?.slice(0, 10) ?? due ?? '', priority }[by];
}

interface HeadingParts {
  /** The first of its group. */
  action: ActionItem;
  by: ActionOrder;
  overview: GoalsOverview | undefined;
  list: TodoState;
  /** Empty until the browser has said it. */
  today: string;
}

/** What the actions after it have in common. */
function Heading({ action, by, overview, list, today }: HeadingParts): JSX.Element {
  const { contentId, contentTitle, url, priority, state } = action;
  const group = groupOf(action, by);
  const goal = overview?.goals.find(({ id }) => id === group);
  const counts = group === '' ? overview?.withoutGoal : goal?.counts;
  return (
    <li class="group">
      <h2 class={by === 'day' && group !== '' && group < today && state === 'open' ? 'overdue' : ''}>
        {by === 'goal' && (goal?.title ?? 'Without a goal')}
        {by === 'goal' && <span class="count soft"> {counts && text.number(counts[list])}</span>}
        {by === 'item' && <a href={`/app/read/${contentId}`}>{nameOf(contentTitle, url)}</a>}
        {by === 'day' &&
          (group === ''
            ? 'On no certain day'
            : today === '' || group > today
              ? text.day(group)
              : `${text.day(group)}${group === today ? ', today' : ''}`)}
        {by === 'priority' && text.todo.priorities[priority]}
      </h2>
    </li>
  );
}
