import { createContext, type ComponentChildren, type JSX, type ButtonHTMLAttributes } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { text } from '../text.ts';
import { CallError } from '../data/calls.ts';
import { useStore } from '../data/store.ts';

interface Notice {
  message: string;
  /** Takes back what was just done. */
  undo?: () => void;
}

export type Tell = (notice: Notice) => void;

const shownMs = 8_000;
const context = createContext<Tell>(() => undefined);

/** Says shortly what was done, with the way back. */
export const useTell = (): Tell => useContext(context);

export function Toasts({ children }: { children: ComponentChildren }): JSX.Element {
  const [notice, setNotice] = useState<Notice | null>(null);
  const [isHeld, setHeld] = useState(false);
  const tell = useCallback((next: Notice) => setNotice(next), []);
  useEffect(() => {
    if (notice === null || isHeld) return undefined;
    const timer = setTimeout(() => setNotice(null), shownMs);
    return () => clearTimeout(timer);
  }, [notice, isHeld]);
  const undo = notice?.undo;
  return (
    <context.Provider value={tell}>
      {children}
      <div class="toasts" role="status">
        {notice !== null && (
          // It stays as long as somebody is about to press it.
          <div
            class="toast"
            onPointerEnter={() => setHeld(true)}
            onPointerLeave={() => setHeld(false)}
            onFocusIn={() => setHeld(true)}
            onFocusOut={() => setHeld(false)}
          >
            <span>{notice.message}</span>
            {undo !== undefined && (
              <button
                type="button"
                onClick={() => {
                  setNotice(null);
                  setHeld(false);
                  undo();
                }}
              >
                Undo
              </button>
            )}
          </div>
        )}
      </div>
    </context.Provider>
  );
}

/** Until then, what an undo brings back is waited for. */
const maxReturnMs = 10_000;

let waiting = new AbortController();

/**
 * The button that was pressed goes away. The focus goes to the row of one of these, once it is there, and until then to the view. It
 * stays in the view where one of these is read, or where the person goes on meanwhile.
 */
function focusWhatReturns(ids: readonly string[]): void {
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement?.closest('.toast') === null) return;
  const view = document.querySelector<HTMLElement>('main > .view') ?? document.querySelector<HTMLElement>('main');
  // Whoever uses the keyboard sees where the focus is; for others nothing moves.
  const preventScroll = activeElement?.matches(':focus-visible') !== true;
  view?.focus({ preventScroll: true });
  waiting.abort();
  if (ids.length === 0 || ids.some((id) => location.pathname.endsWith(id))) return;
  const over = new AbortController();
  waiting = over;
  const rows = ids.flatMap((id) => [`[data-item="${id}"] :is(h2, h3) a`, `#${id} .tick`]).join();
  const stop = (): void => over.abort();
  const look = (): void => {
    const isElsewhere = ![view, document.body].includes(document.activeElement as HTMLElement);
    const row = isElsewhere ? null : document.querySelector<HTMLElement>(rows);
    row?.focus({ preventScroll });
    if (isElsewhere || row !== null) stop();
  };
  const changed = new MutationObserver(look);
  changed.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-item'] });
  over.signal.addEventListener('abort', () => changed.disconnect());
  setTimeout(stop, maxReturnMs);
  for (const goesOn of ['pointerdown', 'wheel', 'keydown'])
    document.addEventListener(goesOn, stop, { signal: over.signal, capture: true, passive: true });
  look();
}

/** Writes that are made at once or not at all: nobody expects them later, or their answer is what matters. */
const notLater = /_(?:token|key|assistant|session|export|import)$|^retry_all$|^purge_items$/;

/** An operation, its input, and what is said when it is done. Several inputs are called one after the other. */
export type Write = readonly [
  operation: string,
  input: object | readonly object[],
  done?: string | ((answer: never) => string),
];

/** @param draft what was typed: a draft again when the write is refused */
export type WriteCall = <Answer>(
  operation: Write[0],
  input: Write[1],
  done?: Write[2],
  draft?: { name: string; value: unknown },
) => Promise<Answer | null>;

/**
 * Calls an operation that writes, says so, and offers to take it back. Null when it was refused, which is said, too. When the server
 * is away, the write waits in the outbox, and the answer has no fields.
 */
export function useWrite(): WriteCall {
  const store = useStore();
  const tell = useTell();
  return useCallback(
    async function write<Answer>(...[operation, input, done, draft]: Parameters<WriteCall>): Promise<Answer | null> {
      const undos: { id: string }[] = [];
      const words = new Set<string>();
      const undo = (): void => {
        focusWhatReturns(
          [input].flat().flatMap(({ id, ids = [] }: { id?: string; ids?: string[] }) => [...ids, ...(id ? [id] : [])]),
        );
        void write('undo', undos, text.undoneOrNot);
      };
      const say = (message: string): void => tell({ message, ...(undos.length > 0 && { undo }) });
      try {
        let last: Answer | null = null;
        for (const one of [input].flat()) {
          const answer = notLater.test(operation)
            ? await store.call<Answer & { undo?: string }>(operation, one)
            : await store.write<Answer & { undo?: string }>({ operation, input: one, drafts: draft && [draft] });
          last = answer ?? ({} as Answer);
          if (answer === null) words.add('The server does not answer. This is kept here, and sent when it is back.');
          else if (answer !== undefined && done !== undefined)
            words.add(typeof done === 'string' ? done : done(answer as never));
          if (answer?.undo !== undefined) undos.unshift({ id: answer.undo });
        }
        if (words.size > 0) say([...words].join(' '));
        return last;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // What was done before it can be taken back.
        say(error.status === 0 ? text.connectionLost : error.message);
        return null;
      } finally {
        store.refresh();
      }
    },
    [store, tell],
  );
}

/** Ends the session of this browser. What was not sent yet would be lost, as its words say. */
export function useSignOut(): { words: string; run: () => Promise<void> } {
  const store = useStore();
  const { start, outbox } = store;
  const write = useWrite();
  const words = start.hasAccountPage ? 'Sign out' : 'Close the library here';
  const unsent = outbox.waiting.length;
  return {
    words: unsent > 0 ? `${words}. ${text.counted(unsent, 'change')} not sent yet would be lost.` : words,
    async run() {
      if ((await write('end_session', { id: start.session })) !== null) store.signOut();
    },
  };
}

interface DoParts extends Partial<
  Pick<ButtonHTMLAttributes, 'class' | 'aria-expanded' | 'aria-haspopup' | 'disabled'>
> {
  label: string;
  /** What it is done with, for whoever hears this button among others like it. */
  of?: string | undefined;
  /** What is asked first, because it cannot be taken back. Looking elsewhere is a no. */
  sure?: string;
  run: Write | ((button: HTMLButtonElement) => unknown);
  /** What is seen in place of the label. */
  children?: ComponentChildren;
}

/** A button that does something: a write, or what a function does. */
export function Do({ label, of, sure, run, class: look, children, ...rest }: DoParts): JSX.Element {
  const write = useWrite();
  const [isAsking, setAsking] = useState(false);
  const name = of === undefined ? label : text.named(label, of);
  return (
    <button
      type="button"
      {...rest}
      class={isAsking ? `${look ?? ''} asking` : look}
      aria-label={isAsking ? `${sure ?? ''} ${name}: press again to do it` : name}
      onBlur={() => setAsking(false)}
      onClick={({ currentTarget, detail }) => {
        // The second click of a double click is not an answer.
        if (isAsking && detail > 1) return;
        const isSure = sure === undefined || isAsking;
        setAsking(!isSure);
        if (isSure) void (typeof run === 'function' ? run(currentTarget) : write(...run));
      }}
    >
      {isAsking ? sure : (children ?? label)}
    </button>
  );
}

/** Text to take elsewhere, with a button that copies it. @param name what it is, for whoever cannot see it */
export function Copied({ content, name }: { content: string; name: string }): JSX.Element {
  const tell = useTell();
  return (
    <div class="copied">
      <pre tabindex={0} aria-label={name}>
        <code>{content}</code>
      </pre>
      <Do class="button quiet" label="Copy" of={name} run={() => copy(content, tell)} />
    </div>
  );
}

export async function copy(words: string, tell: Tell): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
    tell({ message: 'Copied.' });
  } catch {
    // Browsers give the clipboard to pages over https, and on the machine itself.
    tell({ message: 'This browser does not let the page copy. It does over https, and on the machine itself.' });
  }
}
