import type { IndexedLanguages, StemmedLanguage } from '../../../../domain/text/words/stems/word-forms.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/** Whether passages are left that an earlier version indexed (`schema.sql`). */
export function hasOlderWords(file: SqliteFile): boolean {
  return (file.get<{ last: number }>('SELECT older_words AS last FROM libraries')?.last ?? 0) > 0;
}

/** In which languages the passages of an account were indexed. Use within one transaction. */
export function indexedLanguages(file: SqliteFile): IndexedLanguages {
  return file.remember('indexed languages', () => {
    const rows = file.all<{ language: StemmedLanguage }>('SELECT language FROM indexed_languages');
    return { languages: rows.map(({ language }) => language), hasOlder: hasOlderWords(file) };
  });
}

/** Notes that the index has stems of a language. */
export function noteLanguage(file: SqliteFile, language: StemmedLanguage): void {
  file.run('INSERT INTO indexed_languages (language) VALUES (?) ON CONFLICT DO NOTHING', language);
}
