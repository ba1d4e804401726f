import { useCallback } from 'preact/hooks';
import { CallError } from '../calls.ts';
import type { Outgoing } from '../kept/outbox.ts';
import { useStore } from '../store.ts';
import { text } from '../text.ts';
import { useTell } from './toast.tsx';

/** Writes that are made at once or not at all: nobody expects them later, or their answer is what matters. */
const notLater = /_(?:token|key|assistant|session|export|import)$|^retry_all$|^purge_items$/;

export interface Write extends Pick<Outgoing, 'operation'> {
  /** What was typed: a draft again when the write is refused. */
  draft?: { name: string; value: unknown };
  /** Several are called one after the other. */
  input: object | readonly object[];
  /** What is said when it is done. */
  done?: string | ((answer: never) => string);
}

export type WriteCall = <Answer>(write: Write) => Promise<Answer | null>;

/**
 * Calls an operation that writes, says so, and offers to take it back. Null when it was refused, which is said, too. When the server
 * is away, the write waits in the outbox, and the answer has no fields.
 */
export function useWrite(): WriteCall {
  const store = useStore();
  const tell = useTell();
  return useCallback(
    async function write<Answer>({ operation, input, draft, done }: Write): Promise<Answer | null> {
      const undos: { id: string }[] = [];
      const words = new Set<string>();
      const undo = () => void write({ operation: 'undo', input: undos, done: text.undoneOrNot });
      const say = (message: string): void => tell({ message, ...(undos.length > 0 && { undo }) });
      try {
        let last: Answer | null = null;
        for (const one of [input].flat()) {
          const answer = notLater.test(operation)
            ? await store.call<Answer & { undo?: string }>(operation, one)
            : await store.write<Answer & { undo?: string }>({ operation, input: one, drafts: draft && [draft] });
          last = answer ?? ({} as Answer);
          if (answer === null) words.add(text.kept.waits);
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
