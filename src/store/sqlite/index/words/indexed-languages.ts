import type { IndexedLanguages, StemmedLanguage } from '../../../../domain/text/words/stems/word-forms.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/** In which languages the passages of an account were indexed. Use within one transaction. */
export function indexedLanguages(file: SqliteFile): IndexedLanguages {
  return file.remember('indexed languages', () => {
    const rows = file.all<{ language: StemmedLanguage }>('SELECT language FROM indexed_languages');
    return rows.map(({ language }) => language);
  });
}

/** Notes that the index has stems of a language. */
export function noteLanguage(file: SqliteFile, language: StemmedLanguage): void {
  file.run('INSERT INTO indexed_languages (language) VALUES (?) ON CONFLICT DO NOTHING', language);
}
