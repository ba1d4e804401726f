import { AppError } from '../../../errors.ts';

/** Where objects are: a bucket, or what a test puts in its place. Every object belongs to one account. */
export interface ObjectStore {
  /**
   * Stores bytes; those that are there under the name are replaced.
   * @param sha256 of the bytes
   * @throws {AppError} `unavailable`, as all methods
   */
  put(key: ObjectKey, bytes: Uint8Array, sha256: Uint8Array): Promise<void>;
  /** @returns `size` bytes, unchecked; null when there is no such object, or when it has another size */
  get(key: ObjectKey, size: number): Promise<Uint8Array | null>;
  /** One that is not there is deleted as well. */
  delete(key: ObjectKey): Promise<void>;
  /** Names of some objects of the account, in no particular order; none when it has no more. */
  list(account: string): Promise<string[]>;
  /** Ends what is under way. */
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

export const objectStoreUnanswered = (cause?: unknown): AppError => new AppError('unavailable', unanswered, { cause });
export const objectStoreRefused = (cause: unknown): AppError => new AppError('unavailable', refused, { cause });
export const objectDamaged = (cause?: unknown): AppError => new AppError('unavailable', damaged, { cause });
export const objectStoreUnset = (): AppError => new AppError('unavailable', unset);
