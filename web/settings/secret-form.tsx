import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useWrite } from '../parts/use-write.ts';
import { text } from '../text.ts';
import { Copied } from './copied.tsx';

const lifetimes = ['90', '30', '365', '0'] as const;

/** A secret that was just made, which is shown once. It is said aloud. */
export function MadeSecret({ secret }: { secret: string | null }): JSX.Element {
  return (
    <div role="status">
      {secret !== null && (
        <div class="warning">
          <p>{text.settings.newSecret}</p>
          <Copied content={secret} name={text.settings.theSecret} />
        </div>
      )}
    </div>
  );
}

interface SecretFormParts {
  summary: string;
  operation: 'make_token' | 'create_key';
  /** @param days null: it does not expire */
  inputOf: (fields: FormData, days: number | null) => object;
  onMade: (secret: string) => void;
  /** What it may do. */
  children: ComponentChildren;
}

/** Makes a token or a key: what it is for, how long it works, and what it may do. */
export function SecretForm({ summary, operation, inputOf, onMade, children }: SecretFormParts): JSX.Element {
  const write = useWrite();
  const box = useRef<HTMLDetailsElement>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const answer = await write<{ token?: string; secret?: string }>({
      operation,
      input: inputOf(fields, Number(fields.get('days')) || null),
    });
    if (answer === null) return;
    onMade(answer.token ?? answer.secret ?? '');
    form.reset();
    if (box.current !== null) box.current.open = false;
  };
  return (
    <details ref={box}>
      <summary>{summary}</summary>
      <form class="fields" onSubmit={(event) => void submit(event)}>
        <label>
          <span>{text.settings.tokenName}</span>
          <input name="name" required maxlength={100} placeholder={text.settings.tokenNameHint} autocomplete="off" />
        </label>
        <label>
          <span>{text.settings.days}</span>
          <select name="days">
            {lifetimes.map((one) => (
              <option value={one}>{text.settings.daysChoices[one]}</option>
            ))}
          </select>
        </label>
        {children}
        <button class="button">{text.settings.make}</button>
      </form>
    </details>
  );
}
