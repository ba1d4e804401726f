import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { todoAddress } from '../questions.ts';
import { Do } from '../parts/writing.tsx';
import { Waiting } from '../parts/elements.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Thing } from '../parts/things.tsx';
import type { CountedGoal, Goal, GoalsOverview } from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';

/** What the person wants to reach, and how much serves it. */
export function Goals(): JSX.Element {
  const { answer, error } = useAnswer<GoalsOverview>('goals_overview', {});
  const [isAdding, setAdding] = useState(false);
  const isFirst = answer?.goals.length === 0;
  const current = answer?.goals.filter(({ archivedAt }) => archivedAt === undefined) ?? [];
  const archived = answer?.goals.filter(({ archivedAt }) => archivedAt !== undefined) ?? [];
  return (
    <>
      <h1>{text.views.goals}</h1>
      {answer === undefined ? (
        <Waiting error={error} />
      ) : (
        <>
          <p class="intro soft">{isFirst ? text.goals.addFirst : text.goals.intro}</p>
          <GoalList goals={current} />
          {isAdding || isFirst ? (
            <GoalForm onDone={isFirst ? undefined : () => setAdding(false)} />
          ) : (
            <Do class="button" label={text.goals.add} run={() => setAdding(true)} />
          )}
          {archived.length > 0 && (
            <details class="archived">
              <summary>{text.goals.archived(archived.length)}</summary>
              <GoalList goals={archived} />
            </details>
          )}
        </>
      )}
    </>
  );
}

function GoalList({ goals }: { goals: readonly CountedGoal[] }): JSX.Element {
  return (
    <ul class="listed">
      {goals.map((goal) => (
        <GoalRow key={goal.id} goal={goal} />
      ))}
    </ul>
  );
}

function GoalRow({ goal }: { goal: CountedGoal }): JSX.Element {
  const [isEdited, setEdited] = useState(false);
  const { id, title, category, description, counts, archivedAt } = goal;
  const isArchived = archivedAt !== undefined;
  if (isEdited)
    return (
      <li>
        <GoalForm goal={goal} onDone={() => setEdited(false)} />
      </li>
    );
  const archive = {
    operation: 'update_goal',
    input: { id, archived: !isArchived },
    done: isArchived ? text.goals.broughtBack : text.goals.archivedToast,
  };
  return (
    <Thing
      heading="h2"
      title={title}
      facts={[
        text.goals.categories[category],
        <a href={todoAddress('open', id)}>{text.goals.open(counts.open)}</a>,
        counts.done > 0 && <a href={todoAddress('done', id)}>{text.goals.done(counts.done)}</a>,
      ]}
      does={
        <>
          {!isArchived && <Do label={text.edit} of={title} run={() => setEdited(true)} />}
          <Do label={isArchived ? text.goals.bringBack : text.goals.archive} of={title} run={archive} />
        </>
      }
    >
      {description !== null && <p class="about">{description}</p>}
    </Thing>
  );
}

const categories = Object.entries(text.goals.categories);

/** The fields of a goal, to change one or to add one. */
function GoalForm({ goal, onDone }: { goal?: Goal; onDone: (() => void) | undefined }): JSX.Element {
  const { id, title = '', category = 'Health', description } = goal ?? {};
  return (
    <Form
      label={id === undefined ? text.goals.add : text.named(text.edit, title)}
      name={`goal ${id ?? ''}`}
      first={{ title, category, description: description ?? '' }}
      fields={(bind) => (
        <>
          <Field
            label={text.goals.titleField}
            required
            maxlength={200}
            placeholder={text.goals.titleExample}
            {...bind('title')}
          />
          <Field label={text.goals.category} options={categories} {...bind('category')} />
          <Field label={text.goals.description} rows={2} maxlength={2_000} {...bind('description')} />
        </>
      )}
      send={(draft) => {
        const typed = { ...draft, description: draft.description.trim() };
        if (id !== undefined) return { operation: 'update_goal', input: { id, ...typed }, done: text.changed };
        const input = typed.description === '' ? { title: draft.title, category: draft.category } : typed;
        return draft.title.trim() === '' ? undefined : { operation: 'add_goal', input, done: text.goals.added };
      }}
      onDone={onDone}
    />
  );
}
