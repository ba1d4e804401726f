import { createHash } from 'node:crypto';
import { isoTime, type Clock } from '../../domain/clock.ts';
import {
  type ExportedItem,
  type ExportedList,
  type ExportedSource,
  maxEntriesTogether,
} from '../../domain/records/transfers/exported.ts';
import type { SingleFormat } from '../../domain/records/transfers/library-job.ts';
import { exportFiles } from '../../domain/records/transfers/export-files.ts';
import { toldWhenFull } from '../../domain/machine-limits.ts';
import { shownAddress } from '../../domain/links/shown-address.ts';
import { type ExportFolder, openExportFolder, openExportFile } from '../../exporting/export-folder.ts';
import { createFileNames, endingOf } from '../../exporting/file-names.ts';
import { indexFoot, indexHead, indexRow } from '../../exporting/index-page.ts';
import {
  itemMarkdown,
  listMarkdown,
  oneLine,
  type MarkdownContext,
  visibleDocument,
} from '../../exporting/markdown.ts';
import { writerOf } from '../../exporting/single-files.ts';
import type { Store, Stores } from '../../store/store.ts';
import type { HistoryPage, ItemToExport } from '../../store/records.ts';
import { findRelated } from './related-items.ts';

export interface ExportRequest {
  /** The folder or the file to write. */
  place: string;
  /** Only items that were changed at this time or later: milliseconds since the epoch. */
  since?: number | undefined;
  signal: AbortSignal;
  onProgress(done: number, total: number): void;
}

export interface FileCounts {
  items: number;
  /** In a file of action items. */
  actions?: number;
}

export interface ExportCounts {
  items: number;
  goals: number;
  actions: number;
  highlights: number;
  changes: number;
}

export interface ExportService {
  /**
   * Writes the library as a folder that people and other programs read, and that `import` takes back as it was.
   * @throws {AppError} `invalid_input` when something other than an earlier export would be lost
   */
  exportFolder(account: string, request: ExportRequest): Promise<ExportCounts>;
  /** Writes one file for other programs. @throws {AppError} `invalid_input` when the file exists */
  exportFile(account: string, format: SingleFormat, request: ExportRequest): Promise<FileCounts>;
}

interface ExportingParts {
  stores: Stores;
  clock: Clock;
  version: string;
  /** Of the vectors by which related items are found; null: there are none. */
  embedderId: () => string | null;
}

const listedAtOnce = 1_000;
const historyAtOnce = 50;
const writtenAtOnce = 4;

export function createExportService({ stores, clock, version, embedderId }: ExportingParts): ExportService {
  return {
    async exportFolder(account, { place, since, signal, onProgress }) {
      const store = await stores.open(account);
      const folder = await saidWhenFull(openExportFolder(place, since !== undefined));
      try {
        const all = await listAll(store, signal);
        const wanted = all.filter(({ updatedAt }) => updatedAt >= (since ?? 0));
        const names = createFileNames();
        const nameById = new Map(all.map(({ id, title, url }) => [id, names(title ?? url, id)]));
        const goals = await store.listGoalsToExport();
        const lists = await store.listListsToExport();
        const listsOf = namesByItem(lists);
        const goalTitles = new Map(goals.map(({ id, title }) => [id, title]));
        const related = await findRelated(store, embedderId(), all, signal);
        const now = isoTime(clock.now());
        const files = {
          items: await folder.growFile(exportFiles.items, { isPacked: true }),
          goals: await folder.growFile(exportFiles.goals),
          lists: await folder.growFile(exportFiles.lists),
          actions: await folder.growFile('actions.jsonl'),
          highlights: await folder.growFile('highlights.jsonl'),
          index: await folder.growFile('index.html'),
          history: await folder.growFile(exportFiles.history),
        };
        const counts: ExportCounts = { items: 0, goals: goals.length, actions: 0, highlights: 0, changes: 0 };
        for (const goal of goals) await files.goals.write(`${JSON.stringify(goal)}\n`);
        for (const list of lists) await files.lists.write(`${JSON.stringify(list)}\n`);
        const listNames = createFileNames();
        for (const { id, name, items } of lists)
          if (items !== null)
            await folder.writeFile(
              `lists/${listNames(name, id)}.md`,
              listMarkdown(items.flatMap((item) => nameById.get(item) ?? [])),
            );
        await files.index.write(indexHead(now));
        for (let from = 0; from < wanted.length; from += writtenAtOnce) {
          signal.throwIfAborted();
          const some = wanted.slice(from, from + writtenAtOnce);
          const items = await allEnded(
            some.map(({ id }) =>
              writeItem(store, folder, id, {
                nameOf: (other) => nameById.get(other),
                goalTitle: (goalId) => goalTitles.get(goalId),
                related: related.get(id) ?? [],
                lists: listsOf.get(id) ?? [],
              }),
            ),
          );
          // In the order of saving, which an import keeps.
          for (const item of items) {
            if (item === null) continue;
            counts.items += 1;
            await files.items.write(`${JSON.stringify(item)}\n`);
            await files.index.write(indexLine(item, nameById.get(item.id) ?? item.id));
            for (const action of actionLines(item)) {
              counts.actions += 1;
              await files.actions.write(action);
            }
            for (const highlight of highlightLines(item)) {
              counts.highlights += 1;
              await files.highlights.write(highlight);
            }
          }
          onProgress(from + some.length, wanted.length);
        }
        await files.index.write(indexFoot);
        const sources = await folder.growFile(exportFiles.sources);
        for await (const piece of sourcePieces(store, signal)) await sources.write(`${JSON.stringify(piece)}\n`);
        for await (const change of historyLines(store, since ?? 0, signal)) {
          counts.changes += 1;
          await files.history.write(change);
        }
        signal.throwIfAborted();
        await folder.finish({
          program: version,
          createdAt: now,
          since: since === undefined ? null : isoTime(since),
          ...counts,
        });
        return counts;
      } catch (error) {
        await folder.abandon();
        throw withReason(error);
      }
    },

    async exportFile(account, format, { place, since, signal, onProgress }) {
      const store = await stores.open(account);
      const writer = writerOf(format);
      const file = await saidWhenFull(openExportFile(place));
      try {
        const wanted = (await listAll(store, signal)).filter(({ updatedAt }) => updatedAt >= (since ?? 0));
        const goals = new Map((await store.listGoalsToExport()).map(({ id, title }) => [id, title]));
        let items = 0;
        let actions = 0;
        const listsOf = namesByItem(await store.listListsToExport());
        await file.write(writer.head);
        const feeds = writer.feed === undefined ? [] : await store.listSources('feed');
        const followed = new Set(feeds.map(({ address }) => address));
        for (const feed of feeds) await file.write(writer.feed?.(feed) ?? '');
        for (const [at, { id }] of wanted.entries()) {
          signal.throwIfAborted();
          const item = await store.readToExport(id);
          const text =
            item === null || followed.has(item.url)
              ? ''
              : writer.item(item, (goalId) => goals.get(goalId), listsOf.get(id) ?? []);
          if (text !== '') items += 1;
          if (item !== null) actions += writer.actions?.(item).length ?? 0;
          await file.write(text);
          onProgress(at + 1, wanted.length);
        }
        await file.write(writer.foot);
        await file.finish();
        return { items, ...(writer.actions !== undefined && { actions }) };
      } catch (error) {
        await file.abandon();
        throw withReason(error);
      }
    },
  };
}

/** The names of the lists by hand that each item is in. */
export function namesByItem(lists: readonly ExportedList[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { name, items } of lists) for (const id of items ?? []) names.set(id, [...(names.get(id) ?? []), name]);
  return names;
}

/** The results when all have ended. After a failure none goes on writing into a folder that is removed. */
async function allEnded<T>(writes: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(writes);
  return Promise.all(writes);
}

function saidWhenFull<T>(opening: Promise<T>): Promise<T> {
  return opening.catch((error: unknown) => {
    throw withReason(error);
  });
}

const withReason = (error: unknown): unknown =>
  toldWhenFull(error, 'There is too little room where the export is written. Free some space.');

export async function listAll(store: Pick<Store, 'listToExport'>, signal: AbortSignal): Promise<ItemToExport[]> {
  const all: ItemToExport[] = [];
  for (;;) {
    signal.throwIfAborted();
    const some = await store.listToExport(all.at(-1)?.seq ?? 0, listedAtOnce);
    for (const { seq, id, title, url, updatedAt } of some)
      // Names are cut, so no long title has to be kept.
      all.push({ seq, id, title: title?.slice(0, 200) ?? null, url: url?.slice(0, 200) ?? null, updatedAt });
    if (some.length < listedAtOnce) return all;
  }
}

/** Null when the item was deleted in the meantime. */
async function writeItem(
  store: Store,
  folder: ExportFolder,
  id: string,
  around: MarkdownContext,
): Promise<ExportedItem | null> {
  const read = await store.readToExport(id);
  if (read === null) return null;
  const originals: ExportedItem['originals'] = [];
  for (const [at, about] of read.originals.entries()) {
    const original = await store.readOriginal(id, about.name);
    if (original === null) continue;
    const file = `originals/${id}/${at}.${endingOf(about.declaredType)}`;
    await folder.writeFile(file, original.bytes);
    // It may have been fetched again since the item was read.
    const hash = createHash('sha256').update(original.bytes).digest('hex');
    originals.push({ ...about, hash, file });
  }
  const item = { ...read, originals };
  await folder.writeFile(`items/${around.nameOf(id) ?? id}.md`, itemMarkdown(item, around));
  return item;
}

function indexLine(item: ExportedItem, name: string): string {
  return indexRow({
    title: oneLine(item.title ?? name),
    file: `items/${name}.md`,
    url: shownAddress(item.url),
    day: isoTime(item.createdAt).slice(0, 10),
    type: visibleDocument(item)?.contentType ?? '',
    tags: item.tags,
  });
}

function* actionLines({ id: contentId, title: contentTitle, actions }: ExportedItem): Generator<string> {
  for (const action of actions) {
    const { id, goalId, title, reason, quote, url, state, completedAt, createdAt, due, priority, snoozedUntil } =
      action;
    yield `${JSON.stringify({
      id,
      contentId,
      contentTitle,
      goalId,
      title,
      reason,
      quote,
      url: shownAddress(url),
      state,
      createdAt: isoTime(createdAt),
      completedAt: completedAt === null ? null : isoTime(completedAt),
      due: due ?? null,
      priority,
      snoozedUntil: snoozedUntil ?? null,
    })}\n`;
  }
}

function* highlightLines({ id: contentId, title: contentTitle, highlights }: ExportedItem): Generator<string> {
  for (const { id, quote, note, colour, locator, url, source, createdAt, updatedAt, deletedAt } of highlights) {
    if (deletedAt !== null) continue;
    const dates = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) };
    yield `${JSON.stringify({ id, contentId, contentTitle, quote, note, colour, locator, url: shownAddress(url), source, ...dates })}\n`;
  }
}

/** After the items, so that nothing is in it that was deleted meanwhile. */
async function* historyLines(store: Store, since: number, signal: AbortSignal): AsyncGenerator<string> {
  let after: HistoryPage['next'] = null;
  do {
    signal.throwIfAborted();
    const page: HistoryPage = await store.readHistoryToExport({ after, since, limit: historyAtOnce });
    for (const entry of page.entries) yield `${JSON.stringify(entry)}\n`;
    after = page.next;
  } while (after !== null);
}

/** The sources of a library with their entries. One with many entries comes several times, with some of them each time. */
export async function* sourcePieces(
  store: Pick<Store, 'listSourcesToExport' | 'listSourceEntries'>,
  signal: AbortSignal,
): AsyncGenerator<ExportedSource> {
  for (const source of await store.listSourcesToExport())
    for (let afterKey: string | undefined = ''; afterKey !== undefined;) {
      signal.throwIfAborted();
      const entries = await store.listSourceEntries(source.id, { afterKey, limit: maxEntriesTogether });
      yield { ...source, entries };
      afterKey = entries.length < maxEntriesTogether ? undefined : entries.at(-1)?.key;
    }
}
