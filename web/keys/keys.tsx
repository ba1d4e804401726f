import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { goTo, listAddress } from '../address.tsx';
import { everything } from '../questions.ts';
import { itemActions } from '../items/item-actions.ts';
import { useTools } from '../items/item-tools.tsx';
import { Icon, useListeners } from '../parts/elements.tsx';
import { text } from '../text.ts';
import { focusRow, isTyping } from './focus-row.ts';

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
      if (place !== undefined) goTo(place);
      else if (!tools.press(event) && !act(event.key, () => sheet.current?.showModal())) return;
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
          <KeyList all={text.keys.all} />
          <section aria-labelledby="item-keys">
            <h3 id="item-keys">With the item that has the focus, or is read</h3>
            <KeyList
              all={[
                ...itemActions.map(({ key, name }) => ({
                  keys: [text.keys.names[key] ?? key],
                  does: text.items.actions[name],
                })),
                ...text.keys.choosing,
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

/** @returns whether the key means something */
function act(key: string, showKeys: () => void): boolean {
  switch (key) {
    case '/': {
      const field = document.querySelector<HTMLInputElement>('.search input');
      if (field === null) goTo('/');
      // The view is drawn in the microtask before this one. Keys that were pressed already come after both.
      queueMicrotask(() => document.querySelector<HTMLInputElement>('.search input')?.select());
      return true;
    }
    case 'j':
      focusRow(1);
      return true;
    case 'k':
      focusRow(-1);
      return true;
    case 'a':
      document.querySelector<HTMLInputElement>('main .action-title')?.focus();
      return true;
    case 'L':
      document.querySelector<HTMLElement>('.read-aloud')?.click();
      return true;
    case 'u':
      goTo(listAddress());
      return true;
    case 'z':
      document.querySelector<HTMLElement>('.toast button')?.click();
      return true;
    case '?':
      showKeys();
      return true;
    default:
      return false;
  }
}
