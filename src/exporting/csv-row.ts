/* A separate file, because the start of the program loads it and not the exporter. */

/** A spreadsheet would run a text from outside that begins like a formula. Japanese ones know the wide signs as well. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** A row of a table (CSV, RFC 4180). */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
