import { open } from 'node:fs/promises';
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
  await file.writeFile(row(columns));
  return {
    path,
    async add(results) {
      const rows = results.map(({ file: source, line, outcome, reason, what, title, id }) =>
        row([source, String(line), outcome, reason, what, title ?? '', id ?? '']),
      );
      await file.writeFile(rows.join(''));
    },
    close: () => file.close(),
  };
}

function row(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** A spreadsheet would run a text from outside that begins like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
