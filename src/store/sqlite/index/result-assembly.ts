import { createNearDuplicates } from '../../../domain/duplicates/near-duplicates.ts';
import type { RankedPassage } from '../../../domain/records/passage.ts';
import { plainText } from '../../../domain/text/plain-text.ts';
import type { AnsweringPassage, ItemSearch } from '../../search-records.ts';
import { readWithDocuments } from './passages.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';

/*
 * Chooses the items that answer a query, once passages are ranked. Reading a passage costs more than ranking it, so
 * only as many are read as the wanted number of items needs.
 */

/** A passage of an answer, with its document and its stored link fragment. */
export interface Answering {
  passage: AnsweringPassage;
  documentId: number;
  fragment: string | null;
}

/** When copies are dropped, this many further items are read at once. */
const furtherItems = 5;

/**
 * The first items, each with its first passages.
 * @param byWords passages that contain words of the query; null: all may answer
 */
export function readItems(
  file: SqliteFile,
  hits: readonly RankedPassage[],
  search: Pick<ItemSearch, 'items' | 'passagesOfEach' | 'distinct'>,
  byWords: ReadonlySet<number> | null,
): Answering[][] {
  const items: Answering[][] = [];
  const withoutRepeated = search.distinct ? createRepetitionFilter() : (passages: Answering[]) => passages;
  for (const some of groupsByItem(hits, search.items)) {
    for (const passages of readGroups(file, some, search.passagesOfEach, byWords)) {
      // Results after the last one shown are not checked for copies, so `alsoIn` does not list them.
      if (items.length === search.items) break;
      const fresh = withoutRepeated(passages);
      if (fresh.length > 0) items.push(fresh);
    }
    if (items.length === search.items) break;
  }
  return items;
}

/**
 * Groups the hits of the first `first` items by item, then those of a few further items at a time: most hits are never
 * needed.
 */
function* groupsByItem(hits: readonly RankedPassage[], first: number): Generator<RankedPassage[][]> {
  const grouped = new Set<string>();
  let next = 0;
  for (let most = first; next < hits.length; most = furtherItems) {
    const behind = hits.slice(next);
    const byItem = new Map<string, RankedPassage[]>();
    for (const { contentId } of behind) {
      if (byItem.size === most) break;
      next += 1;
      if (!grouped.has(contentId)) byItem.set(contentId, []);
      grouped.add(contentId);
    }
    for (const hit of behind) byItem.get(hit.contentId)?.push(hit);
    if (byItem.size > 0) yield [...byItem.values()];
  }
}

/** For each group, the first passages that may answer. */
function readGroups(
  file: SqliteFile,
  groups: readonly (readonly RankedPassage[])[],
  most: number,
  byWords: ReadonlySet<number> | null,
): Answering[][] {
  const read = (hits: readonly RankedPassage[]) => {
    const ids = hits.map(({ passageId }) => passageId);
    return new Map(readWithDocuments(file, ids).map((found) => [found.passage.passageId, found]));
  };
  const firsts = read(groups.flatMap((group) => group.slice(0, most)));
  return groups.map((group) => {
    const answering = (hits: readonly RankedPassage[], passages: typeof firsts): Answering[] =>
      hits.flatMap(({ passageId, score }) => {
        const found = passages.get(passageId);
        const mayAnswer =
          found !== undefined && (byWords === null || byWords.has(passageId) || saysWords(found.passage.text));
        return mayAnswer ? [{ ...found, passage: { ...found.passage, score } }] : [];
      });
    const chosen = answering(group.slice(0, most), firsts);
    // Further passages replace those that were dropped.
    for (let next = most; chosen.length < most && next < group.length; next += most) {
      const further = group.slice(next, next + most);
      chosen.push(...answering(further, read(further)).slice(0, most - chosen.length));
    }
    return chosen;
  });
}

/** The passages among these that show only pictures. */
export function pictureOnly(file: SqliteFile, passageIds: readonly number[]): ReadonlySet<number> {
  const rows = file.all<{ id: number; text: string }>(
    `SELECT p.id, p.text FROM json_each(?) asked JOIN passages p ON p.id = asked.value WHERE instr(p.text, '![') > 0`,
    JSON.stringify(passageIds),
  );
  return new Set(rows.filter(({ text }) => !saysWords(text)).map(({ id }) => id));
}

/**
 * In a passage of pictures alone, the model sees only their addresses, which are similar to any query about files and
 * codes.
 */
function saysWords(text: string): boolean {
  return !text.includes('![') || /[\p{L}\p{N}]/u.test(plainText(text));
}

/**
 * Takes items one after the other and returns the passages of each that are new; none for an item that is a copy of an
 * earlier one.
 */
function createRepetitionFilter(): (passages: Answering[]) => Answering[] {
  const shown = new Set<string>();
  const shownBefore = createNearDuplicates<AnsweringPassage>();
  return (passages) => {
    const [first] = passages;
    const original = first?.passage.itemDuplicateOf ?? first?.passage.contentId ?? '';
    if (shown.has(original)) return [];
    shown.add(original);
    return passages.filter(({ passage }) => {
      const same = shownBefore(passage.text, passage);
      if (same !== null && same.contentId !== passage.contentId)
        same.alsoIn = [...new Set([...(same.alsoIn ?? []), passage.contentId])];
      return same === null;
    });
  };
}
