import type { ClockReading } from '../../domain/clock.ts';
import type { HighlightQuery } from '../highlights.ts';
import type { ContentQuery } from '../records.ts';
import { listHighlights } from './highlights/highlight-reading.ts';
import { countKinds, listContent, listNames, listTitles } from './items/lists.ts';
import { listTags } from './items/tags.ts';
import { suggestions } from './index/index.ts';
import type { SqliteFile } from './files/sqlite-file.ts';

/** The clock's readings when a list was asked for: a clock object cannot be sent to another thread. */
export interface ListedAt {
  now: number;
  uptime: number;
}

const clockOf = ({ now, uptime }: ListedAt): ClockReading => ({ now: () => now, uptime: () => uptime });

/**
 * Lists that take as long as there are items, tags or highlights, by name, so that another thread can read them: arguments
 * and results are plain data.
 */
export const listReads = {
  listContent: (file: SqliteFile, at: ListedAt, query: ContentQuery) => listContent(file, query, at.now, clockOf(at)),
  listTitles: (file: SqliteFile, at: ListedAt, query: ContentQuery) => listTitles(file, query, at.now, clockOf(at)),
  countKinds: (file: SqliteFile, _at: ListedAt) => countKinds(file),
  listNames: (file: SqliteFile, _at: ListedAt, limit: number) => listNames(file, limit),
  listNamesLike: (file: SqliteFile, _at: ListedAt, typed: string, limit: number) =>
    suggestions.listNamesLike(file, typed, limit),
  listTags: (file: SqliteFile, _at: ListedAt, page: { limit: number; offset: number }) => listTags(file, page),
  listHighlights: (file: SqliteFile, _at: ListedAt, query: HighlightQuery) => listHighlights(file, query),
};

type Lists = typeof listReads;
export type ListName = keyof Lists;
type ArgumentsAfterTime<F> = F extends (file: SqliteFile, at: ListedAt, ...rest: infer Rest) => unknown ? Rest : never;
export type ListArguments<N extends ListName> = ArgumentsAfterTime<Lists[N]>;
export type ListAnswer<N extends ListName> = ReturnType<Lists[N]>;

const byName: { [N in ListName]: (file: SqliteFile, at: ListedAt, ...rest: ListArguments<N>) => ListAnswer<N> } =
  listReads;

export function readList<N extends ListName>(
  name: N,
  file: SqliteFile,
  at: ListedAt,
  args: ListArguments<N>,
): ListAnswer<N> {
  return byName[name](file, at, ...args);
}

/** With this many items, tags of items and highlights, the slowest list took 40 ms, and nearly all took less than 1 ms. */
const maxShortRows = 2_000;
/** Suggestions read the headings of passages: ten in the time of one other row. */
const passagesOfRow = 10;

/** Whether lists of this library are read faster than the message to a thread takes, or nearly so. */
export function hasShortLists(file: SqliteFile): boolean {
  return file.remember('short lists', () => {
    const upTo = (table: string) => `(SELECT count(*) FROM (SELECT 1 FROM ${table} LIMIT @most))`;
    const counted = file.get<{ count: number }>(
      `SELECT ${['items', 'item_tags', 'highlights'].map(upTo).join(' + ')}
         + (SELECT coalesce(sum(passage_count), 0) / @passages FROM (SELECT passage_count FROM items LIMIT @most)) AS count`,
      { most: maxShortRows + 1, passages: passagesOfRow },
    );
    return (counted?.count ?? 0) <= maxShortRows;
  });
}
