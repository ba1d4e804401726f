import { createHash, subtle } from 'node:crypto';

/** SHA-256 in hexadecimal. In Node's thread pool, because originals may have many megabytes. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}

/** The same for records of the same content, whatever the order of their keys. */
export function digestOf(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record, sorted)).digest('hex');
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
