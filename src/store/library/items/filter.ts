import type { AppError } from '../../../errors.ts';
import { noSuchList, invalidInput } from '../../../errors.ts';
import { foldTag } from '../../../domain/records/item.ts';
import type { TimeSpan } from '../../../domain/search/dates.ts';
import { anyOf, type Filter, leavesOf, listsIn, replaced, namesList } from '../../../domain/search/filter.ts';
import { parseQuery } from '../../../domain/search/query-language.ts';
import { all, type Db, join, sql, type Sql, type Steps, text, unlimited } from '../db.ts';

export type FilterDb = Pick<Db, 'of' | 'texts' | 'numbers' | 'bytewise' | 'positionIn' | 'instr' | 'passagesWith'>;

/** The condition that the filter lets the item `i` through. Lists were resolved before (`resolveFilter`). */
export function conditionOf(db: FilterDb, filter: Filter): Sql {
  if ('all' in filter) return filter.all.length === 0 ? sql`true` : together(db, filter.all, ' AND ');
  if ('any' in filter) return filter.any.length === 0 ? sql`false` : together(db, filter.any, ' OR ');
  if ('not' in filter) return sql`(${conditionOf(db, filter.not)}) IS NOT TRUE`;
  if ('shelf' in filter) return sql`i.shelf = ${filter.shelf}`;
  if ('read' in filter) return filter.read ? sql`i.read_at IS NOT NULL` : sql`i.read_at IS NULL`;
  if ('failed' in filter) return sql`i.state = 'failed'`;
  if ('has' in filter) return hasRecord(db, filter.has);
  if ('tag' in filter)
    return sql`i.seq IN (
      SELECT t.item FROM item_tags t WHERE ${db.of('t')} AND ${isTag(db, filter)})`;
  if ('type' in filter) return sql`i.content_type = ${filter.type}`;
  if ('site' in filter) return isOfSite(db, filter.site);
  if ('author' in filter) return ofDocument(db, hasPart(db, 'd.author', filter.author));
  if ('lang' in filter)
    return ofDocument(db, sql`(d.language = ${filter.lang} OR ${isText(db, 'd.language', `${filter.lang}-*`)})`);
  if ('saved' in filter) return within(filter.saved, sql`i.created_at`);
  if ('readAt' in filter) return within(filter.readAt, sql`i.read_at`);
  if ('published' in filter) return isPublished(db, filter.published);
  if ('words' in filter) {
    const { atLeast = 0, atMost = unlimited } = filter.words;
    return ofDocument(db, sql`d.word_count BETWEEN ${atLeast} AND ${atMost}`);
  }
  if ('goal' in filter)
    return sql`i.seq IN (
      SELECT a.item FROM actions a JOIN goals g ON ${db.of('g')} AND g.id = a.goal
      WHERE ${db.of('a')} AND a.state <> 'dismissed' AND (g.id = ${filter.goal} OR ${hasPart(db, 'g.title', filter.goal)}))`;
  if ('id' in filter) return sql`i.id = ${filter.id}`;
  if ('list' in filter)
    return sql`i.seq IN (
      SELECT li.item FROM lists l JOIN list_items li ON ${db.of('li')} AND li.list = l.seq
      WHERE ${db.of('l')} AND l.id = ${filter.list})`;
  if ('word' in filter)
    return sql`i.seq IN (SELECT p.item FROM passages p WHERE p.id IN (${db.passagesWith(filter.word)}))`;
  if ('names' in filter) {
    const names = db.texts('name', filter.names.map(asciiLowerCase));
    return ofDocument(
      db,
      sql`EXISTS (SELECT 1 FROM ${names} WHERE name.value = lower(d.author ${db.bytewise}) OR name.value = lower(d.site_name ${db.bytewise}))`,
    );
  }
  if ('addresses' in filter) {
    const addresses = sql`(SELECT address.value FROM ${db.texts('address', filter.addresses)})`;
    return sql`(i.url IN ${addresses} OR i.canonical_url IN ${addresses})`;
  }
  return sql`i.seq IN (SELECT found.value FROM ${db.numbers('found', filter.items)})`;
}

function together(db: FilterDb, filters: readonly Filter[], joint: string): Sql {
  return sql`(${join(
    filters.map((filter) => conditionOf(db, filter)),
    joint,
  )})`;
}

/** The result of `lower()` for a text. */
export function asciiLowerCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A text, or its beginning when it ends in `*`: everything between that and the last text that begins so. */
function isText(db: FilterDb, column: string, wanted: string): Sql {
  if (!wanted.endsWith('*')) return sql`${text(column)} = ${wanted}`;
  const beginning = wanted.slice(0, -1);
  const compared = sql`${text(column)} ${db.bytewise}`;
  return sql`(${compared} >= ${beginning} AND ${compared} < ${`${beginning}\u{10ffff}`})`;
}

function isTag(db: FilterDb, { tag, isExact }: Extract<Filter, { tag: string }>): Sql {
  const folded = foldTag(tag);
  return isExact === true ? sql`t.folded = ${folded}` : isText(db, 't.folded', folded);
}

/** A part of a text, ignoring case of ASCII letters; `*` matches any text. */
function hasPart(db: FilterDb, column: string, part: string): Sql {
  const wanted = part.replaceAll(/^\*|\*$/g, '');
  return wanted === '' ? sql`${text(column)} IS NOT NULL` : sql`${db.positionIn(column, wanted)} > 0`;
}

/** A condition on the visible document `d` of the item. */
const ofDocument = (db: FilterDb, condition: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM documents d WHERE ${db.of('d')} AND d.id = i.visible_document AND ${condition})`;

function hasRecord(db: FilterDb, kind: Extract<Filter, { has: unknown }>['has']): Sql {
  const highlights = sql`SELECT h.item FROM highlights h WHERE ${db.of('h')} AND h.deleted_at IS NULL`;
  if (kind === 'highlight') return sql`i.seq IN (${highlights})`;
  if (kind === 'note') return sql`(i.notes IS NOT NULL OR i.seq IN (${highlights} AND h.note IS NOT NULL))`;
  if (kind === 'action') return sql`i.seq IN (SELECT a.item FROM actions a WHERE ${db.of('a')} AND a.state = 'open')`;
  // SQLite has an index of these texts.
  return sql`(i.content_type = 'image' OR i.visible_document IN (
    SELECT d.id FROM documents d WHERE ${db.of('d')} AND ${db.instr}(d.text, '![') > 0))`;
}

function within(
  { since, before }: TimeSpan,
  column: Sql,
  write: (time: number) => string | number = (time) => time,
): Sql {
  const conditions = [
    ...(since === undefined ? [] : [sql`${column} >= ${write(since)}`]),
    ...(before === undefined ? [] : [sql`${column} < ${write(before)}`]),
  ];
  return conditions.length === 0 ? sql`${column} IS NOT NULL` : sql`(${join(conditions, ' AND ')})`;
}

/** Dates are ISO 8601 in UTC, so they compare as texts. Midnight is shortened to the day, because a date may have no more. */
function isPublished(db: FilterDb, span: TimeSpan): Sql {
  const iso = (time: number) => new Date(time).toISOString().replace('T00:00:00.000Z', '');
  const hasDate = ofDocument(db, sql`d.published_at IS NOT NULL`);
  const inTime = ofDocument(db, within(span, sql`d.published_at ${db.bytewise}`, iso));
  return sql`(${inTime} OR (${within(span, sql`i.created_at`)} AND NOT ${hasDate}))`;
}

/**
 * Compares the address as it was saved and the canonical URL. `host` has a dot in front and a colon behind: the dot
 * makes whole parts of names match, and the colon marks the end of the name, before any port. A host with a dot has to
 * be the end of the name; one without may be any part of it.
 */
function isOfSite(db: FilterDb, site: string): Sql {
  const slash = `${site}/`.indexOf('/');
  const [host, path] = [`.${site.slice(0, slash).toLowerCase()}`, site.slice(slash).toLowerCase()];
  const name = host.slice(1);
  const ends = name.includes('.') ? [':'] : [':', '.'];
  const isAt = (column: Sql): Sql => {
    const address = sql`(replace(replace(lower(substr(${column}, ${db.instr}(${column}, '://') + 3)), '?', '/'), '#', '/') || '/')`;
    const hostOf = sql`('.' || replace(substr(${address}, 1, ${db.instr}(${address}, '/') - 1), '@', '.') || ':')`;
    const isHost = join(
      ends.map((end) => sql`${db.instr}(${hostOf}, ${host + end}) > 0`),
      ' OR ',
    );
    if (path === '') return sql`(${isHost})`;
    return sql`((${isHost}) AND ${db.instr}(substr(${address}, ${db.instr}(${address}, '/')), ${`${path}/`}) = 1)`;
  };
  // Few addresses have the name and the longest part of the path at all, and looking for that costs a tenth.
  const [part = ''] = path.split('/').toSorted((a, b) => b.length - a.length);
  const has = (column: Sql): Sql =>
    sql`(${db.instr}(lower(${column}), ${name}) > 0 AND ${db.instr}(lower(${column}), ${part}) > 0)`;
  return sql`((${has(sql`i.url`)} OR ${has(sql`i.canonical_url`)})
    AND (${isAt(sql`i.url`)} OR ${isAt(sql`i.canonical_url`)}))`;
}

/** A list by a query may name others. */
const maxListDepth = 5;
const maxConditions = 500;
const nothing: Filter = { items: [] };

/**
 * The filter as the index reads it: with lists by a query replaced by their filters, and conditions that the index has no
 * records for by the items that meet them. It lets nothing through when a list asks for nothing.
 * @param isExact whether `*` has to match a list: what is not there must not widen what a token sees
 * @throws {AppError} `invalid_input` when it names a list that is not there, leads too far, or is too long
 */
export function* resolveFilter(db: Db, filter: Filter, isExact = false): Steps<Filter> {
  const lists =
    listsIn(filter).length > 0
      ? yield* all<{ id: string; name: string; query: string | null }>`
          SELECT l.id, l.name, l.query FROM lists l WHERE ${db.of('l')}`
      : [];
  let conditions = 0;
  let isEmpty = false;
  const count = (more: number) => {
    conditions += more;
    if (conditions > maxConditions) throw tooLong();
  };
  const resolved = (asked: Filter, depth: number): Filter => {
    if (depth > maxListDepth) throw tooLong();
    count([...leavesOf(asked)].length);
    return replaced(asked, (leaf) => {
      if (!('list' in leaf)) return null;
      const found = lists.filter((list) => namesList(leaf.list, list));
      if (found.length === 0 && (isExact || !leaf.list.endsWith('*'))) throw noSuchList(leaf.list);
      count(found.filter(({ query }) => query === null).length - 1);
      const parts = found.map(({ id, query }) => {
        if (query === null) return { list: id };
        const { condition } = parseQuery(query, db.now);
        isEmpty ||= condition === null;
        return condition === null ? nothing : resolved(condition, depth + 1);
      });
      return anyOf(parts) ?? nothing;
    });
  };
  const whole = resolved(filter, 0);
  return isEmpty ? nothing : whole;
}

function tooLong(): AppError {
  return invalidInput(
    `With the lists that it names, this has more than ${maxConditions} conditions, or lists name one another more than ${maxListDepth} times. Name fewer lists.`,
  );
}
