import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAddress } from '../address.tsx';
import type { ActionItem, ActionState, GoalsOverview, List } from '../records.ts';
import { Waiting } from '../parts/waiting.tsx';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { ActionRow } from './action-row.tsx';
import { actionsAtOnce, goalOf, stateOf, todoAddress, todoInput } from './questions.ts';
import { moveFocus, useKeptFocus } from './row-focus.ts';

const states: readonly ActionState[] = ['open', 'done', 'dismissed'];

/** What saved items ask for, by the goals that it serves. */
export function Todo(): JSX.Element {
  const { query } = useAddress();
  const [state, goal] = [stateOf(query), goalOf(query)];
  const { answer: overview } = useAnswer<GoalsOverview>('goals_overview', {});
  const { answer: list, error } = useAnswer<List<ActionItem>>('list_todo', todoInput(query));
  const groups = groupsOf(list?.items ?? [], overview, state, goal);
  const box = useKeptFocus(list);
  return (
    <>
      <h1>{text.views.actions}</h1>
      <Filters state={state} goal={goal} overview={overview} />
      {list === undefined ? (
        <Waiting error={error} />
      ) : list.total === 0 ? (
        <div class="empty">
          <p>{text.todo.nothing[state]}</p>
          {state === 'open' && <p class="soft">{text.todo.openHint}</p>}
        </div>
      ) : (
        <div ref={box} onKeyDown={moveFocus}>
          {groups.map((group) => (
            <Group key={`${state} ${group.id}`} state={state} {...group} />
          ))}
          <p class="keys soft">{text.todo.keys}</p>
        </div>
      )}
    </>
  );
}

function Filters({
  state,
  goal,
  overview,
}: {
  state: ActionState;
  goal: string | null | undefined;
  overview: GoalsOverview | undefined;
}): JSX.Element {
  const all = [
    ...(overview?.goals ?? []),
    ...(overview === undefined ? [] : [{ id: null, counts: overview.withoutGoal }]),
  ];
  const count = (one: ActionState) =>
    all.filter(({ id }) => goal === undefined || id === goal).reduce((sum, { counts }) => sum + counts[one], 0);
  return (
    <nav class="tabs" aria-label={text.todo.filters}>
      {states.map((one) => (
        <a href={todoAddress(one, goal)} aria-current={one === state ? 'true' : undefined}>
          {text.todo.states[one]} <span class="count">{overview !== undefined && text.number(count(one))}</span>
        </a>
      ))}
      {goal === undefined ? (
        <a href="/app/goals" class="aside">
          {text.todo.goals}
        </a>
      ) : (
        <a href={todoAddress(state, undefined)} class="aside">
          {text.todo.allGoals}
        </a>
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
  state: ActionState,
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

function Group({ id, title, total, items, state }: ActionGroup & { state: ActionState }): JSX.Element {
  const [pages, setPages] = useState(0);
  const heading = `goal-${id ?? 'none'}`;
  return (
    <section class="goal-actions" aria-labelledby={heading}>
      <h2 id={heading}>
        {title} <span class="count soft">{text.number(total)}</span>
      </h2>
      <ul class="actions">
        {pages === 0
          ? items.map((action) => <ActionRow key={action.id} action={action} />)
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

function Rows({ state, goal, page }: { state: ActionState; goal: string | null; page: number }): JSX.Element {
  const input = { state, goalId: goal, limit: actionsAtOnce, offset: page * actionsAtOnce };
  const { answer } = useAnswer<List<ActionItem>>('list_todo', input);
  return (
    <>
      {answer?.items.map((action) => (
        <ActionRow key={action.id} action={action} />
      ))}
    </>
  );
}
