import type { ExportedGoal, ExportedHistoryEntry, ExportedItem, ExportedList, ExportedSource } from './exported.ts';
import type { Shelf } from '../content.ts';
import type { ImportedHighlight } from '../highlights/highlight.ts';

/* The entries that an import reads from an export file of another program. All values are cleaned and within the limits of an item. */

/** Where the other program kept an entry, and whether and how far it was read there. */
export interface ImportedState {
  shelf: Shelf;
  readAt: number | null;
  readingShare: number | null;
}

/** A web address from an export, with what the other program knew about it. */
export interface ImportedAddress {
  kind: 'address';
  /** Its place in the file, counted from 1. */
  line: number;
  url: string;
  canonicalUrl: string;
  title: string | null;
  tags: string[];
  /** Names of lists by hand that it goes into. */
  lists?: string[];
  notes: string | null;
  /** When it was saved there, in milliseconds since the epoch. */
  createdAt: number | null;
  /** Absent: nothing is known. */
  state?: ImportedState;
  highlights: ImportedHighlight[];
  /** Values that did not fit or are not imported. */
  shortened: string[];
  /** The page's content as the other program stored it, used instead of fetching. */
  page?: KeptPage;
  /** It is a feed, which can be followed. */
  isFeed?: true;
}

/** HTML or Markdown. */
export interface KeptPage {
  html?: string;
  text?: string;
}

/** A file of this machine that is itself what is saved: a note, or a PDF. */
export interface ImportedFile extends Omit<ImportedAddress, 'kind' | 'url' | 'canonicalUrl' | 'page'> {
  kind: 'file';
  path: string;
  /** For a file inside an archive, which has no path. */
  bytes?: Uint8Array;
}

/** A text that is itself saved: a note, or the highlights of a book. */
export interface ImportedText extends Omit<ImportedAddress, 'kind' | 'url' | 'canonicalUrl' | 'page'> {
  kind: 'text';
  /** The same for the same note or book in every export of a program. */
  name: string;
  /** Markdown. */
  text: string;
}

/** A mail of a mailbox, that is itself what is saved. Its title is its subject, which is also in its bytes. */
export interface ImportedMail extends Omit<ImportedAddress, 'kind' | 'url' | 'canonicalUrl' | 'page'> {
  kind: 'mail';
  /** The same for the same mail in every export of a mailbox. */
  name: string;
  bytes: Uint8Array;
}

/** Goals of an export of this program. */
export interface ImportedGoals {
  kind: 'goals';
  line: number;
  goals: ExportedGoal[];
}

/** An item of an export of this program, as it was. */
export interface ImportedRecord {
  kind: 'record';
  line: number;
  item: ExportedItem;
  /** The folder of the export, which has the originals. */
  place: string;
}

/** Lists of an export of this program. */
export interface ImportedLists {
  kind: 'lists';
  line: number;
  lists: ExportedList[];
}

/** Sources of an export of this program. */
export interface ImportedSources {
  kind: 'sources';
  line: number;
  sources: ExportedSource[];
}

/** Changes of the history of an export of this program. */
export interface ImportedHistory {
  kind: 'history';
  line: number;
  entries: ExportedHistoryEntry[];
}

/** An entry that cannot become an item. */
export interface ImportRefusal {
  kind: 'refusal';
  line: number;
  /** The address or the title, to find it again. */
  what: string;
  /** `skipped`: it is nothing to save. `failed`: it could not be read. */
  outcome: 'skipped' | 'failed';
  reason: string;
}

export type ImportEntry =
  | ImportedAddress
  | ImportedFile
  | ImportedText
  | ImportedMail
  | ImportedGoals
  | ImportedRecord
  | ImportedLists
  | ImportedSources
  | ImportedHistory
  | ImportRefusal;

/** Entries of one file of an export. */
export interface ImportBatch {
  /** Which file, as a person knows it. */
  file: string;
  /** The recognised format, such as "Pocket (CSV)". */
  format: string;
  entries: ImportEntry[];
  /** How much of the whole export has been read. */
  bytesRead: number;
  bytesTotal: number;
}
