import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWrite, type Write } from '../parts/use-write.ts';
import { useStore } from '../store.ts';

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
    void write({ ...changed, draft: { name, value: draft } });
    if ('id' in changed.input) return;
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
