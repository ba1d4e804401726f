import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bindTo, useDraft } from '../kept/use-draft.ts';
import { CompletedField } from '../parts/completed-field.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { ActionItem, GoalsOverview, Suggestions } from '../records.ts';
import { useAnswer } from '../store.ts';
import { text } from '../text.ts';

interface ActionFormParts {
  /** Changes this one; else one is added. */
  action?: ActionItem;
  /** Of the item that it belongs to; undefined: the person may name one. */
  contentId?: string;
  goalId?: string | undefined;
  /** Told when it was kept or given up. */
  onDone?: () => void;
}

/** What is to be done, for which goal, when, how much it matters, and of which item. It opens when somebody begins to write, or at once for `onDone`. */
export function ActionForm({ action, contentId, goalId, onDone }: ActionFormParts): JSX.Element {
  const write = useWrite();
  const first = useRef<HTMLInputElement>(null);
  const { answer: overview } = useAnswer<GoalsOverview>('goals_overview', {});
  const name = action === undefined ? `action of ${contentId ?? goalId ?? ''}` : `action ${action.id}`;
  const [draft, setDraft, forget] = useDraft(name, {
    title: action?.title ?? '',
    goal: action?.goalId ?? goalId ?? '',
    due: action?.due ?? '',
    priority: action?.priority ?? 'normal',
    snoozedUntil: action?.snoozedUntil ?? '',
    item: { id: contentId ?? '', typed: '' },
  });
  const { title, goal, due, priority, snoozedUntil, item } = draft;
  const field = bindTo(draft, setDraft);
  const [isOpen, setOpen] = useState(onDone !== undefined);
  /** In a panel: it was added or given up. Else what was typed is added when the panel is closed. */
  const isOver = useRef(false);
  const last = useRef<() => void>(() => undefined);
  useLayoutEffect(() => {
    if (onDone !== undefined) first.current?.focus();
    return () => {
      if (contentId !== undefined && !isOver.current) last.current();
    };
  }, []);
  const keep = async (isClosed = false): Promise<void> => {
    if (title.trim() === '') return;
    isOver.current = true;
    // The outbox has the words now: opened again before the answer, the form must not add them twice.
    if (isClosed) forget();
    const answer = await write(
      action === undefined
        ? {
            operation: 'add_action',
            input: {
              title,
              ...(goal !== '' && { goalId: goal }),
              ...(due !== '' && { due }),
              ...(snoozedUntil !== '' && { snoozedUntil }),
              ...(priority !== 'normal' && { priority }),
              ...(item.id !== '' && { contentId: item.id }),
            },
            draft: { name, value: draft },
            done: text.todo.added,
          }
        : {
            operation: 'update_action',
            input: { id: action.id, title, goalId: goal, due, priority, snoozedUntil },
            draft: { name, value: draft },
            done: text.todo.changed,
          },
    );
    isOver.current = answer !== null;
    if (answer === null || isClosed) return;
    forget();
    onDone?.();
  };
  last.current = () => void keep(true);
  const giveUp = (): void => {
    isOver.current = true;
    forget();
    if (onDone === undefined) setOpen(false);
    else onDone();
  };
  return (
    <form
      class="action-form"
      aria-label={action === undefined ? text.todo.add : text.todo.edit(action.title)}
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
      onKeyDown={(event) => {
        // A panel closes by itself.
        if (event.key !== 'Escape' || onDone === undefined || contentId !== undefined) return;
        event.preventDefault();
        giveUp();
      }}
    >
      <input
        ref={first}
        class="action-title"
        type="text"
        required
        maxlength={300}
        aria-label={text.todo.title}
        placeholder={text.todo.add}
        {...field('title')}
        onFocus={() => setOpen(true)}
      />
      {isOpen && (
        <div class="action-more">
          <label class="field">
            <span>{text.todo.goal}</span>
            <select {...field('goal')}>
              <option value="">{text.todo.noGoal}</option>
              {(overview?.goals ?? [])
                .filter(({ id, archivedAt }) => archivedAt === undefined || id === goal)
                .map((one) => (
                  <option value={one.id} selected={one.id === goal}>
                    {one.title}
                  </option>
                ))}
            </select>
          </label>
          <label class="field">
            <span>{text.todo.due}</span>
            <input type="date" {...field('due')} />
          </label>
          <label class="field">
            <span>{text.todo.priority}</span>
            <select {...field('priority')}>
              {(['high', 'normal', 'low'] as const).map((one) => (
                <option value={one} selected={one === priority}>
                  {text.todo.priorities[one]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{text.todo.snooze}</span>
            <input type="date" {...field('snoozedUntil')} />
          </label>
          {action === undefined && contentId === undefined && (
            <ItemField {...item} onChange={(id, typed) => setDraft({ ...draft, item: { id, typed } })} />
          )}
          <p class="buttons">
            <button class="button">{action === undefined ? text.todo.addShort : text.goals.keep}</button>
            <button type="button" class="button quiet" onClick={giveUp}>
              {text.goals.cancel}
            </button>
          </p>
        </div>
      )}
    </form>
  );
}

/** Names a saved item by the beginning of its title. */
function ItemField({
  id: taken,
  typed,
  onChange,
}: {
  id: string;
  typed: string;
  onChange: (id: string, typed: string) => void;
}): JSX.Element {
  const prefix = typed.trim().slice(0, 200);
  const { answer } = useAnswer<Suggestions>('suggest', prefix === '' ? null : { prefix, limit: 20 });
  const titles = (answer?.suggestions ?? []).flatMap(({ id, text: title }) =>
    id === undefined ? [] : [{ value: id, shown: title }],
  );
  return (
    <CompletedField
      label={text.todo.item}
      placeholder={text.todo.noItem}
      problem={taken === '' && prefix !== '' ? text.todo.takeItem : ''}
      typed={typed}
      options={titles}
      onType={(next) => onChange('', next)}
      onTake={(id) => onChange(id, titles.find(({ value }) => value === id)?.shown ?? '')}
    />
  );
}
