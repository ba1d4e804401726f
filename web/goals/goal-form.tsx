import type { JSX } from 'preact';
import { useLayoutEffect, useId, useRef } from 'preact/hooks';
import { useDraft } from '../kept/use-draft.ts';
import type { Goal } from '../records.ts';
import { text } from '../text.ts';

/** What is typed; a description only when there is one. */
interface GoalInput {
  title: string;
  category: Goal['category'];
  description?: string;
}

interface FormParts {
  name: string;
  goal?: Goal;
  /** Resolves to false when it was refused: what was typed stays. */
  onKeep: (input: GoalInput) => Promise<boolean>;
  onCancel?: () => void;
}

const categories = Object.keys(text.goals.categories) as Goal['category'][];

/** The fields of a goal, to add one or to change one. */
export function GoalForm({ name, goal, onKeep, onCancel }: FormParts): JSX.Element {
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  const [draft, setDraft, forget] = useDraft(`goal ${goal?.id ?? ''}`, {
    title: goal?.title ?? '',
    category: goal?.category ?? categories[0],
    description: goal?.description ?? '',
  });
  const { title, category, description } = draft;
  useLayoutEffect(() => {
    // The first form of an empty view takes no focus: nobody asked for it.
    if (onCancel !== undefined) first.current?.focus();
  }, []);
  const cancel = onCancel && ((): void => (forget(), onCancel()));
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (title.trim() === '' || category === undefined) return;
    const isKept = await onKeep({ title, category, ...(description.trim() !== '' && { description }) });
    if (isKept) forget();
  };
  return (
    <form
      class="goal-form"
      aria-label={name}
      onSubmit={(event) => void keep(event)}
      onKeyDown={(event) => event.key === 'Escape' && cancel?.()}
    >
      <label class="field">
        <span>{text.goals.titleField}</span>
        <input
          ref={first}
          type="text"
          required
          maxlength={200}
          placeholder={text.goals.titleExample}
          value={title}
          onInput={(event) => setDraft({ ...draft, title: event.currentTarget.value })}
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
        <textarea
          rows={2}
          maxlength={2_000}
          value={description}
          onInput={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
        />
      </label>
      <p class="buttons">
        <button class="button">{text.goals.keep}</button>
        {cancel !== undefined && (
          <button type="button" class="button quiet" onClick={cancel}>
            {text.goals.cancel}
          </button>
        )}
      </p>
    </form>
  );
}
