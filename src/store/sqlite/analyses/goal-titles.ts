import type { SqliteFile } from '../files/sqlite-file.ts';

/** Finds a goal by its title: goals with the same title are one goal, even when it is archived. */
export function findByTitle(file: SqliteFile, title: string): string | null {
  const folded = foldedTitle(title);
  // SQLite folds letter case for ASCII only, so compare here. An account has few goals.
  const goals = file.all<{ id: string; title: string }>('SELECT id, title FROM goals ORDER BY seq');
  return goals.find((goal) => foldedTitle(goal.title) === folded)?.id ?? null;
}

export function foldedTitle(title: string): string {
  return title.normalize('NFC').toLowerCase();
}
