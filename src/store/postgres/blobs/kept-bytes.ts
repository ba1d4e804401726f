import { randomBytes } from 'node:crypto';
import type { Resource } from '../../../domain/records/resource.ts';
import { sha256 } from '../../../domain/sha256.ts';
import { type PackedResource, packResource } from '../../records/packed-originals.ts';
import { AccountAccess, type AccountParts } from '../account-access.ts';
import type { KeptOriginal } from '../../library/items/documents.ts';
import { type AccountTx, later, statement, type Tx } from '../database.ts';
import {
  objectDamaged,
  type ObjectStore,
  objectStoreRefused,
  objectStoreUnanswered,
  objectStoreUnset,
} from './object-store.ts';
import { AppError, unavailable } from '../../../errors.ts';

/*
 * Where the bytes of originals are stored. Up to `maxRowBytes`, or without an object store, they are in their row. Larger ones are
 * in an object, which exists before a row refers to it: 1. its name is recorded in `blobs`; 2. it is uploaded; 3. the transaction
 * that needs it refers to it. An unreferenced object is an orphan, which sweeps delete.
 */

/**
 * Smaller originals stay in the row, which needs no further round trip. An object costs a request to a more distant server, and
 * most providers charge per request, and for at least 128 kB.
 */
const maxRowBytes = 16_384;

const putAtOnce = 4;

export async function keepResource(access: AccountAccess, resource: Resource): Promise<KeptOriginal> {
  return keepPacked(access, access.objects, await packResource(resource));
}

export async function keepResources(access: AccountAccess, resources: readonly Resource[]): Promise<KeptOriginal[]> {
  const kept: KeptOriginal[] = [];
  for (let from = 0; from < resources.length; from += putAtOnce) {
    const some = resources.slice(from, from + putAtOnce);
    kept.push(...(await Promise.all(some.map((resource) => keepResource(access, resource)))));
  }
  return kept;
}

async function keepPacked(
  access: AccountAccess,
  objects: ObjectStore | null,
  { bytes, ...packed }: PackedResource,
): Promise<KeptOriginal> {
  if (objects === null || bytes.length <= maxRowBytes) return { ...packed, bytes };
  const hash = packed.packing === 'none' ? packed.hash : await sha256(bytes);
  const size = bytes.length;
  const name = await access.note((db) => noteBlob(db, hash, size));
  // Also when it is there already: so saving again mends what was lost.
  await objects.put({ account: access.account, name }, bytes, hash);
  return { ...packed, bytes: null, object: { name, size, hash } };
}

/** Names an object of these bytes; the same as before, as long as it was not released. */
async function noteBlob({ sql, account, now }: AccountTx, hash: Uint8Array, size: number): Promise<string> {
  const made = `${Buffer.from(hash).toString('hex')}-${randomBytes(8).toString('hex')}`;
  const [blob] = await sql<{ name: string }[]>`
    INSERT INTO blobs AS b (account_id, name, hash, size, noted_at)
    VALUES (${account}, ${made}, ${hash}, ${size}, ${now})
    ON CONFLICT (account_id, hash) DO UPDATE SET noted_at = greatest(b.noted_at, excluded.noted_at)
    RETURNING name`;
  if (blob === undefined) throw new Error('an object that was just noted has no name');
  later(sql`
    INSERT INTO blob_sweeps (account_id, due_at) VALUES (${account}, ${now + orphanAfterMs}) ON CONFLICT DO NOTHING`);
  return blob.name;
}

/** How long an object is kept that nothing refers to. A write that puts an object refers to it within this time. */
export const orphanAfterMs = 24 * 60 * 60_000;

/**
 * The bytes, verified against their hash. Null when the object is missing.
 * @throws {AppError} `unavailable` when the object store does not answer, or has other bytes
 */
export async function readBytes(
  access: AccountAccess,
  { bytes, object }: Pick<KeptOriginal, 'bytes' | 'object'>,
): Promise<Uint8Array | null> {
  if (object === undefined) return bytes;
  if (access.objects === null) throw objectStoreUnset();
  const stored = await access.objects.get({ account: access.account, name: object.name }, object.size);
  if (stored === null) return null;
  if (!Buffer.from(await sha256(stored)).equals(object.hash)) throw objectDamaged();
  return stored;
}

/*
 * Deletes objects that no row names. A write may be about to name one: `blobs` has held its name since before it was put.
 *
 * 1. In one transaction, names in `blobs` that are older than a day and that nothing refers to go to `dead_objects`. A
 *    foreign key ties originals to `blobs`: a write that refers to an object before this step keeps it there, and a later
 *    one fails and is told to try again. So no bytes are lost, whatever the time; the day only makes failures rare.
 * 2. The objects are deleted, then their names. This may be done twice, late, or by two nodes: no name is used again,
 *    because the same bytes get another one as soon as theirs has left `blobs`.
 *
 * A crash between the steps leaves a name in one of the two tables, and the next sweep goes on with it.
 */

const maxObjectsAtOnce = 500;
const deletedAtOnce = 8;
/** Accounts that one call visits. The rest is due at once. */
const maxVisits = 200;
/** A node that fails during a visit leaves the account to others after this time. */
const visitMs = 60 * 60_000;
const everyMs = orphanAfterMs;
/** A removed account is emptied a second time, after whatever was still being put has arrived. */
const removalTimes = 2;

interface Due {
  accountId: string;
  removals: number;
}

export class BlobSweeps {
  readonly #parts: AccountParts & { objects: ObjectStore };
  readonly #closing = new AbortController();

  constructor(parts: AccountParts & { objects: ObjectStore }) {
    this.#parts = parts;
  }

  /** Visits accounts that are due, each by one node. @throws {AppError} `unavailable` when the object store does not answer */
  async sweep(): Promise<void> {
    for (let visits = 0; visits < maxVisits && !this.#closing.signal.aborted; visits += 1) {
      const due = await this.#claim();
      if (due === null) return;
      await this.#visit(due);
    }
  }

  /** Deletes what a removed account has, as far as the object store answers; sweeps do the rest. */
  async empty(accountId: string): Promise<void> {
    try {
      await this.#visit({ accountId, removals: removalTimes });
    } catch (cause) {
      throw unavailable(
        'The account is removed. The object store, which holds its originals, does not answer; they are deleted as soon as it does.',
        { cause },
      );
    }
  }

  stop(): void {
    this.#closing.abort(objectStoreUnanswered());
  }

  async #claim(): Promise<Due | null> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    const [due] = await statement(
      async () => pool<Due[]>`
        UPDATE blob_sweeps SET due_at = ${now + visitMs} WHERE account_id = (
          SELECT account_id FROM blob_sweeps WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING account_id, removals`,
    );
    return due ?? null;
  }

  async #visit({ accountId, removals }: Due): Promise<void> {
    if (removals > 0) return this.#emptyRemoved(accountId, removals);
    const access = new AccountAccess(this.#parts, accountId);
    try {
      await giveUpOrphans(access);
      const deleted = await this.#deleteDead(access);
      await access.note(async ({ sql, account, now }) => {
        const due = deleted < maxObjectsAtOnce ? now + everyMs : now;
        await sql`UPDATE blob_sweeps SET due_at = ${due} WHERE account_id = ${account} AND removals = 0`;
        await sql`
          DELETE FROM blob_sweeps WHERE account_id = ${account} AND removals = 0
            AND NOT EXISTS (SELECT 1 FROM blobs WHERE account_id = ${account})
            AND NOT EXISTS (SELECT 1 FROM dead_objects WHERE account_id = ${account})`;
      });
    } catch (error) {
      // The account is hidden, or was removed meanwhile: what it has stays, or goes with it.
      if (!(error instanceof AppError && error.code === 'not_found')) throw error;
    }
  }

  /** @returns how many */
  async #deleteDead(access: AccountAccess): Promise<number> {
    const dead = await access.read(({ sql, account }) =>
      sql<{ name: string }[]>`
        SELECT name FROM dead_objects WHERE account_id = ${account} LIMIT ${maxObjectsAtOnce}`.execute(),
    );
    const names = dead.map(({ name }) => name);
    await this.#delete(access.account, names);
    if (names.length > 0)
      await access.change(({ sql, account }) =>
        sql`DELETE FROM dead_objects WHERE account_id = ${account} AND name = ANY(${names}::text[])`.execute(),
      );
    return names.length;
  }

  async #delete(account: string, names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += deletedAtOnce) {
      this.#closing.signal.throwIfAborted();
      const some = names.slice(from, from + deletedAtOnce);
      await Promise.all(some.map((name) => this.#parts.objects.delete({ account, name })));
    }
  }

  /** By listing: a database that was restored from a backup does not know all names. */
  async #emptyRemoved(account: string, removals: number): Promise<void> {
    const { objects, clock, pool } = this.#parts;
    for (let names = await objects.list(account); names.length > 0; names = await objects.list(account)) {
      const known = new Set(names);
      await this.#delete(account, names);
      if ((await objects.list(account)).some((name) => known.has(name)))
        throw objectStoreRefused(new Error('the object store lists what it said to have deleted'));
    }
    const left = removals - 1;
    await statement(async () =>
      left === 0
        ? pool`DELETE FROM blob_sweeps WHERE account_id = ${account}`
        : pool`UPDATE blob_sweeps SET removals = ${left}, due_at = ${clock.now() + everyMs} WHERE account_id = ${account}`,
    );
  }
}

/** Part of the transaction that removes an account: from then on, sweeps delete what it has in the object store. */
export async function noteRemoval(tx: Tx, account: string, now: number): Promise<void> {
  await tx`
    INSERT INTO blob_sweeps (account_id, due_at, removals) VALUES (${account}, ${now}, ${removalTimes})
    ON CONFLICT (account_id) DO UPDATE SET due_at = excluded.due_at, removals = excluded.removals`;
}

/** Moves unreferenced names to the dead objects. */
async function giveUpOrphans(access: AccountAccess): Promise<void> {
  // Found without holding up the account; looked at again when it is locked.
  const found = await access.read(({ sql, account, now }) =>
    sql<{ name: string }[]>`
      SELECT b.name FROM blobs b
      WHERE b.account_id = ${account} AND b.noted_at < ${now - orphanAfterMs}
        AND NOT EXISTS (SELECT 1 FROM originals o WHERE o.account_id = ${account} AND o.blob = b.name)
        AND NOT EXISTS (SELECT 1 FROM history_originals o WHERE o.account_id = ${account} AND o.blob = b.name)
      LIMIT ${maxObjectsAtOnce}`.execute(),
  );
  if (found.length === 0) return;
  const names = found.map(({ name }) => name);
  await access.note(({ sql, account, now }) =>
    sql`
      WITH gone AS (
        DELETE FROM blobs b
        WHERE b.account_id = ${account} AND b.name = ANY(${names}::text[]) AND b.noted_at < ${now - orphanAfterMs}
          AND NOT EXISTS (SELECT 1 FROM originals o WHERE o.account_id = ${account} AND o.blob = b.name)
          AND NOT EXISTS (SELECT 1 FROM history_originals o WHERE o.account_id = ${account} AND o.blob = b.name)
        RETURNING b.name)
      INSERT INTO dead_objects (account_id, name) SELECT ${account}, name FROM gone`.execute(),
  );
}
