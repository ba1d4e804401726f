import type {
  ExportedAction,
  ExportedDocument,
  ExportedGoal,
  ExportedHighlight,
  ExportedItem,
  ExportedList,
  ExportedSource,
} from '../../domain/records/transfers/exported.ts';
import type { Resource } from '../../domain/records/resource.ts';
import { fromJson, type Sql, text, toJson, type Value } from './db.ts';

/*
 * The stored fields of each record, for insertion, reading and transfer. A column has the name of its field, in `snake_case`,
 * unless another is given. A field that is missing here does not compile.
 */

/** How each field is stored: as it is, as JSON, or as it is in a column of another name. */
type Fields<Field extends string = string> = Readonly<Record<Field, 'plain' | 'json' | { column: string }>>;

const plain = <Field extends string>(...fields: Field[]): Readonly<Record<Field, 'plain'>> =>
  Object.fromEntries(fields.map((field) => [field, 'plain'])) as Record<Field, 'plain'>;

/** Fields of an exported item from rows of other tables. */
export type Belonging =
  | 'tags'
  | 'tagProposals'
  | 'documents'
  | 'passages'
  | 'fingerprint'
  | 'addresses'
  | 'insights'
  | 'actions'
  | 'highlights'
  | 'job'
  | 'pageCheck'
  | 'betterAnalysis'
  | 'originals';
/** The shown title and the number of the visible version come from the item and its documents. */
type ItemField = Exclude<keyof ExportedItem, Belonging | 'title' | 'visibleVersion'>;
export const itemFields = {
  ...plain('id', 'url', 'canonicalUrl', 'state', 'givenTitle', 'notes', 'summary', 'duplicateOf'),
  ...plain('createdAt', 'updatedAt', 'processedAt', 'shelf', 'readAt', 'readingStart', 'readingShare'),
  analysis: 'json',
  known: 'json',
} as const satisfies Fields<ItemField>;

export const resourceFields = plain('url', 'finalUrl', 'declaredType', 'fetchedAt') satisfies Fields<
  Exclude<keyof Resource, 'bytes' | 'validators' | 'isUnchanged' | 'movedTo' | 'freshForMs'>
>;

export const documentFields = {
  ...plain('version', 'contentType', 'title', 'author', 'siteName', 'publishedAt', 'language', 'canonicalUrl'),
  ...plain('durationSeconds', 'pageCount', 'wordCount', 'createdAt', 'text'),
  warnings: 'json',
  blocks: 'json',
} as const satisfies Fields<keyof ExportedDocument>;

const place = {
  start: { column: 'start_at' },
  end: { column: 'end_at' },
  locator: 'json',
  url: 'plain',
} as const satisfies Fields;

export const insightFields = {
  ...plain('text', 'quote', 'goalReason'),
  ...place,
  goalId: { column: 'goal' },
} as const satisfies Fields<Exclude<keyof ExportedItem['insights'][number], 'version'>>;

export const actionFields = {
  ...plain('id', 'goalReason', 'title', 'reason', 'quote', 'state', 'touchedAt', 'completedAt', 'due', 'createdAt'),
  ...plain('priority', 'snoozedUntil'),
  ...place,
  goalId: { column: 'goal' },
} as const satisfies Fields<Exclude<keyof ExportedAction, 'version' | 'mergedInto'>>;

export const pageCheckFields = plain(
  'etag',
  'lastModified',
  'checkedAt',
  'changedAt',
  'failureCode',
  'failureMessage',
) satisfies Fields<keyof NonNullable<ExportedItem['pageCheck']>>;

export const goalFields = plain('id', 'title', 'category', 'description', 'createdAt', 'archivedAt') satisfies Fields<
  keyof ExportedGoal
>;

export const listFields = plain('id', 'name', 'icon', 'query', 'ordinal', 'createdAt', 'updatedAt') satisfies Fields<
  Exclude<keyof ExportedList, 'items'>
>;

export const sourceFields = {
  ...plain('id', 'kind', 'address', 'name', 'state', 'everyMs', 'checkedAt', 'changedAt', 'createdAt', 'updatedAt'),
  options: 'json',
  memory: 'json',
} as const satisfies Fields<Exclude<keyof ExportedSource, 'entries'>>;

export const highlightFields = {
  ...plain('id', 'source', 'quote', 'note', 'colour', 'touchedAt', 'createdAt', 'updatedAt', 'deletedAt'),
  ...place,
} as const satisfies Fields<Exclude<keyof ExportedHighlight, 'version'>>;

const inSnakeCase = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns, of the table `alias` where several are read, for `SELECT` and `RETURNING`. */
export function columnsOf(fields: Fields, alias?: string): Sql {
  const prefix = alias === undefined ? '' : `${alias}.`;
  const columns = Object.entries(fields).map(([field, stored]) => {
    const name = inSnakeCase(field);
    return typeof stored === 'string' ? `${prefix}${name}` : `${prefix}${stored.column} AS "${name}"`;
  });
  return text(columns.join(', '));
}

export function valuesOf<Field extends string>(
  fields: Fields<Field>,
  record: { readonly [F in NoInfer<Field>]?: unknown },
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [field, stored] of Object.entries<Fields[string]>(fields)) {
    const value = record[field as Field];
    const column = typeof stored === 'string' ? inSnakeCase(field) : stored.column;
    values[column] = stored === 'json' ? toJson(value) : ((value ?? null) as Value);
  }
  return values;
}

export function recordOf<R>(fields: Fields, row: object): R {
  const record = { ...row } as Record<string, unknown>;
  for (const [field, stored] of Object.entries(fields)) if (stored === 'json') record[field] = fromJson(record[field]);
  return record as R;
}
