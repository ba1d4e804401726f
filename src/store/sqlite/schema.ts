import { readFileSync } from 'node:fs';
import type { Schema } from './files/migrate.ts';

/** Read when a file is made or checked, which few starts do. */
const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** An account's file. */
export const accountSchema: Schema = {
  get sql() {
    return read('./schema.sql');
  },
  migrations: [],
};

/** `control.db`. */
export const controlSchema: Schema = {
  get sql() {
    return read('./control.sql');
  },
  migrations: [],
};
