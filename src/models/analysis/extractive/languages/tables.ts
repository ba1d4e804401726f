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

/** Words of the six languages that say nothing of a subject: stop words, and times and amounts of goals. */
export const foreignFillers: ReadonlySet<string> = new Set([
  ...[...tables.values()].flatMap(({ stopWords }) => [...stopWords]),
  ...`woche wochen tag tage jahr jahre stunde stunden semaine semaines jour jours année heure heures semana semanas dia
      dias día días año años ano anos hora horas settimana settimane giorno giorni anno anni ora ore week weken dag dagen
      jaar uur uren elke jede jeder jedes chaque ogni todas todos cada weniger moins meno menos minder mehr plus più más
      mais meer`.split(/\s+/),
]);

/** The table of a language by its code ("de", "pt-BR"), or null. */
export function tableOf(language: string | null): LanguageTable | null {
  return tables.get((language ?? '').slice(0, 2).toLowerCase()) ?? null;
}
