import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { ActionItem } from '../records.ts';
import { useConnection } from '../store.ts';
import { text } from '../text.ts';

/** The round box before something to do: a press marks it done, or opens it again. */
export function Tick({ id, title, state }: Pick<ActionItem, 'id' | 'title' | 'state'>): JSX.Element {
  const write = useWrite();
  const isOpen = state === 'open';
  const isWaiting = useConnection().waiting.some(([, { input }]) => (input as { id?: string }).id === id);
  return (
    <button
      type="button"
      class={`tick ${isWaiting ? 'waits' : ''}`}
      aria-label={isOpen ? text.actions.markDone(title) : text.actions.reopen(title)}
      onClick={() =>
        void write({
          operation: isOpen ? 'complete_action' : 'update_action',
          input: isOpen ? { id } : { id, state: 'open' },
          done: isOpen ? text.actions.doneToast : text.actions.reopenedToast,
        })
      }
    >
      <Icon name="check" />
    </button>
  );
}
