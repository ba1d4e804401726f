import type { ContentItem, ContentSummary } from '../domain/records/content.ts';
import type { ContentChanges, ContentQuery, KnownNames, Page, SaveContent, SavedContent } from './records.ts';
import type { Coverage } from './search-records.ts';

/** What was saved: items, their words of a person, the trash. Everything here is one account's. */
export interface Items {
  /**
   * Inserts the item and queues its job, or merges tags and notes into the one with the same canonical URL. That one is
   * queued again when it had failed, and when an original is given whose bytes differ from its own: they become its next
   * version, and the one before stays visible until the new one has its passages. A deleted one is restored first.
   */
  saveContent(input: SaveContent): Promise<SavedContent>;
  getContent(id: string): Promise<ContentItem | null>;
  getContentSummary(id: string): Promise<ContentSummary | null>;
  /** Newest first. */
  listContent(query: ContentQuery): Promise<Page<ContentSummary>>;
  /** At most `most` tags, and the titles of at most `most` items. */
  listNames(most: number): Promise<KnownNames>;
  /**
   * Queues a failed item (or one waiting for its next attempt) at once, from the stage that failed; one that failed at
   * `extract` is fetched again, unless its original was given with the save. False when there is nothing to retry.
   */
  retryContent(id: string): Promise<boolean>;
  /** Null when there is no such item. @throws {AppError} `invalid_input` for more tags than an item can have */
  updateContent(id: string, changes: ContentChanges): Promise<ContentSummary | null>;
  /**
   * Hides the item from every other method and stops its job. Doing it again changes nothing. Null when there is no
   * such item, or none that could be restored any more.
   */
  deleteContent(id: string): Promise<ContentSummary | null>;
  /** Shows a deleted item again; one that is not deleted is left as it is. Null when there is neither. */
  restoreContent(id: string): Promise<ContentSummary | null>;
  /** Removes items that were deleted `restorableForMs` ago, with all that is theirs. @returns how many, `most` at most */
  purgeExpired(most: number): Promise<number>;
  coverage(): Promise<Coverage>;
}
