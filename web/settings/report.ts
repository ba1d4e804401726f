/* The report of an import is a table (CSV) that the server writes: file, line, outcome, reason, address, title, id. */

export interface ReportRow {
  file: string;
  line: string;
  outcome: string;
  reason: string;
  what: string;
}

/** Entries that were not taken, the first `limit` of them, and how many there are. */
export function leftOut(csv: string, limit: number): { rows: ReportRow[]; total: number } {
  const rows: ReportRow[] = [];
  let total = 0;
  for (const [file = '', line = '', outcome = '', reason = '', address = '', title = ''] of linesOf(csv)) {
    if (outcome !== 'skipped' && outcome !== 'failed') continue;
    total += 1;
    if (rows.length < limit) rows.push({ file, line, outcome, reason, what: title === '' ? address : title });
  }
  return { rows, total };
}

/** The cells of each line (RFC 4180). */
function* linesOf(csv: string): Generator<string[]> {
  let cells: string[] = [];
  let at = 0;
  while (at < csv.length) {
    let cell = '';
    if (csv[at] === '"') {
      for (;;) {
        const end = csv.indexOf('"', at + 1);
        if (end === -1) return;
        cell += csv.slice(at + 1, end);
        at = end + 1;
        if (csv[at] !== '"') break;
        cell += '"';
      }
    } else {
      const start = at;
      while (at < csv.length && csv[at] !== ',' && csv[at] !== '\r' && csv[at] !== '\n') at += 1;
      cell = csv.slice(start, at);
    }
    cells.push(cell);
    if (csv[at] === ',') {
      at += 1;
      continue;
    }
    yield cells;
    cells = [];
    while (csv[at] === '\r' || csv[at] === '\n') at += 1;
  }
}
