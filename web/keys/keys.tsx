import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { goTo, listAddress } from '../address.tsx';
import { everything } from '../data/questions.ts';
import { itemActions } from '../items/item-actions.ts';
import { useTools } from '../items/item-tools.tsx';
import { Icon, useListeners } from '../parts/elements.tsx';
import { text } from '../text.ts';
import { focusRow, isTyping } from './focus-row.ts';

const pageKeys = [
  { keys: ['/'], does: 'search' },
  { keys: ['Ctrl k', '⌘ k'], does: 'all commands: go, do, search, filter' },
  { keys: ['j', '↓'], does: 'the next item, or paragraph' },
  { keys: ['k', '↑'], does: 'the item before' },
  { keys: ['Enter'], does: 'open it' },
  { keys: ['h'], does: 'highlight the paragraph or what is selected; again: its note and colour' },
  { keys: ['Delete'], does: 'remove its highlight' },
  { keys: ['L'], does: 'read the text aloud, pause, go on' },
  { keys: ['g', 'i'], does: 'the inbox', isSequence: true },
  { keys: ['g', 'l'], does: 'everything', isSequence: true },
  { keys: ['g', 't'], does: 'what is to do', isSequence: true },
  { keys: ['g', 's'], does: 'save something', isSequence: true },
  { keys: ['a'], does: 'in To do: add something' },
  { keys: ['u'], does: 'back to the library' },
  { keys: ['z'], does: 'undo what was just done' },
  { keys: ['Esc'], does: 'leave a field, or close this' },
  { keys: ['?'], does: 'these keys' },
];
const choosingKeys = [
  { keys: ['m'], does: 'its menu' },
  { keys: ['Shift j', 'Shift k'], does: 'choose the next, the one before as well' },
];

/** Where `g` and a further key lead. */
const places: Readonly<Record<string, string>> = { i: '/', l: everything, t: '/app/actions', s: '/app/save' };

/** Keys that work on the whole page, and the sheet that shows them. */
export function Keys(): JSX.Element {
  const sheet = useRef<HTMLDialogElement>(null);
  const tools = useTools();
  const last = useRef('');
  useListeners({
    keydown(event) {
      if (event.defaultPrevented || event.isComposing || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTyping(event.target)) {
        if (event.key !== 'Escape') return;
        // Browsers would empty a field to search in.
        event.preventDefault();
        (event.target as HTMLElement).blur();
        return;
      }
      if (document.querySelector('dialog[open]') !== null || (event.target as Element).closest('.floating') !== null)
        return;
      const place = last.current === 'g' ? places[event.key] : undefined;
      last.current = event.key;
      const act = acts[event.key];
      if (place !== undefined) goTo(place);
      else if (!tools.press(event)) {
        if (act === undefined) return;
        act();
      }
      event.preventDefault();
    },
  });
  return (
    <>
      <button type="button" class="to-keys" aria-label="Keys (press ?)" onClick={() => sheet.current?.showModal()}>
        ?
      </button>
      <dialog ref={sheet} class="keys" aria-labelledby="keys-title">
        <header>
          <h2 id="keys-title">Keys</h2>
          <button type="button" class="plain" aria-label="Close" onClick={() => sheet.current?.close()}>
            <Icon name="close" />
          </button>
        </header>
        <div class="sheets">
          <KeyList all={pageKeys} />
          <section aria-labelledby="item-keys">
            <h3 id="item-keys">With the item that has the focus, or is read</h3>
            <KeyList
              all={[
                ...itemActions.map(({ key, label }) => ({
                  keys: [text.keys.names[key] ?? key],
                  does: label,
                })),
                ...choosingKeys,
              ]}
            />
          </section>
        </div>
      </dialog>
    </>
  );
}

interface ListedKey {
  keys: readonly string[];
  does: string;
  /** They are pressed one after the other. */
  isSequence?: boolean;
}

function KeyList({ all }: { all: readonly ListedKey[] }): JSX.Element {
  return (
    <dl>
      {all.map(({ keys, does, isSequence = false }) => (
        <div>
          <dt>
            {keys.map((key, index) => (
              <>
                {index > 0 && <span class="soft"> {isSequence ? 'then' : 'or'} </span>}
                <kbd>{key}</kbd>
              </>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a key does on the whole page. The palette is a separate key. */
const acts: Readonly<Record<string, () => unknown>> = {
  '/'() {
    const field = document.querySelector<HTMLInputElement>('.search input');
    if (field === null) goTo('/');
    // The view is drawn in the microtask before this one. Keys that were pressed already come after both.
    queueMicrotask(() => document.querySelector<HTMLInputElement>('.search input')?.select());
  },
  j: () => focusRow(1),
  k: () => focusRow(-1),
  a: () => document.querySelector<HTMLInputElement>('main .action-title')?.focus(),
  L: () => document.querySelector<HTMLElement>('.read-aloud')?.click(),
  u: () => goTo(listAddress()),
  z: () => document.querySelector<HTMLElement>('.toast button')?.click(),
  '?': () => document.querySelector<HTMLElement>('.to-keys')?.click(),
};
