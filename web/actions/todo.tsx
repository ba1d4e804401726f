import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { goTo, useAddress } from '../address.tsx';
import { Empty } from '../library/empty.tsx';
import { nameOf } from '../library/item-facts.ts';
import type { ActionItem, ActionOrder, GoalsOverview, List, TodoState } from '../records.ts';
import { Waiting } from '../parts/elements.tsx';
import { useKeptFocus } from '../parts/kept-focus.ts';
import { useAnswer, useStore } from '../store.ts';
import { localTime, text } from '../text.ts';
import { ActionForm } from './action-form.tsx';
import { ActionRow, moveFocus } from './action-row.tsx';
import {
  actionsAtOnce,
  goalOf,
  orderOf,
  orders,
  stateInput,
  stateOf,
  states,
  todoAddress,
  todoInput,
} from './questions.ts';

/** What is to be done: what saved items ask for, and what the person adds. By goal, item, day or priority. */
export function Todo(): JSX.Element {
  const { query } = useAddress();
  const [state, goal, by] = [stateOf(query), goalOf(query), orderOf(query)];
  const { answer: overview } = useAnswer<GoalsOverview>('goals_overview', {});
  const { answer: list, error } = useAnswer<List<ActionItem>>('list_todo', todoInput(query));
  const box = useKeptFocus('.tick', '.action');
  return (
    <>
      <h1>{text.views.actions}</h1>
      <ActionForm key={goal} goalId={goal ?? undefined} />
      <Filters state={state} goal={goal} by={by} overview={overview} />
      {list === undefined ? (
        <Waiting error={error} />
      ) : list.total === 0 ? (
        <Empty says={text.todo.nothing[state]}>
          {state === 'open' ? (
            <>
              <p class="soft">{text.todo.openHint}</p>
              <a href="/app/save">{text.todo.saveMore}</a>
              <a href="/app/goals">{text.todo.nameGoal}</a>
            </>
          ) : (
            <a href={todoAddress('open', goal, by)}>{text.todo.seeOpen}</a>
          )}
        </Empty>
      ) : (
        <div ref={box} onKeyDown={moveFocus}>
          {by === 'goal' ? (
            groupsOf(list.items, overview, state, goal).map((group) => (
              <Group key={`${state} ${group.id}`} state={state} {...group} />
            ))
          ) : (
            <Runs key={`${state} ${goal} ${by}`} query={query} by={by} total={list.total} />
          )}
          <p class="keys soft">{text.todo.keys}</p>
        </div>
      )}
    </>
  );
}

function Filters({
  state,
  goal,
  by,
  overview,
}: {
  state: TodoState;
  goal: string | null | undefined;
  by: ActionOrder;
  overview: GoalsOverview | undefined;
}): JSX.Element {
  const all = [
    ...(overview?.goals ?? []),
    ...(overview === undefined ? [] : [{ id: null, counts: overview.withoutGoal }]),
  ];
  const count = (one: TodoState) =>
    all.filter(({ id }) => goal === undefined || id === goal).reduce((sum, { counts }) => sum + counts[one], 0);
  return (
    <nav class="tabs" aria-label={text.todo.filters}>
      {states.map((one) => (
        <a href={todoAddress(one, goal, by)} aria-current={one === state ? 'true' : undefined}>
          {text.todo.states[one]} <span class="count">{overview !== undefined && text.number(count(one))}</span>
        </a>
      ))}
      <select
        class="aside"
        aria-label={text.todo.groupBy}
        onChange={(event) => goTo(todoAddress(state, goal, event.currentTarget.value as ActionOrder))}
      >
        {orders.map((one) => (
          <option value={one} selected={one === by}>
            {text.todo.orders[one]}
          </option>
        ))}
      </select>
      {goal === undefined ? (
        <a href="/app/goals">{text.todo.goals}</a>
      ) : (
        <a href={todoAddress(state, undefined, by)}>{text.todo.allGoals}</a>
      )}
    </nav>
  );
}

interface ActionGroup {
  /** Of the goal. */
  id: string | null;
  title: string;
  total: number;
  /** Those that are there already. */
  items: ActionItem[];
}

function groupsOf(
  items: readonly ActionItem[],
  overview: GoalsOverview | undefined,
  state: TodoState,
  wanted: string | null | undefined,
): ActionGroup[] {
  const byGoal = Map.groupBy(items, ({ goalId }) => goalId);
  const all = [
    ...(overview?.goals ?? []),
    { id: null, title: text.todo.withoutGoal, counts: overview?.withoutGoal ?? null },
  ];
  return all
    .map(({ id, title, counts }) => {
      const shown = byGoal.get(id) ?? [];
      return { id, title, total: Math.max(counts?.[state] ?? 0, shown.length), items: shown };
    })
    .filter(({ id, total }) => total > 0 && (wanted === undefined || wanted === id));
}

function Group({ id, title, total, items, state }: ActionGroup & { state: TodoState }): JSX.Element {
  const [pages, setPages] = useState(0);
  const heading = `goal-${id ?? 'none'}`;
  return (
    <section class="goal-actions" aria-labelledby={heading}>
      <h2 id={heading}>
        {title} <span class="count soft">{text.number(total)}</span>
      </h2>
      <ul class="actions">
        {pages === 0
          ? items.map((action) => <ActionRow key={action.id} action={action} by="goal" />)
          : Array.from({ length: pages }, (_, page) => <Rows key={page} state={state} goal={id} page={page} />)}
      </ul>
      {items.length < total && pages * actionsAtOnce < total && (
        <button type="button" class="button quiet" onClick={() => setPages(pages + 1)}>
          {total <= actionsAtOnce ? text.todo.more(total) : text.todo.nextPage}
        </button>
      )}
    </section>
  );
}

function Rows({ state, goal, page }: { state: TodoState; goal: string | null; page: number }): JSX.Element {
  const input = { ...stateInput(state), goalId: goal, limit: actionsAtOnce, offset: page * actionsAtOnce };
  const { answer } = useAnswer<List<ActionItem>>('list_todo', input);
  return (
    <>
      {answer?.items.map((action) => (
        <ActionRow key={action.id} action={action} by="goal" />
      ))}
    </>
  );
}

interface RunsParts {
  query: URLSearchParams;
  by: 'item' | 'day' | 'priority';
}

/** In the order of items, days or priorities, with a heading where the next one begins. */
function Runs({ total, ...parts }: RunsParts & { total: number }): JSX.Element {
  const [pages, setPages] = useState(1);
  return (
    <>
      {Array.from({ length: pages }, (_, page) => (
        <RunsOfPage key={page} offset={page * actionsAtOnce} {...parts} />
      ))}
      {pages * actionsAtOnce < total && (
        <button type="button" class="button quiet" onClick={() => setPages(pages + 1)}>
          {text.todo.nextPage}
        </button>
      )}
    </>
  );
}

function RunsOfPage({ query, by, offset }: RunsParts & { offset: number }): JSX.Element {
  const store = useStore();
  const { answer } = useAnswer<List<ActionItem>>('list_todo', todoInput(query, offset));
  const [today, setToday] = useState('');
  // The server does not know what day it is where the person is.
  useEffect(() => setToday(localTime(new Date()).slice(0, 10)), []);
  const before = store
    .get<List<ActionItem>>('list_todo', todoInput(query, offset - actionsAtOnce))
    ?.answer?.items.at(-1);
  const keyOf = ({ contentId, completedAt, due, priority }: ActionItem): string =>
    ({ item: contentId, day: completedAt?.slice(0, 10) ?? due ?? '', priority })[by];
  const runs: { key: string; items: ActionItem[] }[] = [];
  for (const action of answer?.items ?? []) {
    const key = keyOf(action);
    if (runs.at(-1)?.key === key) runs.at(-1)?.items.push(action);
    else runs.push({ key, items: [action] });
  }
  return (
    <>
      {runs.map(({ key, items }) => {
        const [first] = items;
        return (
          <section key={key} class="goal-actions">
            {(before === undefined || keyOf(before) !== key) && (
              <h2 class={by === 'day' && key !== '' && key < today && first?.state === 'open' ? 'overdue' : ''}>
                {by === 'item' ? (
                  <a href={`/app/read/${key}`}>{nameOf(first?.contentTitle ?? null, first?.url ?? null)}</a>
                ) : by === 'priority' && first !== undefined ? (
                  text.todo.priorities[first.priority]
                ) : key === '' ? (
                  text.todo.noDay
                ) : (
                  text.todo.onDay(key, today)
                )}
              </h2>
            )}
            <ul class="actions">
              {items.map((action) => (
                <ActionRow key={action.id} action={action} by={by} />
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
