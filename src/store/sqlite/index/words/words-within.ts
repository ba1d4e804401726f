import { mayBeWithin } from '../../../../domain/search/spellings.ts';
import { narrowingOf } from '../narrowing.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/** How many of the newest passages are looked through: a thousand take about a millisecond. */
const newest = 20_000;
/** Passages that are read; further ones would not be shown. */
const maxRead = 200;

/**
 * The passages in which a long word that no passage has is a part of another one: silicovolcano. The index knows only how
 * words begin and how compounds end, so the texts are looked through.
 */
export function findWithin(file: SqliteFile, word: string): Uint32Array {
  if (!mayBeWithin(word)) return new Uint32Array(0);
  const rows = file.all<{ id: number }>(
    `SELECT id FROM passages WHERE id > (SELECT max(id) FROM passages) - ? AND (instr(text, ?) > 0 OR instr(text, ?) > 0)
     ORDER BY id DESC LIMIT ?`,
    newest,
    word,
    word.charAt(0).toUpperCase() + word.slice(1),
    maxRead,
  );
  const passages = narrowingOf(file)?.passages;
  return Uint32Array.from(rows, ({ id }) => id)
    .filter((id) => passages?.has(id) !== false)
    .sort();
}
