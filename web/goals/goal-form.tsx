import type { JSX } from 'preact';
import { useLayoutEffect, useId, useRef } from 'preact/hooks';
import { bindTo, useDraft } from '../kept/use-draft.ts';
import { useWrite } from '../parts/use-write.ts';
import type { Goal } from '../records.ts';
import { text } from '../text.ts';

interface FormParts {
  name: string;
  /** Changes this one; else one is added. */
  goal?: Goal;
  /** Told when it was kept or given up; absent: it stays. */
  onDone?: () => void;
}

const categories = Object.keys(text.goals.categories) as Goal['category'][];

/** The fields of a goal, to add one or to change one. */
export function GoalForm({ name, goal, onDone }: FormParts): JSX.Element {
  const id = useId();
  const write = useWrite();
  const first = useRef<HTMLInputElement>(null);
  const [draft, setDraft, forget] = useDraft(`goal ${goal?.id ?? ''}`, {
    title: goal?.title ?? '',
    category: goal?.category ?? categories[0],
    description: goal?.description ?? '',
  });
  const { title, category, description } = draft;
  const field = bindTo(draft, setDraft);
  useLayoutEffect(() => {
    // The first form of an empty view takes no focus: nobody asked for it.
    if (onDone !== undefined) first.current?.focus();
  }, []);
  const end = (): void => (forget(), onDone?.());
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (title.trim() === '') return;
    const kept =
      goal === undefined
        ? {
            operation: 'add_goal',
            input: { title, category, ...(description.trim() !== '' && { description }) },
            done: text.goals.added,
          }
        : {
            operation: 'update_goal',
            input: { id: goal.id, title, category, description: description.trim() },
            done: text.goals.changed,
          };
    // What was refused stays.
    if ((await write(kept)) !== null) end();
  };
  return (
    <form
      class="goal-form"
      aria-label={name}
      onSubmit={(event) => void keep(event)}
      onKeyDown={(event) => event.key === 'Escape' && onDone !== undefined && end()}
    >
      <label class="field">
        <span>{text.goals.titleField}</span>
        <input
          ref={first}
          type="text"
          required
          maxlength={200}
          placeholder={text.goals.titleExample}
          {...field('title')}
        />
      </label>
      <fieldset class="field choices">
        <legend>{text.goals.category}</legend>
        {categories.map((one) => (
          <label class="choice">
            <input
              type="radio"
              name={`${id}-category`}
              value={one}
              checked={one === category}
              onChange={() => setDraft({ ...draft, category: one })}
            />
            <span>{text.goals.categories[one]}</span>
          </label>
        ))}
      </fieldset>
      <label class="field">
        <span>{text.goals.description}</span>
        <textarea rows={2} maxlength={2_000} {...field('description')} />
      </label>
      <p class="buttons">
        <button class="button">{text.goals.keep}</button>
        {onDone !== undefined && (
          <button type="button" class="button quiet" onClick={end}>
            {text.goals.cancel}
          </button>
        )}
      </p>
    </form>
  );
}
