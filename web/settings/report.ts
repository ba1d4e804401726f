/* The report of an import is a table (CSV) that the server writes: file, line, outcome, reason, address, title, id. */

export interface ReportRow {
  file: string;
  line: string;
  reason: string;
  what: string;
}

/** Entries that were not taken, the first `limit` of them, and how many there are. */
export function leftOut(csv: string, limit: number): { rows: ReportRow[]; total: number } {
  const all = linesOf(csv).filter(([, , outcome = '']) => outcome === 'skipped' || outcome === 'failed');
  const rows = all.slice(0, limit).map(([file = '', line = '', , reason = '', address = '', title = '']) => {
    return { file, line, reason, what: title === '' ? address : title };
  });
  return { rows, total: all.length };
}

/** A cell, and what follows it. */
const cellForm = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/y;

/** The cells of each line (RFC 4180). */
function linesOf(csv: string): string[][] {
  const lines: string[][] = [[]];
  cellForm.lastIndex = 0;
  while (cellForm.lastIndex < csv.length) {
    const found = cellForm.exec(csv);
    if (found === null) break;
    const [, quoted, plain = '', after = ''] = found;
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (after !== ',') lines.push([]);
  }
  // The last one is empty, or still being written.
  return lines.slice(0, -1);
}
