import { type BookShelf, createBookShelf } from './books.ts';
import { type CsvFormat, csvFormatOf, type KnownTable } from './formats/csv-formats.ts';
import { guessTable } from './formats/table-columns.ts';
import { type RawEntry, withPlainTitle } from './raw-entry.ts';

/** Rows before the header of a table: older exports of playlists have some. */
const maxRowsBeforeHeader = 20;

interface Found {
  format: string;
  raw: RawEntry;
}

export async function* readCsv(rows: AsyncIterable<string[]>, file: string): AsyncGenerator<Found> {
  let table: KnownTable | null = null;
  let books: BookShelf | undefined;
  let collected: ReturnType<NonNullable<CsvFormat['collect']>> | undefined;
  /** Columns that are not taken, of tables whose rows are collected. */
  const leftOut = new Set<string>();
  /** Rows before the header, as long as none is found. */
  let before: string[][] = [];
  const entry = function* ({ format, row: rowOf }: KnownTable, fields: string[]): Generator<Found> {
    const { row, unread } = rowOf(fields);
    const all = { format: format.name };
    if (format.collect !== undefined) {
      collected ??= format.collect(file);
      const refused = collected.add(row);
      for (const name of unread()) leftOut.add(name);
      if (refused !== null) yield { ...all, raw: refused };
      return;
    }
    const found = { url: row('url'), title: row('title'), ...format.read(row, file) };
    const raw = withPlainTitle({ ...found, fields: unread() });
    if ((raw.url ?? '').trim() !== '' || raw.book === undefined) return yield { ...all, raw };
    books ??= createBookShelf(format.name);
    for (const name of unread()) leftOut.add(name);
    const refused = books.add(raw);
    if (refused !== null) yield { ...all, raw: refused };
  };
  const guess = function* (): Generator<Found> {
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
  else
    for (const raw of [...(books?.entries() ?? []), ...(collected?.entries() ?? [])])
      yield { format: known.format.name, raw: { ...raw, fields: [...leftOut] } };
}
