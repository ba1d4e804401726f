import { type Sql, text, toJson, type Value, fromJson } from './db.ts';

/*
 * The fields of a record are listed once: insertion, reading and transfer read the list. A column has the name of its
 * field, in `snake_case`.
 */

/** How each field is stored: as it is, or as JSON. */
export type Fields<Field extends string> = Readonly<Record<Field, 'plain' | 'json'>>;

const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of the table `alias`, for `SELECT`. */
export function columnsOf(alias: string, fields: Fields<string>): Sql {
  return text(
    Object.keys(fields)
      .map((field) => `${alias}.${columnOf(field)}`)
      .join(', '),
  );
}

/** The columns of a record with their values, for `Db.row`. */
export function valuesOf<Field extends string>(
  fields: Fields<Field>,
  record: Readonly<Record<Field, unknown>>,
): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const [field, kind] of Object.entries<'plain' | 'json'>(fields)) {
    const value = record[field as Field];
    values[columnOf(field)] = kind === 'json' ? toJson(value) : ((value ?? null) as Value);
  }
  return values;
}

/** The record that a row with these columns has. */
export function recordOf<R>(fields: Fields<string>, row: object): R {
  const record = { ...row } as Record<string, unknown>;
  for (const [field, kind] of Object.entries<'plain' | 'json'>(fields))
    if (kind === 'json') record[field] = fromJson(record[field]);
  return record as R;
}
