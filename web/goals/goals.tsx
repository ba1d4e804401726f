import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { todoAddress } from '../actions/questions.ts';
import { Facts, Waiting } from '../parts/elements.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { CountedGoal, GoalsOverview } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';
import { GoalForm } from './goal-form.tsx';

/** What the person wants to reach, and how much serves it. */
export function Goals(): JSX.Element {
  const { answer, error } = useAnswer<GoalsOverview>('goals_overview', {});
  const [isAdding, setAdding] = useState(false);
  if (answer === undefined)
    return (
      <>
        <h1>{text.views.goals}</h1>
        <Waiting error={error} />
      </>
    );
  const current = answer.goals.filter(({ archivedAt }) => archivedAt === undefined);
  const archived = answer.goals.filter(({ archivedAt }) => archivedAt !== undefined);
  const isFirst = answer.goals.length === 0;
  return (
    <>
      <h1>{text.views.goals}</h1>
      <p class="intro soft">{isFirst ? text.goals.addFirst : text.goals.intro}</p>
      <ul class="goals">
        {current.map((goal) => (
          <GoalRow key={goal.id} goal={goal} />
        ))}
      </ul>
      {isAdding || isFirst ? (
        <GoalForm name={text.goals.add} {...(!isFirst && { onDone: () => setAdding(false) })} />
      ) : (
        <button type="button" class="button" onClick={() => setAdding(true)}>
          {text.goals.add}
        </button>
      )}
      {archived.length > 0 && (
        <details class="archived">
          <summary>{text.goals.archived(archived.length)}</summary>
          <ul class="goals">
            {archived.map((goal) => (
              <GoalRow key={goal.id} goal={goal} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function GoalRow({ goal }: { goal: CountedGoal }): JSX.Element {
  const write = useWrite();
  const [isEdited, setEdited] = useState(false);
  const { id, title, category, description, counts, archivedAt } = goal;
  const isArchived = archivedAt !== undefined;
  if (isEdited)
    return (
      <li>
        <GoalForm name={text.goals.edit(title)} goal={goal} onDone={() => setEdited(false)} />
      </li>
    );
  const archive = {
    operation: 'update_goal',
    input: { id, archived: !isArchived },
    done: isArchived ? text.goals.broughtBack : text.goals.archivedToast,
  };
  return (
    <li class="goal">
      <h2>{title}</h2>
      <Facts
        of={[
          text.goals.categories[category],
          <a href={todoAddress('open', id)}>{text.goals.open(counts.open)}</a>,
          counts.done > 0 && <a href={todoAddress('done', id)}>{text.goals.done(counts.done)}</a>,
        ]}
      />
      {description !== null && <p class="about">{description}</p>}
      <p class="do">
        {!isArchived && (
          <button type="button" aria-label={text.goals.edit(title)} onClick={() => setEdited(true)}>
            {text.goals.editShort}
          </button>
        )}
        <button
          type="button"
          aria-label={isArchived ? text.goals.bringBack(title) : text.goals.archive(title)}
          onClick={() => void write(archive)}
        >
          {isArchived ? text.goals.bringBackShort : text.goals.archiveShort}
        </button>
      </p>
    </li>
  );
}
