import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { todoAddress } from '../data/questions.ts';
import { Do, type Write } from '../parts/writing.tsx';
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
  if (answer === undefined) return <Waiting error={error} />;
  const isFirst = answer.goals.length === 0;
  const current = answer.goals.filter(({ archivedAt }) => archivedAt === undefined);
  const archived = answer.goals.filter(({ archivedAt }) => archivedAt !== undefined);
  return (
    <>
      <p class="intro soft">
        {isFirst
          ? 'Name what you want to reach. Then what your saved pages ask you to do is sorted by it.'
          : 'What you save is looked through for things to do that serve your goals.'}
      </p>
      <GoalList goals={current} />
      {isAdding || isFirst ? (
        <GoalForm onDone={isFirst ? undefined : () => setAdding(false)} />
      ) : (
        <Do class="button" label="Add a goal" run={() => setAdding(true)} />
      )}
      {archived.length > 0 && (
        <details class="archived">
          <summary>Archived ({text.number(archived.length)})</summary>
          <GoalList goals={archived} />
        </details>
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
  const archive: Write = [
    'update_goal',
    { id, archived: !isArchived },
    isArchived ? 'Goal brought back.' : 'Goal archived. It gets no new action items.',
  ];
  return (
    <Thing
      heading="h2"
      title={title}
      facts={[
        category,
        <a href={todoAddress('open', id)}>{counts.open === 0 ? 'nothing open' : `${text.number(counts.open)} open`}</a>,
        counts.done > 0 && <a href={todoAddress('done', id)}>{text.number(counts.done)} done</a>,
      ]}
      does={
        <>
          {!isArchived && <Do label="Edit" of={title} run={() => setEdited(true)} />}
          <Do label={isArchived ? 'Bring back' : 'Archive'} of={title} run={archive} />
        </>
      }
    >
      {description !== null && <p class="about">{description}</p>}
    </Thing>
  );
}

const categories = ['Health', 'Wealth', 'Relationships'].map((category) => [category, category] as const);

/** The fields of a goal, to change one or to add one. */
function GoalForm({ goal, onDone }: { goal?: Goal; onDone: (() => void) | undefined }): JSX.Element {
  const { id, title = '', category = 'Health', description } = goal ?? {};
  return (
    <Form
      label={id === undefined ? 'Add a goal' : text.named('Edit', title)}
      name={`goal ${id ?? ''}`}
      first={{ title, category, description: description ?? '' }}
      fields={(bind) => (
        <>
          <Field
            label="What do you want to reach?"
            required
            maxlength={200}
            placeholder="Sleep eight hours"
            {...bind('title')}
          />
          <Field label="Part of life" options={categories} {...bind('category')} />
          <Field label="More about it (optional)" rows={2} maxlength={2_000} {...bind('description')} />
        </>
      )}
      send={(draft) => {
        const typed = { ...draft, description: draft.description.trim() };
        if (id !== undefined) return ['update_goal', { id, ...typed }, 'Changed.'];
        const input = typed.description === '' ? { title: draft.title, category: draft.category } : typed;
        return draft.title.trim() === '' ? undefined : ['add_goal', input, 'Goal added.'];
      }}
      onDone={onDone}
    />
  );
}
