import type { Stage } from '../../../domain/records/stages.ts';
import * as documents from '../../library/documents.ts';
import * as duplicates from '../../library/duplicates.ts';
import * as jobs from '../../library/jobs.ts';
import * as originals from '../../library/originals.ts';
import * as tags from '../../library/tags.ts';
import * as touch from '../../library/touch.ts';
import type { OriginalSource, PackedResource } from '../../records/packed-originals.ts';
import type { SqliteFile } from '../files/sqlite-file.ts';
import { bridge, runSteps } from '../library/sqlite-db.ts';

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
export const removeCompanions = (file: SqliteFile, item: number): void =>
  runSteps(file, originals.removeCompanions(bridge(file), item));
export const visibleDocument = (file: SqliteFile, item: number): number | null =>
  runSteps(file, documents.visibleDocument(bridge(file), item));
export const showDocument = (file: SqliteFile, item: number, documentId: number): void =>
  runSteps(file, documents.showDocument(bridge(file), item, documentId));
export const requireDocument = (file: SqliteFile, item: number, documentId: number): void =>
  runSteps(file, documents.requireDocument(bridge(file), item, documentId));
export const replaceFingerprint = (file: SqliteFile, item: number, fingerprint: Uint8Array | null): void =>
  runSteps(file, duplicates.replaceFingerprint(bridge(file), item, fingerprint));
export const restartJob = (file: SqliteFile, item: number, stage: Stage, now: number): void =>
  runSteps(file, jobs.restartJob(bridge(file, now), item, stage));
export const stopJob = (file: SqliteFile, item: number): void => runSteps(file, jobs.stopJob(bridge(file), item));
export const missingTags = (file: SqliteFile, item: number, asked: readonly string[]): string[] =>
  runSteps(file, tags.missingTags(bridge(file), item, asked));
export const replaceTags = (file: SqliteFile, item: number, wanted: readonly string[]): void =>
  runSteps(file, tags.replaceTags(bridge(file), item, wanted));
export const removeTags = (file: SqliteFile, item: number, gone: readonly string[]): void =>
  runSteps(file, tags.removeTags(bridge(file), item, gone));
export const replaceOriginal = (file: SqliteFile, item: number, packed: PackedResource, from: OriginalSource): void =>
  runSteps(file, originals.replaceOriginal(bridge(file), item, packed, from));
export const hasOriginal = (file: SqliteFile, item: number, packed: PackedResource): boolean =>
  runSteps(file, originals.hasOriginal(bridge(file), item, packed));
export const readTextOf = (file: SqliteFile, documentId: number): string | null =>
  runSteps(file, documents.readTextOf(bridge(file), documentId));
export const linkDuplicates = (file: SqliteFile, item: number, documentId: number, now: number): void =>
  runSteps(file, duplicates.linkDuplicates(bridge(file, now), item, documentId));
export const regroupCopies = (file: SqliteFile, item: number, now: number): void =>
  runSteps(file, duplicates.regroupCopies(bridge(file, now), item));
export const queueJob = (
  file: SqliteFile,
  item: number,
  url: string,
  stage: Stage,
  now: number,
  how = { isBackground: false },
): void => runSteps(file, jobs.queueJob(bridge(file, now), item, url, stage, how));
export const requeueJob = (file: SqliteFile, item: number, now: number): boolean =>
  runSteps(file, jobs.requeueJob(bridge(file, now), item));
export const resumeJob = (file: SqliteFile, item: number, now: number): void =>
  runSteps(file, jobs.resumeJob(bridge(file, now), item));
