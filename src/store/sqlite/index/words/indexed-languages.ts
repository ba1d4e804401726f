import { type IndexedLanguages, stemmedLanguage } from '../../../../domain/text/stems/word-forms.ts';
import type { SqliteFile } from '../../files/sqlite-file.ts';

/** Whether passages are left that an earlier version indexed (`account-022-stems.ts`). */
export function hasOlderWords(file: SqliteFile): boolean {
  return (file.get<{ last: number }>('SELECT older_words AS last FROM file_state')?.last ?? 0) > 0;
}

/** In which languages the passages of an account were indexed. Use within one transaction. */
export function indexedLanguages(file: SqliteFile): IndexedLanguages {
  return file.remember('indexed languages', () => {
    // Steps from one language to the next greater one, so that no other row of the index of languages is read.
    const rows = file.all<{ language: string }>(`WITH RECURSIVE found (language) AS (
        SELECT min(language) FROM documents
        UNION ALL
        SELECT (SELECT min(language) FROM documents WHERE language > found.language) FROM found
        WHERE found.language IS NOT NULL)
      SELECT language FROM found WHERE language IS NOT NULL`);
    const languages = new Set(rows.map(({ language }) => stemmedLanguage(language)));
    languages.delete(null);
    return { languages: [...languages] as IndexedLanguages['languages'], hasOlder: hasOlderWords(file) };
  });
}
