import { z } from 'zod';
import { changeFaces } from './change.ts';
import { instant } from './instant.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable();
export type HistoryValue = z.infer<typeof value>;

/**
 * A field that a change gave another value. `field` is `saved` for an item itself, and `action`, `goal`, `highlight` or
 * `list` for such a record that came or went.
 */
const historyChange = z.object({
  id: z.string(),
  title: z.string().nullable(),
  field: z.string(),
  before: value,
  after: value,
});
export type HistoryChange = z.infer<typeof historyChange>;

export const listedHistoryEntry = z.object({
  id: z.string(),
  at: instant,
  face: z.enum(changeFaces).describe('The way in: `page` is the one in a browser.'),
  by: z.string().nullable().describe('Name of the token or of the assistant; null on the machine itself.'),
  operation: z.string(),
  rows: z.int().describe('How many rows were changed; `changes` may show the first ones alone.'),
  changes: z.array(historyChange),
  undoneBy: z.string().optional().describe('The change that undid this one.'),
  undoes: z.string().optional().describe('The change that this one undid.'),
  isRestored: z.boolean().optional().describe('It came with an export: there is no undo for it.'),
});
export type ListedHistoryEntry = z.infer<typeof listedHistoryEntry>;

/** Something that an undo would overwrite, because it was changed since. Not even force can do it without `canForce`. */
const undoConflict = z.object({
  id: z.string(),
  title: z.string().nullable(),
  field: z.string(),
  before: value.describe('The value that undoing restores.'),
  now: value.describe('The current value.'),
  canForce: z.boolean(),
  reason: z.string(),
});
export type UndoConflict = z.infer<typeof undoConflict>;

export const undone = z.object({
  id: z.string(),
  outcome: z
    .enum(['undone', 'undone_before', 'changed_since'])
    .describe('changed_since: it was not undone, because `conflicts` would be overwritten.'),
  operation: z.string().describe('What was undone.'),
  rows: z.int().describe('How many rows were restored.'),
  conflicts: z.array(undoConflict),
  conflictsTotal: z.int(),
});
export type Undone = z.infer<typeof undone>;
