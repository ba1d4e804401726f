import { dutch } from './dutch.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import type { LanguageTable } from './language-table.ts';
import { portuguese } from './portuguese.ts';
import { spanish } from './spanish.ts';

const tables: ReadonlyMap<string, LanguageTable> = new Map([
  ['de', german],
  ['fr', french],
  ['es', spanish],
  ['it', italian],
  ['pt', portuguese],
  ['nl', dutch],
]);

/** The table of a language by its code ("de", "pt-BR"), or null. */
export function tableOf(language: string | null): LanguageTable | null {
  return tables.get((language ?? '').slice(0, 2).toLowerCase()) ?? null;
}
