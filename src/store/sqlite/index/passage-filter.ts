import type { IndexedLanguages } from '../../../domain/text/words/stems/word-forms.ts';
import type { PassageFilter } from '../../records/search-records.ts';
import { deletedPassages } from '../items/deleted.ts';
import { matchPhrase } from './match-expressions.ts';
import { hasTags } from '../items/tags.ts';

interface FilterCondition {
  sql: string;
  parameters: unknown[];
}

/** `AND …` for the passages that the filter lets through; passages of deleted items never pass. */
export function filterCondition(passageId: string, filter: PassageFilter, account: IndexedLanguages): FilterCondition {
  const items = itemConditions(filter);
  const parts: FilterCondition[] = [];
  if (items.length === 0) parts.push({ sql: `${passageId} NOT IN (${deletedPassages})`, parameters: [] });
  else {
    const conditions = ['c.deleted_at IS NULL', ...items.map(({ sql }) => sql)].join(' AND ');
    parts.push({
      sql: `${passageId} IN (SELECT fp.id FROM items c JOIN passages fp ON fp.item = c.seq WHERE ${conditions})`,
      parameters: items.flatMap(({ parameters }) => parameters),
    });
  }
  const { having, without } = phrasesOf(filter, account);
  if (having !== null) parts.push({ sql: `${passageId} IN (${matching})`, parameters: [having] });
  if (without !== null) parts.push({ sql: `${passageId} NOT IN (${matching})`, parameters: [without] });
  return {
    sql: parts.map(({ sql }) => `AND ${sql}`).join(' '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** FTS5 expressions that a passage must match, and must not match; null: no condition. */
export function phrasesOf(
  filter: PassageFilter,
  account: IndexedLanguages,
): { having: string | null; without: string | null } {
  return {
    having: matchAll(filter.phrases ?? [], ' AND ', account),
    without: matchAll(filter.excluded ?? [], ' OR ', account),
  };
}

/** Passages whose words match. */
export const matching = 'SELECT narrowing.rowid FROM passage_words narrowing WHERE narrowing.passage_words MATCH ?';

/** Null when there is nothing to match: a phrase without words is ignored. */
function matchAll(phrases: readonly string[], joint: string, account: IndexedLanguages): string | null {
  const expressions = phrases.flatMap((phrase) => matchPhrase(phrase, account) ?? []);
  return expressions.length === 0 ? null : expressions.join(joint);
}

/** Conditions on the item `c`, without the condition that it is not deleted. */
export function itemConditions({
  contentType,
  tags = [],
  types = [],
  sites = [],
  addresses = [],
  since,
  before,
  savedSince,
  savedBefore,
  names = [],
  items,
}: PassageFilter): FilterCondition[] {
  const tagged = hasTags('c.seq', tags);
  const conditions: FilterCondition[] = tagged.conditions.map((sql, at) => ({
    sql,
    parameters: [tagged.parameters[at]],
  }));
  if (items !== undefined)
    conditions.push({ sql: 'c.seq IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(items)] });
  if (contentType !== undefined) conditions.push({ sql: 'c.content_type = ?', parameters: [contentType] });
  if (types.length > 0) {
    conditions.push({
      sql: 'c.content_type IN (SELECT value FROM json_each(?))',
      parameters: [JSON.stringify(types)],
    });
  }
  if (sites.length > 0) conditions.push({ sql: isOfSite, parameters: [JSON.stringify(sites.map(asSite))] });
  if (addresses.length > 0) {
    const isListed = 'IN (SELECT value FROM json_each(?))';
    const list = JSON.stringify(addresses);
    conditions.push({ sql: `(c.url ${isListed} OR c.canonical_url ${isListed})`, parameters: [list, list] });
  }
  if (since !== undefined) conditions.push({ sql: `${publishedOrSaved} >= ?`, parameters: [since] });
  if (before !== undefined) conditions.push({ sql: `${publishedOrSaved} < ?`, parameters: [before] });
  if (savedSince !== undefined) conditions.push({ sql: 'c.created_at >= ?', parameters: [savedSince] });
  if (savedBefore !== undefined) conditions.push({ sql: 'c.created_at < ?', parameters: [savedBefore] });
  if (names.length > 0) conditions.push({ sql: isNamed, parameters: [JSON.stringify(names.map(asciiLowerCase))] });
  return conditions;
}

/** What `lower()` makes of a text in SQLite. */
export function asciiLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const isNamed = `EXISTS (
  SELECT 1 FROM documents d, json_each(?) name
  WHERE d.id = c.visible_document AND (lower(d.author) = name.value OR lower(d.site_name) = name.value))`;

/** A date that SQLite cannot parse counts as unknown. */
const publishedOrSaved = `coalesce(
  (SELECT unixepoch(d.published_at, 'subsec') * 1000 FROM documents d WHERE d.id = c.visible_document), c.created_at)`;

/** A host with a dot has to be the end of the host name; one without a dot may be any part of it. */
function asSite(site: string): { host: string; path: string; isPart: boolean } {
  const slash = `${site}/`.indexOf('/');
  const host = site.slice(0, slash);
  return { host: `.${host.toLowerCase()}`, path: site.slice(slash).toLowerCase(), isPart: !host.includes('.') };
}

/**
 * Compares the address as it was saved and the canonical URL. `host` has a dot in front and a colon behind: the dot
 * makes whole parts of names match, and the colon marks the end of the name, before any port.
 */
const isOfSite = `EXISTS (
  SELECT 1 FROM (
    SELECT '.' || replace(substr(address, 1, instr(address, '/') - 1), '@', '.') || ':' AS host,
      substr(address, instr(address, '/')) AS path
    FROM (
      SELECT replace(replace(lower(substr(value, instr(value, '://') + 3)), '?', '/'), '#', '/') || '/' AS address
      FROM json_each(json_array(c.url, c.canonical_url)))) item,
    (SELECT value ->> 'host' AS host, value ->> 'path' AS path, value ->> 'isPart' AS isPart FROM json_each(?)) site
  WHERE (instr(item.host, site.host || ':') > 0 OR (site.isPart AND instr(item.host, site.host || '.') > 0))
    AND (site.path = '' OR instr(item.path, site.path || '/') = 1))`;
