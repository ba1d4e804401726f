import { readFileSync } from 'node:fs';

/** One step from the first version of the schema to the present one. Only append: a migration that was released never changes. */
export interface Migration {
  name: string;
  sql: string;
  /** Takes away or changes what programs that do not know this migration use. */
  isContraction?: boolean;
}

/** The statements that make an empty database. */
export function readSchema(): string {
  return readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
}

export const migrations: readonly Migration[] = [];
