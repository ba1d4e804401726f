import type {
  CheckOutcome,
  NewSource,
  Source,
  SourceChanges,
  SourceClaim,
  SourceEntry,
  SourceEntryQuery,
  SourceEntryState,
  SourceKind,
  UntouchedItems,
} from '../domain/records/sources/source.ts';

/**
 * Feeds, pages, folders and mailboxes that bring items by themselves, and what they offered. Everything belongs to one
 * account. The items of a source are items like others: they stay when the source goes.
 */
export interface Sources {
  /** By name. */
  listSources(kind?: SourceKind): Promise<Source[]>;
  getSource(id: string): Promise<Source | null>;
  /**
   * Adds a source, which is checked at once. One of the same kind and address is that source: it takes what is given, and
   * is resumed.
   * @throws {AppError} `invalid_input` when the account has `maxSources`
   */
  addSource(source: NewSource): Promise<Source>;
  /** Null when there is no such source. */
  updateSource(id: string, changes: SourceChanges): Promise<Source | null>;
  /** Its items stay. Undo brings it back with its entries. Null when there is no such source. */
  deleteSource(id: string): Promise<Source | null>;
  /** Makes an active source due now. Returns false when there is none with this id that is active. */
  askSource(id: string): Promise<boolean>;
  /** When the next source is due, or the lease of a check ends; null when none waits. */
  nextSourceDueAt(): Promise<number | null>;
  /**
   * Claims the source that has been due longest, of these kinds, and whose host is not busy; null when there is none. Then
   * those of other kinds that are due are put off for five minutes: nobody may be there to check them.
   */
  claimSource(
    leaseMs: number,
    which: { kinds: readonly SourceKind[]; busyHosts?: readonly string[] },
  ): Promise<SourceClaim | null>;
  /** False when the claim is no longer ours. */
  renewSource(claim: SourceClaim, leaseMs: number): Promise<boolean>;
  /**
   * Ends a check; without an outcome it counts as not begun, and is due again soon. Does nothing when the claim is no longer
   * ours, or the source was paused or removed meanwhile.
   */
  endSourceCheck(claim: SourceClaim, outcome: CheckOutcome | null): Promise<void>;
  /** The entries of a source, newest first, or by their keys. */
  listSourceEntries(sourceId: string, query: SourceEntryQuery): Promise<SourceEntry[]>;
  /** How many `listSourceEntries` lists without a limit. */
  countSourceEntries(sourceId: string, state?: SourceEntryState): Promise<number>;
  /** Those of a source that have these keys. */
  findSourceEntries(sourceId: string, keys: readonly string[]): Promise<SourceEntry[]>;
  /** Items whose files a note links to, and those of notes that link to it; of a letter, those of its files; at most `limit`. */
  listLinked(contentId: string, limit: number): Promise<string[]>;
  /** Items that this source brought, and that nobody has read, marked, tagged, or moved from the inbox. */
  findUntouchedItems(sourceId: string, which: UntouchedItems): Promise<string[]>;
  /**
   * Adds entries, or replaces those with the same key. An item that is not there is noted as none.
   * @throws {LeaseLostError} when the claim is no longer ours; then nothing is kept
   */
  keepSourceEntries(claim: SourceClaim, entries: readonly SourceEntry[]): Promise<void>;
  /** Notes that an entry was opened, and became this item. */
  noteOpenedEntry(sourceId: string, key: string, contentId: string): Promise<void>;
  /** @throws {LeaseLostError} when the claim is no longer ours; then nothing is removed */
  removeSourceEntries(claim: SourceClaim, keys: readonly string[]): Promise<void>;
}
