import { open } from 'node:fs/promises';
import { csvRow } from '../../exporting/csv-row.ts';
import type { ImportResult } from './importing.ts';

export interface ImportReport {
  path: string;
  add(results: readonly ImportResult[]): Promise<void>;
  close(): Promise<void>;
}

const columns = ['file', 'line', 'outcome', 'reason', 'address', 'title', 'id'];

/**
 * Begins a new report: a table (CSV) with a line for each entry of an import, written as the import goes on.
 * @throws {Error} of the file system, also when there is a file already
 */
export async function openImportReport(path: string): Promise<ImportReport> {
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(csvRow(columns));
  return {
    path,
    async add(results) {
      const rows = results.map(({ file: source, line, outcome, reason, what, title, id }) =>
        csvRow([source, String(line), outcome, reason, what, title ?? '', id ?? '']),
      );
      await file.writeFile(rows.join(''));
    },
    close: () => file.close(),
  };
}
