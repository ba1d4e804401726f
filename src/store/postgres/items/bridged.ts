import type { Stage } from '../../../domain/records/stages.ts';
import * as deletion from '../../library/deletion.ts';
import { importPackedContent, type PackedImport } from '../../library/import.ts';
import type { ImportedContent } from '../../records.ts';
import * as documents from '../../library/documents.ts';
import * as duplicates from '../../library/duplicates.ts';
import * as jobs from '../../library/jobs.ts';
import * as originals from '../../library/originals.ts';
import * as tags from '../../library/tags.ts';
import * as touch from '../../library/touch.ts';
import type { OriginalSource } from '../../records/packed-originals.ts';
import type { AccountTx, AccountWrite } from '../account-transaction.ts';
import { postgresDb, runSteps } from '../postgres-db.ts';

/*
 * Shared code for functions of this engine that are not yet part of it. Those that return nothing have sent all their
 * statements, and need not be waited for.
 */

export const touchItem = (db: AccountTx, item: number): void =>
  void runSteps(db, touch.touchItem(postgresDb(db), item));
export const addTags = (db: AccountTx, item: number, added: readonly string[]): Promise<void> =>
  runSteps(db, tags.addTags(postgresDb(db), item, added));
export const countTags = (db: AccountTx, item: number): Promise<number> =>
  runSteps(db, tags.countTags(postgresDb(db), item));
export const writeOriginal = (
  db: AccountTx,
  item: number,
  name: string,
  kept: originals.KeptOriginal,
  from: OriginalSource,
): void => void runSteps(db, originals.writeOriginal(postgresDb(db), item, name, kept, from));
export const showDocument = (db: AccountTx, item: number, documentId: number): void =>
  void runSteps(db, documents.showDocument(postgresDb(db), item, documentId));
export const replaceFingerprint = (db: AccountTx, item: number, fingerprint: Uint8Array | null): void =>
  void runSteps(db, duplicates.replaceFingerprint(postgresDb(db), item, fingerprint));
export const writeAddress = (db: AccountTx, item: number, address: string): void =>
  void runSteps(db, duplicates.writeAddress(postgresDb(db), item, address));
export const restartJob = (db: AccountTx, item: number, stage: Stage): Promise<void> =>
  runSteps(db, jobs.restartJob(postgresDb(db), item, stage));
export const stopJob = (db: AccountTx, item: number): void => void runSteps(db, jobs.stopJob(postgresDb(db), item));
export const moveToTrash = (db: AccountWrite, id: string): Promise<void> =>
  runSteps(db, deletion.moveToTrash(postgresDb(db), id));
export const takeFromTrash = (db: AccountWrite, id: string): Promise<void> =>
  runSteps(db, deletion.takeFromTrash(postgresDb(db), id));
export const findDeleted = (db: AccountWrite, canonicalUrl: string): Promise<string | null> =>
  runSteps(db, deletion.findDeleted(postgresDb(db), canonicalUrl));
export const importContent = (db: AccountWrite, entries: readonly PackedImport[]): Promise<ImportedContent[]> =>
  runSteps(db, importPackedContent(postgresDb(db), entries));
