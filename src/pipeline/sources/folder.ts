import { z } from 'zod';
import { type Clock, isoTime } from '../../domain/clock.ts';
import { localAccountId } from '../../domain/access/account-names.ts';
import type { CheckOutcome, SourceClaim, SourceEntry } from '../../domain/records/sources/source.ts';
import {
  type FolderBatch,
  type FolderEvent,
  type FolderFile,
  goneMark,
  isUnusualLoss,
  parseFingerprint,
  type ReadFolder,
} from '../../domain/records/sources/folder.ts';
import type { ImportedFile } from '../../domain/records/transfers/import.ts';
import { AppError, ProcessingError } from '../../errors.ts';
import type { Store } from '../../store/store.ts';
import type { ContentChanges, ImportContent } from '../../store/records.ts';
import { countOfDay, dayCount, type CheckSource } from './run-check.ts';

export interface FolderParts {
  /** Looks through a folder outside the main thread. */
  readFolder(request: ReadFolder, signal: AbortSignal, onBatch: (batch: FolderBatch) => Promise<void>): Promise<void>;
  maxBytes: number;
  clock: Clock;
  onEvent(sourceId: string, event: FolderEvent): void;
  /** Has the source checked after changes there. @returns whether there were any since this was called */
  watch(store: Store, claim: SourceClaim, folders: readonly string[]): () => boolean;
}

const folderMemory = z.object({
  /** Files whose deletion the person was asked about. */
  askedAbout: z.number().catch(0),
  /** Items that went to the trash in the day that began then. */
  removed: dayCount.optional().catch(undefined),
});
type FolderMemory = z.infer<typeof folderMemory>;

const minutesBetweenLooks = 5;
/** A change during a check is looked at so soon after it. */
const soonMs = 2_000;
const pageSize = 2_000;

export function createFolderCheck(parts: FolderParts): CheckSource {
  return async (store, claim, signal) => {
    // Whoever reaches a server by a token must not make it read its disk.
    if (store.accountId !== localAccountId)
      throw new ProcessingError('file_unreadable', 'Only the library of this machine has folders. Remove this source.');
    const check = new FolderCheck(parts, store, claim);
    await check.begin();
    const { address: folder } = claim;
    const { maxBytes, clock } = parts;
    const request = { folder, known: check.known(), maxBytes, now: clock.now() };
    await parts
      .readFolder(request, signal, async (batch) => {
        signal.throwIfAborted();
        await check.take(batch);
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
        throw new ProcessingError(
          'file_unreadable',
          'Looking through the folder takes too long or too much memory. Leave out parts of it with a .commonplaceignore, and simplify patterns with many stars.',
          { cause: error, retryable: true },
        );
      });
    return check.outcome();
  };
}

class FolderCheck {
  readonly #parts: FolderParts;
  readonly #store: Store;
  readonly #claim: SourceClaim;
  readonly #entries = new Map<string, SourceEntry>();
  #hasChanged = false;
  #unread = 0;
  #oneUnread = '';
  #paused: { gone: number; of: number; before: number } | null = null;
  #isAbsent = false;
  #removed: FolderMemory['removed'];
  #hasNews = (): boolean => false;

  constructor(parts: FolderParts, store: Store, claim: SourceClaim) {
    this.#parts = parts;
    this.#store = store;
    this.#claim = claim;
  }

  async begin(): Promise<void> {
    for (let afterKey = ''; ;) {
      const page = await this.#store.listSourceEntries(this.#claim.id, { afterKey, limit: pageSize });
      for (const entry of page) this.#entries.set(entry.key, entry);
      afterKey = page.at(-1)?.key ?? afterKey;
      if (page.length < pageSize) break;
    }
  }

  known(): ReadFolder['known'] {
    return [...this.#entries.values()].map(({ key, address, fingerprint }) => ({ key, address, fingerprint }));
  }

  async take(batch: FolderBatch): Promise<void> {
    const { id } = this.#claim;
    if (batch.kind === 'looked') {
      if (batch.folders !== null) this.#hasNews = this.#parts.watch(this.#store, this.#claim, batch.folders);
    } else if (batch.kind === 'files') {
      await this.#takeFiles(batch.files);
      this.#parts.onEvent(id, { kind: 'progress', done: batch.done, total: batch.total });
    } else if (batch.kind === 'end') await this.#remove(batch.gone, batch.present);
    else this.#isAbsent = true;
  }

  async #takeFiles(files: readonly FolderFile[]): Promise<void> {
    const fresh: FolderFile[] = [];
    const ids = new Map<string, string | null>();
    for (const file of files) {
      const before = file.from === null ? undefined : this.#entries.get(file.from);
      ids.set(file.key, before?.contentId ?? null);
      if (file.left !== null) this.#noteLeft(file);
      if (file.entry === null) continue;
      if (before === undefined || before.contentId === null) fresh.push(file);
      else if (!(await this.#update(before, before.contentId, file, file.entry))) fresh.push(file);
    }
    const contents = fresh.flatMap((file) => (file.entry === null ? [] : this.#contentOf(file, file.entry)));
    const saved = contents.length === 0 ? [] : await this.#store.importContent(contents);
    for (const [at, file] of fresh.entries()) {
      const before = ids.get(file.key) ?? null;
      const { id, outcome } = saved[at] ?? { id: null, outcome: 'unchanged' };
      // The item that is at this address already takes the place of the one that the file was.
      if (before !== null && before !== id) await this.#store.deleteContent(before);
      ids.set(file.key, id);
      if (outcome === 'deleted') this.#say('left', file.path, 'its item is in the trash');
      else if (outcome !== 'unchanged') this.#say('added', file.path);
    }
    const entries = files.map((file): SourceEntry => {
      const { key, address, fingerprint, entry, from } = file;
      const contentId = ids.get(key) ?? null;
      const before = from === null ? undefined : this.#entries.get(from);
      return {
        key,
        state: contentId === null ? 'left' : 'item',
        contentId,
        address,
        title: entry === null ? (before?.title ?? null) : entry.title,
        publishedAt: entry === null ? (before?.publishedAt ?? null) : entry.createdAt,
        fingerprint,
        seenAt: this.#parts.clock.now(),
      };
    });
    await this.#keep(entries);
    const moved = files.flatMap(({ key, from }) => (from === null || from === key ? [] : from));
    if (moved.length > 0) await this.#store.removeSourceEntries(this.#claim, moved);
  }

  async #keep(entries: readonly SourceEntry[]): Promise<void> {
    await this.#store.keepSourceEntries(this.#claim, entries);
    for (const entry of entries) this.#entries.set(entry.key, entry);
  }

  #noteLeft({ path, left, key, fingerprint }: FolderFile): void {
    // Said once, unless it is tried again each time.
    const isNew = this.#entries.get(key)?.fingerprint !== fingerprint;
    if (isNew) this.#say('left', path, left ?? undefined, false);
    if (parseFingerprint(fingerprint).state !== '') return;
    this.#unread += 1;
    this.#oneUnread = path;
  }

  #say(kind: 'added' | 'changed' | 'moved' | 'removed' | 'left', path: string, why?: string, isChange = true): void {
    if (isChange) this.#hasChanged = true;
    this.#parts.onEvent(this.#claim.id, { kind, path, why });
  }

  #original({ address }: FolderFile, { bytes, path }: ImportedFile & { bytes: Uint8Array }) {
    const declaredType = /\.(?:md|markdown|mdown|mkd)$/i.test(path) ? 'text/markdown' : null;
    const fetchedAt = isoTime(this.#parts.clock.now());
    return { url: address, finalUrl: address, bytes, declaredType, fetchedAt };
  }

  #contentOf(file: FolderFile, entry: NonNullable<FolderFile['entry']>): ImportContent {
    const { title, notes, createdAt, highlights } = entry;
    const tags = [...(this.#claim.options.tags ?? []), ...entry.tags];
    const about = { title, notes, createdAt, highlights, tags };
    return { ...about, url: file.address, canonicalUrl: file.address, original: this.#original(file, entry) };
  }

  /**
   * Gives an item the new text, place, title and tags of its file. False when another item has the place already. An
   * item that a person deleted stays deleted.
   */
  async #update(
    before: SourceEntry,
    contentId: string,
    file: FolderFile,
    entry: NonNullable<FolderFile['entry']>,
  ): Promise<boolean> {
    const isBack = before.key.startsWith(goneMark);
    if (isBack) await this.#store.restoreContent(contentId);
    const item = await this.#store.getContentSummary(contentId);
    if (item === null) return true;
    const changes: ContentChanges = {
      original: this.#original(file, entry),
      removeTags: file.tagsBefore.filter((tag) => !entry.tags.includes(tag)),
      addTags: entry.tags.filter((tag) => !file.tagsBefore.includes(tag)),
      // A title that a person gave it here stays.
      ...(entry.title !== before.title && item.title === before.title && { title: entry.title }),
    };
    try {
      await this.#store.updateContent(contentId, changes);
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_input') return false;
      throw error;
    }
    this.#say(isBack ? 'added' : before.key === file.key ? 'changed' : 'moved', file.path);
    return true;
  }

  /** Moves the items of files that are gone into the trash, or asks first when there are very many. */
  async #remove(keys: readonly string[], present: number): Promise<void> {
    const gone = keys.flatMap((key) => this.#entries.get(key) ?? []);
    const items = gone.filter(({ contentId }) => contentId !== null).length;
    const count = present + items;
    const { askedAbout, removed } = folderMemory.parse(this.#claim.memory);
    const now = this.#parts.clock.now();
    // Deletions in small portions within a day count together.
    const before = countOfDay(removed, now);
    const isUnusual = items > 0 && (present === 0 || isUnusualLoss(items + before.count, count + before.count));
    this.#removed = isUnusual ? { since: now, count: 0 } : { ...before, count: before.count + items };
    if (isUnusual && items > askedAbout) {
      this.#paused = { gone: items, of: count, before: before.count };
      return;
    }
    for (let at = 0; at < gone.length; at += 100) {
      const some = gone.slice(at, at + 100);
      for (const { contentId, key } of some)
        if (contentId !== null && (await this.#store.deleteContent(contentId)) !== null) this.#say('removed', key);
      // It is known by its bytes when it turns up again.
      await this.#keep(
        some.flatMap((entry) =>
          entry.contentId === null ? [] : { ...entry, key: goneMark + entry.contentId, state: 'left' as const },
        ),
      );
      await this.#store.removeSourceEntries(
        this.#claim,
        some.map(({ key }) => key),
      );
    }
  }

  outcome(): CheckOutcome {
    const { id, everyMinutes } = this.#claim;
    const usualMs = (everyMinutes ?? minutesBetweenLooks) * 60_000;
    const base = { hasChanged: this.#hasChanged, nextCheckInMs: this.#hasNews() ? soonMs : usualMs };
    const failed = (message: string) => ({ ...base, problem: { code: 'file_unreadable', message } });
    if (this.#isAbsent)
      return failed(
        'The folder is not there, or may not be read. Its items stay, and it is followed again when it is back. If it has moved, watch it at its new place and remove this source.',
      );
    if (this.#paused !== null) {
      const { gone, of, before } = this.#paused;
      const others = before === 0 ? '' : ` ${before} others went to the trash within the last day.`;
      return {
        ...base,
        state: 'paused',
        memory: { askedAbout: gone },
        problem: {
          code: 'many_gone',
          message: `${gone} of ${of} files are gone, and their items were kept.${others} If the drive was not there or the folder was moved, put it back. Then, or if they were really deleted: commonplace sources resume ${id}. What is still gone then goes to the trash.`,
        },
      };
    }
    const memory = { removed: this.#removed };
    if (this.#unread === 0) return { ...base, memory, problem: null };
    const why = failed(
      `${this.#unread === 1 ? 'A file' : `${this.#unread} files`} cannot be read or is being written, such as ${JSON.stringify(this.#oneUnread)}. Check who may read it. It is tried again.`,
    );
    return { ...why, memory };
  }
}
