import { useCallback } from 'preact/hooks';
import { CallError } from '../calls.ts';
import { useStore } from '../store.ts';
import { text } from '../text.ts';
import { useTell } from './toast.tsx';

/** Reads whose answers may change with any write. */
const readers = [
  'library_state',
  'list_content',
  'list_library',
  'read_item',
  'list_actions',
  'list_goals',
  'list_todo',
  'goals_overview',
  'list_tags',
  'list_highlights',
  'weekly_review',
  'search',
  'history',
  'show_access',
  'list_imports',
  'list_exports',
];

interface Write {
  operation: string;
  /** Several are called one after the other. */
  input: object | readonly object[];
  /** What is said when it is done. */
  done?: string | ((answer: never) => string);
}

export type WriteCall = <Answer>(write: Write) => Promise<Answer | null>;

/** Calls an operation that writes, says so, and offers to take it back. Null when it was refused, which is said, too. */
export function useWrite(): WriteCall {
  const store = useStore();
  const tell = useTell();
  return useCallback(
    async <Answer>({ operation, input, done }: Write): Promise<Answer | null> => {
      const undos: string[] = [];
      const words = new Set<string>();
      const say = (message: string): void =>
        tell({ message, ...(undos.length > 0 && { undo: () => void takeBack(undos) }) });
      try {
        let last: Answer | null = null;
        for (const one of [input].flat()) {
          const answer = await store.call<Answer & { undo?: string }>(operation, one);
          if (answer.undo !== undefined) undos.unshift(answer.undo);
          if (done !== undefined) words.add(typeof done === 'string' ? done : done(answer as never));
          last = answer;
        }
        if (words.size > 0) say([...words].join(' '));
        return last;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        // What was done before it can be taken back.
        say(error.status === 0 ? text.connectionLost : error.message);
        return null;
      } finally {
        store.refresh(...readers);
      }
    },
    [store, tell],
  );

  async function takeBack(ids: readonly string[]): Promise<void> {
    try {
      let message = text.undone;
      for (const id of ids) {
        const { outcome } = await store.call<{ outcome: string }>('undo', { id });
        if (outcome === 'changed_since') message = text.notUndone;
      }
      tell({ message });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      tell({ message: error.status === 0 ? text.connectionLost : error.message });
    } finally {
      store.refresh(...readers);
    }
  }
}
