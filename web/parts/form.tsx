import type { ComponentChildren, InputHTMLAttributes, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../data/store.ts';
import { Do, useWrite, type Write } from './writing.tsx';

/** What a field offers: its values, each with its words. */
export type Choices = readonly (readonly [value: string, shown: string])[];

/** The options of a `select`. */
export function Options({ of, chosen }: { of: Choices; chosen: unknown }): JSX.Element {
  return (
    <>
      {of.map(([value, shown]) => (
        <option value={value} selected={value === chosen}>
          {shown}
        </option>
      ))}
    </>
  );
}

/** A box to tick, or one of several, with its words. */
export function Box({
  label,
  ...input
}: { label: ComponentChildren } & Omit<InputHTMLAttributes<HTMLInputElement>, 'label'>): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" {...(input as object)} />
      <span dir="auto">{label}</span>
    </label>
  );
}

interface FieldParts extends Omit<InputHTMLAttributes<HTMLInputElement>, 'label' | 'onInput'> {
  label: string;
  /** One of these is chosen. */
  options?: Choices;
  /** The text may have several lines, and so many are shown. */
  rows?: number;
  onInput?: (event: { currentTarget: { value: string } }) => void;
}

/** A field with its label: a line of text, unless it has options or rows. */
export function Field({ label, options, rows, ...field }: FieldParts): JSX.Element {
  const common = field as object;
  return (
    <label class="field">
      <span>{label}</span>
      {options !== undefined ? (
        <select {...common}>
          <Options of={options} chosen={field.value} />
        </select>
      ) : rows === undefined ? (
        <input type="text" dir="auto" {...common} />
      ) : (
        <textarea rows={rows} dir="auto" {...common} />
      )}
    </label>
  );
}

type Bind<Draft extends object> = ReturnType<typeof bindTo<Draft>>;

interface FormParts<Draft extends object> {
  class?: string;
  /** Absent in a panel, which has a name. */
  label?: string;
  /** The name of the draft that the browser keeps of it. */
  name: string;
  /** What its fields hold without a draft. */
  first: Draft;
  fields: (bind: Bind<Draft>, draft: Draft, change: (next: Draft) => void) => ComponentChildren;
  button?: string;
  /** Further buttons. @param giveUp leaves what was typed */
  more?: (giveUp: () => void) => ComponentChildren;
  /** The write of what was typed; undefined while there is nothing to send. */
  send: (draft: Draft) => Write | undefined;
  /** Told when it was kept or given up. Absent: the form stays. */
  onDone?: (() => void) | undefined;
  /** What is typed is sent however the form is closed: by a press elsewhere, by Back or by a reload. Undo takes it back. */
  isKeptOnClose?: boolean;
}

/** A form that sends one write. What is typed is kept until it is sent or given up, also where it is refused. */
export function Form<Draft extends object>(parts: FormParts<Draft>): JSX.Element {
  const { class: look = 'own-form', label, name, first, fields, button, more, send, onDone } = parts;
  const { isKeptOnClose = false } = parts;
  const write = useWrite();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft, giveUp] = useClosing(name, first, send, isKeptOnClose);
  useLayoutEffect(() => {
    // The first form of an empty view takes no focus: nobody asked for it.
    if (onDone !== undefined) form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, []);
  const end = (): void => (giveUp(), onDone?.());
  const keep = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isKeptOnClose) return onDone?.();
    const made = send(draft);
    if (made === undefined) return;
    const [operation, input, done] = made;
    if ((await write(operation, input, done, { name, value: draft })) !== null) end();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
    // A panel closes by itself.
    else if (event.key === 'Escape' && onDone !== undefined && !isKeptOnClose) end();
    else return;
    event.preventDefault();
  };
  const canCancel = onDone !== undefined || JSON.stringify(draft) !== JSON.stringify(first);
  return (
    <form ref={form} class={look} aria-label={label} onSubmit={(event) => void keep(event)} onKeyDown={press}>
      {fields(bindTo(draft, setDraft), draft, setDraft)}
      <p class="buttons">
        <button class="button">{button ?? 'Keep'}</button>
        {more?.(giveUp)}
        {canCancel && <Do class="button quiet" label="Cancel" run={end} />}
      </p>
    </form>
  );
}

/**
 * What is typed in a form, kept in the browser until it is sent or given up.
 * @param first what the form shows without a draft
 * @returns what is typed, a setter, and what empties the form
 */
export function useDraft<Draft>(name: string, first: Draft): [Draft, (next: Draft) => void, () => void] {
  const { kept } = useStore();
  const [draft, setDraft] = useState(first);
  const show = (): void => setDraft(kept.draft<Draft>(name) ?? first);
  // Not in the first drawing, which must be the one that the server has drawn.
  useLayoutEffect(show, [name]);
  const change = (next: Draft): void => {
    setDraft(next);
    kept.set(name, JSON.stringify(next) === JSON.stringify(first) ? undefined : next);
  };
  const forget = (): void => {
    kept.set(name, undefined);
    show();
  };
  return [draft, change, forget];
}

/** What binds a field of a form to a part of its draft. */
export function bindTo<Draft extends object>(draft: Draft, change: (next: Draft) => void) {
  return <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change({ ...draft, [name]: currentTarget.value }),
  });
}

/**
 * A form that keeps what is typed however it is closed: by a press elsewhere, by Back or by a reload. Undo takes it back.
 * @param send makes the write of what is typed; undefined when nothing has changed
 * @param isOn false: it is only a draft
 * @returns what is typed, a setter, and what gives it up
 */
export function useClosing<Draft>(
  name: string,
  first: Draft,
  send: (draft: Draft) => Write | undefined,
  isOn = true,
): [Draft, (next: Draft) => void, () => void] {
  const write = useWrite();
  const { kept } = useStore();
  const [draft, change, forget] = useDraft(name, first);
  const isGivenUp = useRef(false);
  const close = useRef<() => void>(() => undefined);
  close.current = () => {
    if (!isOn || isGivenUp.current) return;
    const changed = send(draft);
    if (changed === undefined) return forget();
    const [operation, input, done] = changed;
    void write(operation, input, done, { name, value: draft });
    if ('id' in input) return;
    // The outbox has the words now: opened again before the answer, the form must not add them twice.
    isGivenUp.current = true;
    kept.set(name, undefined);
  };
  useLayoutEffect(() => {
    const end = (): void => close.current();
    addEventListener('pagehide', end);
    return () => {
      removeEventListener('pagehide', end);
      end();
    };
  }, []);
  const giveUp = (): void => {
    isGivenUp.current = true;
    forget();
  };
  return [draft, change, giveUp];
}
