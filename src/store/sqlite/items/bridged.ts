import type { Stage } from '../../../domain/records/stages.ts';
import type { ClockReading } from '../../../domain/clock.ts';
import * as deletion from '../../library/deletion.ts';
import { importPackedContent, type PackedImport } from '../../library/import.ts';
import type { ImportedContent } from '../../records.ts';
import * as documents from '../../library/documents.ts';
import * as duplicates from '../../library/duplicates.ts';
import * as jobs from '../../library/jobs.ts';
import * as originals from '../../library/originals.ts';
import * as tags from '../../library/tags.ts';
import * as touch from '../../library/touch.ts';
import type { OriginalSource, PackedResource } from '../../records/packed-originals.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { bridge, runSteps, sqliteDb } from '../library/sqlite-db.ts';

/* Shared code for functions of this engine that are not yet part of it. */

export const touchItem = (file: SqliteFile, item: number, now: number): void =>
  runSteps(file, touch.touchItem(bridge(file, now), item));
export const addTags = (file: SqliteFile, item: number, added: readonly string[]): void =>
  runSteps(file, tags.addTags(bridge(file), item, added));
export const countTags = (file: SqliteFile, item: number): number => runSteps(file, tags.countTags(bridge(file), item));
export const writeOriginal = (
  file: SqliteFile,
  item: number,
  name: string,
  packed: PackedResource,
  from: OriginalSource,
): void => runSteps(file, originals.writeOriginal(bridge(file), item, name, packed, from));
export const showDocument = (file: SqliteFile, item: number, documentId: number): void =>
  runSteps(file, documents.showDocument(bridge(file), item, documentId));
export const replaceFingerprint = (file: SqliteFile, item: number, fingerprint: Uint8Array | null): void =>
  runSteps(file, duplicates.replaceFingerprint(bridge(file), item, fingerprint));
export const restartJob = (file: SqliteFile, item: number, stage: Stage, now: number): void =>
  runSteps(file, jobs.restartJob(bridge(file, now), item, stage));
export const stopJob = (file: SqliteFile, item: number): void => runSteps(file, jobs.stopJob(bridge(file), item));
export const moveToTrash = (file: SqliteFile, id: string, now: number, clock: ClockReading): void =>
  runSteps(file, deletion.moveToTrash(sqliteDb(file, { now, clock, history: null }), id));
export const takeFromTrash = (file: SqliteFile, id: string, now: number, clock: ClockReading): void =>
  runSteps(file, deletion.takeFromTrash(sqliteDb(file, { now, clock, history: null }), id));
export const findDeleted = (file: SqliteFile, canonicalUrl: string, now: number, clock: ClockReading): string | null =>
  runSteps(file, deletion.findDeleted(sqliteDb(file, { now, clock, history: null }), canonicalUrl));
export const importContent = (
  file: SqliteFile,
  entries: readonly PackedImport[],
  now: number,
  clock: ClockReading,
): ImportedContent[] => runSteps(file, importPackedContent(sqliteDb(file, { now, clock, history: null }), entries));
