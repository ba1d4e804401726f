import { type BookShelf, createBookShelf } from './books.ts';
import { csvFormatOf, type KnownTable } from './formats/csv-formats.ts';
import { guessTable } from './formats/table-columns.ts';
import { type RawEntry, withPlainTitle } from './raw-entry.ts';

/** Rows before the header of a table: older exports of playlists have some. */
const maxRowsBeforeHeader = 20;

export async function* readCsv(
  rows: AsyncIterable<string[]>,
  file: string,
): AsyncGenerator<{ format: string; raw: RawEntry }> {
  let table: KnownTable | null = null;
  let books: BookShelf | undefined;
  /** Rows before the header, as long as none is found. */
  let before: string[][] = [];
  const entry = function* ({ format, read }: KnownTable, row: string[]): Generator<{ format: string; raw: RawEntry }> {
    const raw = withPlainTitle(format.read(read(row), file));
    if ((raw.url ?? '').trim() !== '' || raw.book === undefined) return yield { format: format.name, raw };
    books ??= createBookShelf(format.name);
    const refused = books.add(raw);
    if (refused !== null) yield { format: format.name, raw: refused };
  };
  const guess = function* (): Generator<{ format: string; raw: RawEntry }> {
    const guessed = guessTable(before);
    table = guessed === null ? null : csvFormatOf(guessed.header);
    if (table !== null && guessed !== null) for (const row of before.slice(guessed.from)) yield* entry(table, row);
    before = [];
  };
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (table !== null) {
      yield* entry(table, row);
      continue;
    }
    table = csvFormatOf(row);
    if (table !== null) continue;
    before.push(row);
    if (count < maxRowsBeforeHeader) continue;
    yield* guess();
    if (table === null) break;
  }
  if (table === null) yield* guess();
  const known: KnownTable | null = table;
  if (known === null)
    yield {
      format: '',
      raw: { title: file, refused: 'none of its columns is known: name the one with the addresses `url`' },
    };
  else for (const raw of books?.entries() ?? []) yield { format: known.format.name, raw };
}
