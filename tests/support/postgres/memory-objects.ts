import type { ObjectKey, ObjectStore } from '../../../src/store/postgres/blobs/object-store.ts';

/** In place of a bucket, where a test is about what stands in the database. */
export class MemoryObjects implements ObjectStore {
  readonly objects = new Map<string, Uint8Array>();

  static nameOf({ account, name }: ObjectKey): string {
    return `${account}/${name}`;
  }
  async put(key: ObjectKey, bytes: Uint8Array): Promise<void> {
    this.objects.set(MemoryObjects.nameOf(key), bytes);
  }
  async get(key: ObjectKey, size: number): Promise<Uint8Array | null> {
    const bytes = this.objects.get(MemoryObjects.nameOf(key));
    return bytes?.length === size ? bytes : null;
  }
  async delete(key: ObjectKey): Promise<void> {
    this.objects.delete(MemoryObjects.nameOf(key));
  }
  async list(account: string): Promise<string[]> {
    const own = [...this.objects.keys()].filter((name) => name.startsWith(`${account}/`));
    return own.map((name) => name.slice(account.length + 1));
  }
  async close(): Promise<void> {
    // Others of the same test may go on with it.
  }
}
