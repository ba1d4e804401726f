import { hashOf, type RawEntry, type RawHighlight } from './raw-entry.ts';

/* Books have no web address. The highlights of a book become one note. They are scattered over an export, so they are collected first. */

/** Characters of all highlights of one export that are kept in memory. */
const maxCharacters = 50_000_000;
const maxBooks = 20_000;

interface HighlightedBook {
  title: string;
  author: string;
  tags: Set<string>;
  highlights: RawHighlight[];
}

export type BookShelf = ReturnType<typeof createBookShelf>;

/** @param program part of the name of each note, so that books of two programs stay apart */
export function createBookShelf(program: string) {
  const books = new Map<string, HighlightedBook>();
  let characters = 0;
  return {
    /** Adds the highlights of an entry with a book. @returns the entry with the reason, when there is no room for it */
    add(raw: RawEntry): RawEntry | null {
      const { title, author } = raw.book ?? { title: '', author: '' };
      const about: HighlightedBook = { title: title.trim(), author: author.trim(), tags: new Set(), highlights: [] };
      const key = `${about.title}\n${about.author}`;
      for (const { text, note } of raw.highlights ?? []) characters += text.length + (note ?? '').length;
      if (characters > maxCharacters || (books.size >= maxBooks && !books.has(key)))
        return { title: raw.title, refused: 'there are more highlights than one import can take: split the file' };
      const book = books.get(key) ?? about;
      books.set(key, book);
      book.highlights.push(...(raw.highlights ?? []));
      for (const tag of raw.tags ?? []) book.tags.add(tag);
      return null;
    },
    *entries(): Iterable<RawEntry> {
      for (const { title, author, tags, highlights } of books.values()) {
        if (highlights.length === 0) continue;
        const name = hashOf(`${program}\n${title}\n${author}`);
        yield {
          title: title || author || 'A book',
          tags: [...tags],
          date: highlights[0]?.date ?? undefined,
          highlights,
          text: { name, body: bodyOf(author, highlights) },
        };
      }
    },
  };
}

/** A book becomes a note. `key`: the program's id; empty facts are left out. */
export function noteOfBook(
  program: string,
  key: string,
  title: string,
  facts: readonly string[],
  texts: readonly string[],
): RawEntry {
  const about = facts.map((fact) => fact.trim()).filter((fact) => fact !== '');
  const parts = [title.trim(), about.join(' · '), ...texts.map((text) => text.trim())];
  const body = parts.filter((part) => part !== '').join('\n\n');
  return { title, text: { name: hashOf(`${program}\n${key.trim() || title}`), body } };
}

function bodyOf(author: string, highlights: readonly RawHighlight[]): string {
  const parts = author === '' ? [] : [author];
  for (const { text, note } of highlights) {
    const quote = text.trim();
    if (quote !== '') parts.push(`> ${quote.replaceAll(/\r\n|\r|\n/g, '\n> ')}`);
    if ((note ?? '').trim() !== '') parts.push((note ?? '').trim());
  }
  return parts.join('\n\n');
}
