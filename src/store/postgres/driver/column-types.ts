import { type QueryArrayResult, types } from 'pg';
import { decodeText } from '../text-codec.ts';
import type { Rows } from './tag.ts';

/* What comes back: values by the types of their columns, and columns under the names that they have in TypeScript. */

const textList = 1009;
const int8List = 1016;
const listOf = types.getTypeParser(textList as never, 'text') as unknown as (list: string) => (string | null)[];

const parsers = new Map<number, (value: string) => unknown>([
  [types.builtins.TEXT, decodeText],
  // Times, sizes and counts are whole numbers below 2^53.
  [types.builtins.INT8, Number],
  [textList, (list) => listOf(list).map((text) => (text === null ? null : decodeText(text)))],
  [int8List, (list) => listOf(list).map((number) => (number === null ? null : Number(number)))],
]);

export const columnTypes = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? types.getTypeParser(oid, 'text')) as typeof types.getTypeParser,
};

const columns = new Map<string, string>();

/** `snake_case` in SQL, `camelCase` in rows. */
function nameInRows(column: string): string {
  const known = columns.get(column);
  if (known !== undefined) return known;
  const [first = '', ...rest] = column.split('_');
  const name = first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  columns.set(column, name);
  return name;
}

/** The answer to several statements in one text is that to the last one. */
export function toRows(answers: QueryArrayResult<unknown[]> | QueryArrayResult<unknown[]>[]): Rows {
  const answer = Array.isArray(answers) ? answers.at(-1) : answers;
  const names = (answer?.fields ?? []).map(({ name }) => nameInRows(name));
  const rows = (answer?.rows ?? []).map((values) =>
    Object.fromEntries(names.map((name, column) => [name, values[column]])),
  );
  // Not enumerable: rows are compared with plain lists.
  return Object.defineProperty(rows, 'count', { value: answer?.rowCount ?? 0 }) as unknown as Rows;
}
