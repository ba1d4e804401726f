import type { Account, Plan } from '../domain/records/account.ts';
import type { Writer } from '../domain/records/change.ts';
import type { ContentSummary } from '../domain/records/content.ts';
import type { PassageId, RankedPassage } from '../domain/records/texts/passage.ts';
import type { Original, Resource } from '../domain/records/resource.ts';
import type { ExportedItem } from '../domain/records/transfers/exported.ts';
import type { Control } from './control/control.ts';
import type { UndoCall, UndoOutcome } from './history.ts';
import type { Promised } from './library/db.ts';
import type { reads, swaps, works, writes } from './library/methods.ts';
import type * as records from './records.ts';
import type * as searching from './records/search-records.ts';

/**
 * All methods of one account. Most are those of `library/methods.ts`, in their files by subject; the engines share them. Depend on
 * the methods that you need: `Pick<Store, …>`.
 */
export interface Store
  extends
    Promised<typeof reads>,
    Promised<typeof writes>,
    Promised<typeof works>,
    Promised<typeof swaps>,
    EngineMethods,
    SearchMethods {
  readonly accountId: string;

  close(): Promise<void>;
}

/** Methods that each engine implements itself. */
interface EngineMethods {
  /**
   * Inserts the item and queues its job, or merges tags and notes into the item with the same canonical URL. That item
   * is queued again when it had failed, and when the given original differs from its own: the new bytes become its next
   * version, and the previous version stays visible until the new one has its passages. A deleted item is restored
   * first.
   */
  saveContent(input: records.SaveContent): Promise<records.SavedContent>;
  /**
   * Inserts entries of an export, in one write, and queues their jobs in the background. Of an entry whose address is
   * there already, tags, notes, a missing title and an earlier date are added to that item. Repeating it changes
   * nothing. Failed items are not queued again, and deleted ones not restored. @returns one outcome for each entry
   */
  importContent(entries: readonly records.ImportContent[]): Promise<records.ImportedContent[]>;
  /**
   * Null when there is no such item. A note's new text queues it, and the text before stays visible until the new one has
   * its passages.
   * @throws {AppError} `invalid_input` for more tags than an item can have, and when another note has the text;
   *   `precondition_failed` when the item has changed since the version `unchangedSince`
   */
  updateContent(id: string, changes: records.ContentChanges): Promise<ContentSummary | null>;
  /**
   * The item's original as it was fetched; null before `fetch` has run. `name` is '' for the item itself, or a
   * companion's URL.
   */
  readOriginal(contentId: string, name?: string): Promise<Original | null>;
  /**
   * Keeps a resource that belongs to the item beside its original (captions, a player response); does nothing when the
   * item is gone.
   */
  keepCompanion(contentId: string, name: string, resource: Resource): Promise<void>;
  /**
   * Inserts an item as it was exported. One that is there and was not changed later than the export is left as it is; an
   * older one is replaced. An item that has the address and another id gets what an import would add to it.
   * @param originals in the order of `item.originals`
   */
  restoreItem(item: ExportedItem, originals: readonly Resource[]): Promise<records.ImportedContent>;
  /**
   * Inserts several items, in fewer writes. Those that are there are replaced, newer ones and those in the trash, too.
   * When it fails, some of them may be there, each of them whole.
   */
  restoreItems(items: readonly records.ItemToRestore[]): Promise<void>;
  /**
   * Restores what a change replaced. A large one is undone in several writes, the newest part first; when the program
   * is killed meanwhile, the same call goes on. Items that it saved go to the trash.
   */
  undo(id: string, how: UndoCall): Promise<UndoOutcome | null>;

  /**
   * Whether nothing is left to do: no job (due at any time), no due source, and no maintenance. If so, no work announced with this
   * number or a smaller one is written any more; it is announced again. So the announcement can be withdrawn.
   */
  settleWork(generation: number): Promise<boolean>;
  /** Whether there is work outside the items' jobs: `purgeExpired`, `listLinksDue` or `maintain` have something to do. */
  hasMaintenance(): Promise<boolean>;
  /**
   * Does a small part of whatever the engine needs to stay fast. Other writes may come between two calls.
   * @returns whether there was anything to do
   */
  maintain(): Promise<boolean>;
  /** Releases the job as well, so there is no claim for the next stage. */
  keepOriginalAndRelease(claim: records.Claim, original: Resource): Promise<void>;
  /**
   * Compares the text of a refresh with the visible one. The same ends it. Another one becomes the next version, which
   * is shown after the stage `split`; one that has lost most of its words is kept as a version that is not shown.
   */
  keepChangedPage(
    claim: records.Claim,
    original: Resource,
    companions: readonly { name: string; resource: Resource }[],
    text: records.RefreshedText,
  ): Promise<void>;
}

/** Passages and their indexes: words, vectors and names. */
export interface SearchMethods {
  /**
   * Runs a method that the program has put beside the index (`IndexMethods`).
   * @param vectors that it compares with those of passages
   * @param items the keys of those of which the index seems to consist; absent: of all
   */
  askIndex(
    method: string,
    argument: unknown,
    vectors?: readonly (searching.QuestionVector | null)[],
    items?: readonly number[],
  ): Promise<unknown>;
  /** For each of these, the keys of items that have these words in a row, in any of their forms. */
  itemsWithWords(words: readonly string[]): Promise<number[][]>;
  /** See `IndexReader.searchWords`. */
  searchWords(query: string, filter: searching.PassageFilter, limit: number): Promise<RankedPassage[]>;
  /** Best first; `score` is the cosine. `query` is of unit length. */
  searchVectors(
    embedderId: string,
    query: Float32Array,
    filter: searching.PassageFilter,
    limit: number,
  ): Promise<RankedPassage[]>;
  /** In the order of `passageIds`; ids that are gone are left out. */
  readPassages(passageIds: readonly PassageId[]): Promise<searching.FoundPassage[]>;
  /** At most `limit` passages of an item, evenly spread over it. */
  sampleItem(contentId: string, embedderId: string | null, limit: number): Promise<searching.PassageSample[]>;
  /**
   * Names that contain a word beginning with the last word of `typed`, and its other words. When `typed` is empty, only tags.
   * @param items the keys of the items that the names belong to; absent: of all
   */
  listNamesLike(typed: string, limit: number, items?: readonly number[]): Promise<searching.NamesLike>;
  /** Keeps some vectors without ending the stage; `vectors` are of unit length. */
  keepVectors(embedderId: string, vectors: readonly { passageId: number; vector: Float32Array }[]): Promise<void>;
  /** The embedders that passages have vectors of; the one with the most vectors first. */
  listEmbedders(): Promise<{ id: string; vectors: number }[]>;
}

/** A data folder. Two processes may have the same one open. */
export interface Stores {
  readonly control: Control;
  /**
   * @param writer with a change: what the store writes is recorded as part of it, each write together with its history
   * @param signal Aborting it rejects the store's reads for a search with the signal's reason and ends their work.
   * `unavailable` can also mean that a read took too long or broke: ask again.
   * @throws {AppError} `not_found` when there is no such account.
   */
  open(writer: Writer, signal?: AbortSignal): Promise<Store>;
  /**
   * Removes an account permanently, even while other processes use it: first sets a mark that refuses every further write and every
   * token, then deletes the records. The next opening of the folder completes an interrupted removal.
   */
  removeAccount(accountId: string): Promise<void>;
  /**
   * Hides an account and all that it saved, and keeps it for 30 days that processes saw pass; then it is removed for
   * good. @throws {AppError} like `removeAccount`
   */
  setAsideAccount(accountId: string): Promise<void>;
  /** Null when no account with this id can be brought back. */
  bringBackAccount(accountId: string): Promise<Account | null>;
  listSetAside(): Promise<(Account & { removedAt: string })[]>;
  removeExpiredAccounts(): Promise<void>;
  /** Paths of whole copies of the data folder that are in it. */
  copiesPutAside(): string[];
  /**
   * Makes a library (an account's file, from this folder or a backup) the library of an account. It keeps its id when
   * that is free, or when the account with that id has lost its library.
   * @throws {AppError} `invalid_input` when the file is not a library
   */
  adoptLibrary(path: string, account: { name: string; plan: Plan }): Promise<Account>;
  /**
   * Lets an account whose library is missing start with an empty one. @throws {AppError} `invalid_input` when the
   * library exists
   */
  startEmpty(accountId: string): Promise<void>;
  /** Opens every account's library. */
  checkLibraries(): Promise<LibraryProblems>;
  /** Whether data saved now would last. @throws {AppError} `unavailable`, with the reason, when it would not */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

/** Differences between the libraries in the folder and the known accounts. */
export interface LibraryProblems {
  /** Accounts whose library is missing or unusable for another reason; `message` says why. */
  unusable: { accountId: string; message: string }[];
  /** Names of files that may be libraries and belong to no account. */
  unknown: string[];
}
