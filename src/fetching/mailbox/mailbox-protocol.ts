import type { MailboxAddress } from '../../domain/links/mailbox-address.ts';
import type { WantedWords } from '../../domain/text/words/wanted-words.ts';
import type { SentFailure } from '../../errors.ts';

/**
 * How far a mailbox has been read. `validity`: the server's word for as long as its numbers mean the same letters; `last`:
 * the number of the last letter, or of a Maildir the time of its file.
 */
export interface MailboxPosition {
  validity: string;
  last: number;
}

/** Bytes of the letters of one check, after the first. */
export const maxTogether = 32 * 1024 ** 2;

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
  /** What becomes of letters in the mailbox once they are items. */
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

/** Letters by their numbers. */
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

/** A file that was attached to a letter. */
export interface LetterFile {
  name: string;
  bytes: Uint8Array;
}

export interface MailboxEnd extends MailboxPosition {
  /** Whether there are more new letters. */
  hasMore: boolean;
}

export type FromMailbox =
  /** Its folder is open. */
  | { kind: 'opened'; validity: string }
  | { kind: 'letter'; letter: Letter }
  | { kind: 'end'; end: MailboxEnd }
  | { kind: 'failure'; failure: SentFailure };
