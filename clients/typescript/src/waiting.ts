import { pause, type CallOptions } from './requests.ts';

export interface WaitOptions<State> extends CallOptions {
  /** Longest wait in milliseconds. Default 120,000; for imports and exports an hour. */
  timeoutMs?: number;
  /** Pause between two looks, in milliseconds. Default 1,000. */
  intervalMs?: number;
  /** Called with every state that was read. */
  onProgress?: (state: State) => void;
}

/** Looks until something is over. @throws what `isOver` throws; `TimeoutError`; the signal's reason */
export async function waitFor<State>(
  look: (signal: AbortSignal) => Promise<State>,
  isOver: (state: State) => boolean,
  { timeoutMs = 120_000, intervalMs = 1_000, onProgress, signal }: WaitOptions<State>,
): Promise<State> {
  const ending = AbortSignal.timeout(timeoutMs);
  const until = signal === undefined ? ending : AbortSignal.any([signal, ending]);
  for (;;) {
    const state = await look(until);
    onProgress?.(state);
    if (isOver(state)) return state;
    await pause(intervalMs, until);
  }
}
