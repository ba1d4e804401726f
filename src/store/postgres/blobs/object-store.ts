import type { AppError } from '../../../errors.ts';
import { unavailable, invalidInput } from '../../../errors.ts';

/** The storage of objects: a bucket, or a substitute in tests. Every object belongs to one account. */
export interface ObjectStore {
  /**
   * Stores bytes, replacing existing ones under the name.
   * @param sha256 of the bytes
   * @throws {AppError} `unavailable`, as all methods
   */
  put(key: ObjectKey, bytes: Uint8Array, sha256: Uint8Array): Promise<void>;
  /** @returns `size` bytes, unchecked; null when there is no such object, or when it has another size */
  get(key: ObjectKey, size: number): Promise<Uint8Array | null>;
  /** One that is not there is deleted as well. */
  delete(key: ObjectKey): Promise<void>;
  /** Names of some objects of the account, in no particular order; none when there are no more. */
  list(account: string): Promise<string[]>;
  close(): Promise<void>;
}

/** The account comes from the access of the store, never from a request. */
export interface ObjectKey {
  account: string;
  name: string;
}

const unanswered =
  'The object store, which holds originals, does not answer. Nothing that was acknowledged is lost. Try again in a moment.';
const refused =
  'The object store refuses what Commonplace asks of it. Whoever runs this installation has to look at its bucket, keys, region and time of day.';
const damaged =
  'The bytes of this original in the object store are not those that were saved. Whoever runs this installation can bring an earlier version of the object back; or save the page again.';
const unset =
  'This original is in an object store, and the settings name none. Whoever runs this installation has to set it again.';

export const objectStoreUnanswered = (cause?: unknown): AppError => unavailable(unanswered, { cause });
export const objectStoreRefused = (cause: unknown): AppError => unavailable(refused, { cause });
export const objectDamaged = (cause?: unknown): AppError => unavailable(damaged, { cause });
export const objectStoreUnset = (): AppError => unavailable(unset);

/** A bucket that speaks the protocol of Amazon S3, or a part of one. */
export interface ObjectStoreOptions extends ObjectStorePlace {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of keys that last for a while only. */
  sessionToken?: string | undefined;
}

export interface ObjectStorePlace {
  /** Scheme and host of the server, without the bucket. */
  endpoint: string;
  bucket: string;
  /** The common prefix of all object names: '', or folders with a slash at the end. */
  prefix: string;
  region: string;
  /** `path`: the bucket is the beginning of the path. `host`: it is the beginning of the host. */
  style: 'path' | 'host';
}

const example = 'https://key-id:secret@s3.eu-central-1.amazonaws.com/my-bucket/commonplace?region=eu-central-1';

function refuse(why: string): never {
  throw invalidInput(`The address of the object store ${why}. An example: ${example}`);
}

/** Characters of a key that mean something in an address are percent-encoded there. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return refuse('has a key with a "%" that is not written %25');
  }
}

/** Signing leaves these as they are, and so does every server. */
const isPlain = (text: string): boolean => /^[A-Za-z0-9._-]+$/.test(text);

/**
 * Reads `https://key-id:secret@host/bucket/prefix?region=…&style=host`. The prefix, the region (`us-east-1`) and the style (`path`) may
 * be left out. @throws {AppError} `invalid_input`, without the address: it may hold keys
 */
export function parseObjectStoreUrl(address: string): ObjectStoreOptions {
  const url = URL.canParse(address) ? new URL(address) : refuse('is not an address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') refuse('begins with neither https:// nor http://');
  const [accessKeyId, secretAccessKey] = [decoded(url.username), decoded(url.password)];
  if (accessKeyId === '' || secretAccessKey === '') refuse('lacks the id of a key or its secret');
  const [bucket = '', ...folders] = url.pathname.split('/').filter((part) => part !== '');
  if (bucket === '') refuse('names no bucket');
  for (const part of [bucket, ...folders])
    if (!isPlain(part) || part === '.' || part === '..')
      refuse('has other characters than letters, digits, ".", "_" and "-" in its path');
  const { region = 'us-east-1', style = 'path', ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0 || url.hash !== '')
    refuse('has something besides "region" and "style" at its end');
  if (!isPlain(region)) refuse('has a region of other characters than letters, digits and "-"');
  if (style !== 'path' && style !== 'host') refuse('has a style that is neither "path" nor "host"');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  return { accessKeyId, secretAccessKey, endpoint: url.origin, bucket, prefix, region, style };
}

/** The address under which all objects are. Its origin is the only one that is asked. */
export function objectStoreBase({ endpoint, bucket, style }: ObjectStorePlace): string {
  const url = new URL(endpoint);
  if (style === 'path') url.pathname = `/${bucket}/`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url.href;
}
