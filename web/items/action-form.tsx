import type { JSX } from 'preact';
import { CompletedField } from '../parts/completed-field.tsx';
import { Field, Form } from '../parts/form.tsx';
import type { ActionItem, GoalsOverview, Suggestions } from '../data/records.ts';
import { useAnswer } from '../data/store.ts';
import { text } from '../text.ts';

interface ActionFormParts {
  /** Changes this one; else one is added. */
  action?: ActionItem;
  /** Of the item that it belongs to, in whose panel it is added; undefined: the person may name one. */
  contentId?: string;
  goalId?: string | undefined;
  /** Told when it was kept or given up. */
  onDone?: () => void;
}

const priorities = Object.entries(text.todo.priorities);

/** What is to be done, for which goal, when, how much it matters, and of which item. Without `onDone` it opens when somebody begins to write. */
export function ActionForm({ action, contentId, goalId, onDone }: ActionFormParts): JSX.Element {
  const { answer: overview } = useAnswer<GoalsOverview>('goals_overview', {});
  const goals = (overview?.goals ?? [])
    .filter(({ id, archivedAt }) => archivedAt === undefined || id === action?.goalId)
    .map(({ id, title }) => [id, title] as const);
  return (
    <Form
      class="action-form"
      label={action === undefined ? 'Add something to do' : text.named('Edit', action.title)}
      name={action === undefined ? `action of ${contentId ?? goalId ?? ''}` : `action ${action.id}`}
      first={{
        title: action?.title ?? '',
        goalId: action?.goalId ?? goalId ?? '',
        due: action?.due ?? '',
        priority: action?.priority ?? 'normal',
        snoozedUntil: action?.snoozedUntil ?? '',
        item: { id: contentId ?? '', typed: '' },
      }}
      fields={(bind, draft, change) => (
        <>
          <input
            class="action-title"
            type="text"
            required
            maxlength={300}
            aria-label="What is to be done"
            placeholder="Add something to do"
            {...bind('title')}
          />
          <Field label="Goal" options={[['', 'No goal'], ...goals]} {...bind('goalId')} />
          <Field label="Day" type="date" {...bind('due')} />
          <Field label="Priority" options={priorities} {...bind('priority')} />
          <Field label="Snooze until" type="date" {...bind('snoozedUntil')} />
          {action === undefined && contentId === undefined && (
            <ItemField {...draft.item} onChange={(id, typed) => change({ ...draft, item: { id, typed } })} />
          )}
        </>
      )}
      button={action === undefined ? 'Add' : 'Keep'}
      send={({ item, ...draft }) => {
        if (draft.title.trim() === '') return undefined;
        if (action !== undefined) return ['update_action', { id: action.id, ...draft }, 'Changed.'];
        const given = Object.entries({ ...draft, contentId: item.id }).filter(([, value]) => value !== '');
        return ['add_action', Object.fromEntries(given) as object, 'Added.'];
      }}
      onDone={onDone}
      isKeptOnClose={contentId !== undefined}
    />
  );
}

interface ItemFieldParts {
  id: string;
  typed: string;
  onChange: (id: string, typed: string) => void;
}

/** Names a saved item by the beginning of its title. */
function ItemField({ id: taken, typed, onChange }: ItemFieldParts): JSX.Element {
  const prefix = typed.trim().slice(0, 200);
  const { answer } = useAnswer<Suggestions>('suggest', prefix === '' ? null : { prefix, limit: 20 });
  const titles = (answer?.suggestions ?? []).flatMap(({ id, text: title }) =>
    id === undefined ? [] : [{ value: id, shown: title }],
  );
  return (
    <CompletedField
      label="Saved item"
      placeholder="None"
      problem={taken === '' && prefix !== '' ? 'Choose the item from the list, or empty the field.' : ''}
      typed={typed}
      options={titles}
      onType={(next) => onChange('', next)}
      onTake={(id) => onChange(id, titles.find(({ value }) => value === id)?.shown ?? '')}
    />
  );
}
