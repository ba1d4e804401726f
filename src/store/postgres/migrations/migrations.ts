import type { Migration } from '../migrate.ts';
import { control } from './001-control.ts';

/** What the database went through, in order. Append only: an entry that was released never changes. */
export const migrations: readonly Migration[] = [control];
