import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal: the same for records of the same content, whatever the order of their keys. */
export function digestOf(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record, sorted)).digest('hex');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
