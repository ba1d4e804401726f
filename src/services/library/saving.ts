import { type Clock, isoTime } from '../../domain/clock.ts';
import type { SavedMany, SaveOutcome } from '../../domain/records/answers.ts';
import type { ContentItem, ContentSummary } from '../../domain/records/content.ts';
import { stages } from '../../domain/records/stages.ts';
import type { Store, Stores } from '../../store/store.ts';
import { noteScheme } from '../../domain/links/shown-address.ts';
import { canonicalUrl, maxUrlLength, parseSavableUrl } from '../../domain/links/url.ts';
import type { Writer } from '../../domain/records/change.ts';
import type { Resource } from '../../domain/records/resource.ts';
import { cleanLine, cleanText } from '../../domain/text/clean-text.ts';
import { AppError } from '../../errors.ts';
import type { GivenPushed, RequestThread } from '../../requests/request-thread.ts';
import { shortenTexts } from '../../search/shorten.ts';
import type { ItemWithoutText, SaveContent } from '../../store/records.ts';
import { refusedField } from './change-many.ts';

export interface Progress {
  /** Finished stages; only ever rises. */
  progress: number;
  total: number;
  message: string;
}

export interface ProcessingWait {
  onProgress?: ((progress: Progress) => void) | undefined;
  signal: AbortSignal;
}

type SavedUrl = SavedMany['items'][number];

const pollMs = 100;

const stageMessages = {
  fetch: 'Fetching the page',
  extract: 'Reading out the text',
  split: 'Splitting it into passages',
  embed: 'Preparing it for search',
  analyse: 'Summarising it',
} as const;

function endMessage({ status }: ContentSummary): string {
  if (status === 'completed') return 'Done';
  return status === 'failed' ? 'It could not be processed' : 'Put off to a later attempt';
}

type ProcessingWatch = ReturnType<typeof createProcessingWatch>;

/** Waits for an item while it is processed, and reports its progress. */
export function createProcessingWatch(clock: Clock) {
  const untilProcessed = async (store: Store, id: string, waitMs: number, { onProgress, signal }: ProcessingWait) => {
    const deadline = clock.elapsed() + waitMs;
    let reported = -1;
    for (;;) {
      const item = await store.getContentSummary(id);
      if (item === null) return;
      if (item.progress === undefined || item.failure !== undefined) {
        onProgress?.({ progress: stages.length, total: stages.length, message: endMessage(item) });
        return;
      }
      const finished = stages.indexOf(item.progress.stage);
      if (finished > reported) {
        reported = finished;
        onProgress?.({ progress: finished, total: stages.length, message: stageMessages[item.progress.stage] });
      }
      if (clock.elapsed() >= deadline) return;
      await clock.sleep(Math.min(pollMs, Math.max(1, deadline - clock.elapsed())), signal);
    }
  };

  const waitAndRead = async (store: Store, id: string, waitSeconds: number, waiting: ProcessingWait) => {
    if (waitSeconds <= 0) return null;
    await untilProcessed(store, id, waitSeconds * 1_000, waiting);
    return store.getContent(id);
  };

  return { untilProcessed, waitAndRead };
}

export interface SaveRequest extends GivenPushed {
  url: string;
  tags?: readonly string[] | undefined;
  notes?: string | undefined;
  /** See `SaveContent`. */
  shelf?: SaveContent['shelf'];
  isFiled?: SaveContent['isFiled'];
  /** A title of the person's own, which stays whatever the page says. Content that is given has `title` instead. */
  ownTitle?: string | undefined;
  /** Whether the page of a known address is refetched. */
  refresh?: boolean | undefined;
  /** Shown for a new item until its text says more. */
  known?: SaveContent['known'];
  /** Seconds to wait until the item is processed; 0 or absent answers at once. */
  wait?: number | undefined;
  /** Token budget of the answer; absent when there is no limit. */
  maxTokens?: number | undefined;
}

/** The saved item, without its transcript, and whether it was new. */
export type SavedItem = Omit<ContentItem, 'transcript'> & { outcome: SaveOutcome; undo?: string };

interface SavingParts {
  stores: Stores;
  clock: Clock;
  /** Called after something was queued, so that a worker in this process begins at once. */
  onQueued: () => void;
  /** Makes an original of the content that a client sent, outside the main thread. */
  makeOriginal: RequestThread['makeOriginal'];
  watch: ProcessingWatch;
  /** Adds what an answer warns of. */
  withWarnings: <T extends ItemWithoutText>(item: T) => Promise<T>;
}

/** As the person typed it, unless it has characters that no address may have: then as browsers open it. */
function asTyped(text: string, parsed: URL): string {
  return /^https?:\/\/\S+$/i.test(text) && cleanText(text) === text ? text : parsed.href;
}

export async function originalOfNote(
  makeOriginal: RequestThread['makeOriginal'],
  clock: Clock,
  note: GivenPushed,
): Promise<Resource> {
  const original = await makeOriginal(noteScheme, note, isoTime(clock.now()));
  if (original === null) throw new Error('a note without a text has no original');
  return original;
}

/** Saves pages, notes and files. A part of `createLibraryService`. */
export function createSaving({
  stores,
  clock,
  onQueued,
  makeOriginal,
  watch: { untilProcessed, waitAndRead },
  withWarnings,
}: SavingParts) {
  const save = async (
    writer: Writer,
    input: Pick<SaveContent, 'url' | 'canonicalUrl' | 'original' | 'known'>,
    request: Omit<SaveRequest, 'url' | 'known' | keyof GivenPushed>,
    waiting: ProcessingWait,
  ): Promise<SavedItem> => {
    const store = await stores.open(writer);
    const saved = await store.saveContent({
      ...input,
      tags: request.tags ?? [],
      notes: request.notes,
      shelf: request.shelf,
      isFiled: request.isFiled,
    });
    const title = cleanLine(request.ownTitle ?? '').slice(0, 500);
    if (title !== '') await store.updateContent(saved.id, { title });
    const isAgain = request.refresh === true && input.original === undefined && saved.outcome === 'existed';
    const [again] = isAgain ? await store.refreshPages([saved.id], { isBackground: false }) : [];
    if (again?.outcome === 'queued') saved.outcome = 'requeued';
    onQueued();
    // If the item is deleted meanwhile, answer with the item as it was saved.
    const { transcript: _, ...item }: ContentItem = (await waitAndRead(
      store,
      saved.id,
      request.wait ?? 0,
      waiting,
    )) ?? {
      ...saved.item,
      ...(title !== '' && { title }),
    };
    const answer = { ...(await withWarnings(item)), outcome: saved.outcome };
    return request.maxTokens === undefined ? answer : shortenTexts(answer, request.maxTokens);
  };

  const saveUrl = async (
    writer: Writer,
    { url, title, text, html, captions, known, ...request }: SaveRequest,
    waiting: ProcessingWait,
  ): Promise<SavedItem> => {
    const parsed = parseSavableUrl(url);
    const original = await makeOriginal(parsed.href, { title, text, html, captions }, isoTime(clock.now()));
    return save(
      writer,
      {
        url: asTyped(url.trim(), parsed),
        canonicalUrl: canonicalUrl(parsed.href),
        ...(original !== null && { original }),
        ...(known !== undefined && { known }),
      },
      request,
      waiting,
    );
  };

  const saveOneOfMany = async (
    writer: Writer,
    url: string,
    about: Pick<SaveRequest, 'tags' | 'notes' | 'shelf'>,
    signal: AbortSignal,
  ): Promise<SavedUrl> => {
    try {
      const { id, status, outcome } = await saveUrl(writer, { url, ...about }, { signal });
      return { url, id, status, outcome };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { url: url.slice(0, maxUrlLength), outcome: 'refused', message: error.message };
    }
  };

  return {
    /** Content that is given with the address is read instead of the page; nothing is fetched then. */
    save: saveUrl,
    /** Saves each address once, as `save` does, and answers for each that is given. One that is refused does not keep the others from being saved. */
    async saveMany(
      writer: Writer,
      urls: readonly string[],
      { wait = 0, ...about }: Pick<SaveRequest, 'tags' | 'notes' | 'shelf' | 'wait'>,
      { signal, onProgress }: ProcessingWait,
    ): Promise<SavedMany> {
      const each = new Map<string, SavedUrl>();
      for (const url of new Set(urls)) {
        signal.throwIfAborted();
        each.set(url, await saveOneOfMany(writer, url, about, signal));
      }
      const store = await stores.open(writer);
      let progress = 0;
      const now = async (item: SavedUrl): Promise<SavedUrl> => {
        if (item.id === undefined || wait <= 0) return item;
        await untilProcessed(store, item.id, wait * 1_000, { signal });
        const status = (await store.getContentSummary(item.id))?.status ?? item.status;
        progress += 1;
        onProgress?.({ progress, total: each.size, message: `Waited for ${progress} of ${each.size}` });
        return { ...item, ...(status !== undefined && { status }) };
      };
      const saved = [...each.values()].filter(({ outcome }) => outcome !== 'refused').length;
      await Promise.all([...each].map(async ([url, item]) => each.set(url, await now(item))));
      return { items: urls.flatMap((url) => each.get(url) ?? []), saved };
    },
    /**
     * Saves a person's own note, which has no address. The same title and text again are the same item.
     * @throws {AppError} `invalid_input` without a text
     */
    async saveNote(
      writer: Writer,
      { title, text, html, captions, ...request }: Omit<SaveRequest, 'url'>,
      waiting: ProcessingWait,
    ): Promise<SavedItem> {
      if (html !== undefined || captions !== undefined)
        throw refusedField('url', 'is missing: html and captions belong to a page or a video; a note has text');
      if (text === undefined)
        throw refusedField('url', 'is missing: give the address of a page, or the text of a note');
      const original = await originalOfNote(makeOriginal, clock, { title, text });
      const known = cleanLine(String(title ?? ''));
      return save(
        writer,
        { url: original.url, canonicalUrl: original.url, original, ...(known !== '' && { known: { title: known } }) },
        request,
        waiting,
      );
    },
    /**
     * Saves bytes that a client has: a file, or a page at its address, which is not fetched then. MCP never reaches it: the address may
     * be one of a file.
     */
    async saveResource(
      writer: Writer,
      resource: Resource,
      { known, ...request }: Omit<SaveRequest, 'url' | keyof GivenPushed>,
      waiting: ProcessingWait,
    ): Promise<SavedItem> {
      return save(
        writer,
        {
          url: resource.url,
          canonicalUrl: canonicalUrl(resource.finalUrl),
          original: resource,
          ...(known !== undefined && { known }),
        },
        request,
        waiting,
      );
    },
  };
}
