import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import type { ImportBatch, ImportedState, ImportEntry } from '../../src/domain/records/transfers/import.ts';
import { readExport } from '../../src/importing/read-export.ts';

/* Files of exports as tests write them, and what is read of them. */

export const folder = mkdtempSync(join(tmpdir(), 'commonplace-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
export const now = Date.UTC(2026, 5, 1);

export async function batchesOf(place: string): Promise<ImportBatch[]> {
  const batches: ImportBatch[] = [];
  for await (const batch of readExport({ place, now })) batches.push(batch);
  return batches;
}

export async function entriesOf(place: string): Promise<ImportEntry[]> {
  return (await batchesOf(place)).flatMap(({ entries }) => entries);
}

export function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** What a person would say of an entry. */
export function shown(entry: ImportEntry) {
  if (entry.kind === 'refusal') return `${entry.outcome}: ${entry.what}: ${entry.reason}`;
  if (
    entry.kind === 'goals' ||
    entry.kind === 'record' ||
    entry.kind === 'lists' ||
    entry.kind === 'sources' ||
    entry.kind === 'history'
  )
    return entry;
  const { title, tags, notes, createdAt, highlights, state } = entry;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  const date = createdAt === null ? null : day(createdAt);
  const marked = highlights.map(({ quote, note, colour }) => [quote, note, colour].filter((one) => one !== null));
  const url = entry.kind === 'address' ? entry.url : null;
  return {
    url,
    title,
    tags,
    notes,
    date,
    ...(marked.length > 0 && { marked }),
    ...(state !== undefined && { state: shownState(state, createdAt, day) }),
  };
}

/** `inbox`, `read`, or `read, on another day, 50 %`. */
function shownState(
  { shelf, readAt, readingShare }: ImportedState,
  savedAt: number | null,
  day: (time: number) => string,
) {
  const place = shelf === 'archive' && readAt !== null ? 'read' : shelf;
  const time = readAt === null || readAt === savedAt ? null : day(readAt);
  return [place, time, readingShare && `${readingShare * 100} %`].filter(Boolean).join(', ');
}

export async function read(name: string, content: string | Uint8Array) {
  const batches = await batchesOf(write(name, content));
  return {
    formats: [...new Set(batches.map(({ format }) => format))],
    entries: batches.flatMap(({ entries }) => entries.map(shown)),
  };
}
