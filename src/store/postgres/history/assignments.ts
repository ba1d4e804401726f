import type { Values } from '../../history/changed-rows.ts';
import type { AccountTx } from '../account-access.ts';
import { json } from '../database.ts';

/** A recorded value as a parameter. */
function parameter({ sql }: AccountTx, column: string, value: string | number | null) {
  if (column === 'analysis' || column === 'locator') return asJson(value);
  if (column === 'undone') return sql`${value === 1}`;
  return sql`${value}`;
}

/** JSON stands in the record as text. */
export function asJson(value: string | number | null) {
  return json(typeof value === 'string' ? JSON.parse(value) : null);
}

/** SQL: what stands behind `SET`. The names of the columns are ours; the values are parameters. */
export function assignments(db: AccountTx, columns: readonly string[], values: Values) {
  const { sql } = db;
  const [first = '', ...rest] = columns;
  const one = (column: string) => sql`${sql(column)} = ${parameter(db, column, values[column] ?? null)}`;
  return rest.reduce((set, column) => sql`${set}, ${one(column)}`, one(first));
}
