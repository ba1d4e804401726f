import { ProcessingError, receiveFailure } from '../../errors.ts';
import { runInThread, workerFile } from '../../workers/start.ts';
import type { FromMailbox, Letter, MailboxEnd, MailboxTask } from './mailbox-protocol.ts';

export type { Letter, LetterFile, MailboxPosition, Afterwards } from './mailbox-protocol.ts';

export interface ReadLetters {
  /** The oldest first. */
  letters: Letter[];
  /** Where it ended; null when it failed. */
  end: MailboxEnd | null;
  /** Why it failed, perhaps after some letters. */
  failure: ProcessingError | null;
  /** Of its numbers; null when the folder was not opened. */
  validity: string | null;
}

const maxMs = 5 * 60_000;

/** Reads or settles letters in a thread by itself, which is ended when it takes too long. Aborting rejects with the signal's reason. */
export async function readMailbox(task: MailboxTask, signal: AbortSignal): Promise<ReadLetters> {
  const letters: Letter[] = [];
  let validity: string | null = null;
  const tooLong = AbortSignal.timeout(maxMs);
  try {
    return await runInThread<FromMailbox, ReadLetters>(
      workerFile('./mailbox-worker', import.meta.url),
      task,
      AbortSignal.any([signal, tooLong]),
      (message, { resolve }) => {
        if (message.kind === 'letter') return void letters.push(message.letter);
        if (message.kind === 'opened') return void (validity = message.validity);
        if (message.kind === 'end')
          return resolve({ letters, end: message.end, failure: null, validity: message.end.validity });
        resolve({ letters, end: null, failure: receiveFailure(message.failure), validity });
      },
    );
  } catch (cause) {
    if (!tooLong.aborted || signal.aborted) throw cause;
    const failure = new ProcessingError(
      'timeout',
      'Reading the mailbox took too long, so it was given up. It is tried again later.',
      { retryable: true, cause },
    );
    return { letters, end: null, failure, validity };
  }
}
