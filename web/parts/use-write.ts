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
  input: object;
  /** What is said when it is done. */
  done?: string;
}

/** Calls an operation that writes, says so, and offers to take it back. Null when it was refused, which is said, too. */
export function useWrite(): <Answer>(write: Write) => Promise<Answer | null> {
  const store = useStore();
  const tell = useTell();
  return useCallback(
    async <Answer>({ operation, input, done }: Write): Promise<Answer | null> => {
      try {
        const answer = await store.call<Answer & { undo?: string }>(operation, input);
        const { undo } = answer;
        store.refresh(...readers);
        if (done !== undefined) tell({ message: done, ...(undo !== undefined && { undo: () => void takeBack(undo) }) });
        return answer;
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        tell({ message: error.status === 0 ? text.connectionLost : error.message });
        return null;
      }
    },
    [store, tell],
  );

  async function takeBack(id: string): Promise<void> {
    try {
      const { outcome } = await store.call<{ outcome: string }>('undo', { id });
      tell({ message: outcome === 'changed_since' ? text.notUndone : text.undone });
      store.refresh(...readers);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      tell({ message: error.status === 0 ? text.connectionLost : error.message });
    }
  }
}
