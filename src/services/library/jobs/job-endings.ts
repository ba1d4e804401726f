import { isOutOfRoom } from '../../../domain/machine-limits.ts';
import { AppError } from '../../../errors.ts';

/** The reason of the abort of a job. It says in which state the job ends. */
export class Ending extends Error {
  readonly state: 'cancelled' | 'interrupted';

  constructor(state: 'cancelled' | 'interrupted') {
    super(`the job is ${state}`);
    this.state = state;
  }
}

/** Whether the job ended because the server stopped, and not because somebody cancelled it. */
export function isInterrupted({ reason }: AbortSignal): boolean {
  return reason instanceof Ending && reason.state === 'interrupted';
}

/** In which state a job ends that did not finish: it was aborted with the reason of its signal, or it failed. */
export function endStateOf({ reason }: AbortSignal): 'cancelled' | 'interrupted' | 'failed' {
  return reason instanceof Ending ? reason.state : 'failed';
}

/** What the record of a failed job says. */
export function failureOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (isOutOfRoom(error))
    return 'There was too little room on the disk of the server. Free some space, and begin again.';
  return 'Something went wrong inside Commonplace. The log of the server says what; try again.';
}

/** Waits for `before`. Throws the reason of the abort when that comes first. */
export async function untilAborted(before: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.throwIfAborted();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([before ?? Promise.resolve(), promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
