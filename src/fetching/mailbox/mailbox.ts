import type { MailboxAddress } from '../../domain/links/configured-addresses.ts';
import type { WantedWords } from '../../domain/text/words/wanted-words.ts';
import { type SentFailure, ProcessingError, receiveFailure } from '../../errors.ts';
import { runInThread, workerFile } from '../../workers/start.ts';

/** `validity`: the server's word while its numbers mean the same. `last`: the last one, or a Maildir file's time. */
export interface MailboxPosition {
  validity: string;
  last: number;
}

export interface MailboxTask {
  address: MailboxAddress;
  password: string;
  /** Null: nothing was read yet. */
  since: MailboxPosition | null;
  /** The newest letters are taken the first time: so many. 0: the folder is only opened, to see whether that works. */
  maxFirst: number;
  /** Of one check. */
  maxLetters: number;
  /** Of one letter. */
  maxBytes: number;
  afterwards: Afterwards;
  words: WantedWords;
  /** Present: these letters are items now, and nothing is read. */
  settle?: SettledLetters | undefined;
}

export interface Afterwards {
  markRead: boolean;
  /** A folder of the same mailbox; empty: they stay. */
  moveTo: string;
}

export interface SettledLetters {
  validity: string;
  numbers: number[];
}

/** A letter; without bytes when it is larger than one may be, or the words do not want it. */
export interface Letter {
  /** Of a Maildir: the time of its file. */
  number: number;
  /** SHA-256 of its Message-ID, or of the letter when it has none. */
  key: string;
  title: string | null;
  from: string | null;
  /** Where it can be read on the web; null when it does not say. */
  webAddress: string | null;
  /** Whether that is on the domain of its sender. */
  isOfSender: boolean;
  /** Without the files that were taken out of it. */
  bytes: Uint8Array | null;
  files: LetterFile[];
}

export interface LetterFile {
  name: string;
  bytes: Uint8Array;
}

export interface MailboxEnd extends MailboxPosition {
  hasMore: boolean;
}

export type FromMailbox =
  | { kind: 'opened'; validity: string }
  | { kind: 'letter'; letter: Letter }
  | { kind: 'end'; end: MailboxEnd }
  | { kind: 'failure'; failure: SentFailure };

interface ReadLetters {
  letters: Letter[];
  /** Where it ended; null when it failed. */
  end: MailboxEnd | null;
  /** Perhaps after some letters. */
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
