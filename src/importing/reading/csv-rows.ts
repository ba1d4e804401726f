import type { FileEnding } from './export-files.ts';

/** A longer field is cut, and a longer row loses its last fields. */
const maxFieldLength = 1_000_000;
const maxFields = 200;
const maxHeaderLength = 20_000;

/**
 * Reads comma-separated values (RFC 4180): fields in quotation marks may hold commas, line breaks, and quotation marks
 * written twice. Empty lines are skipped. Takes time in proportion to the text.
 */
export async function* csvRows(
  chunks: AsyncIterable<string>,
  separator = ',',
  ending?: FileEnding,
): AsyncGenerator<string[]> {
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  /** The last character was a quotation mark inside a quoted field: its end, or half of an escaped one. */
  let isAfterQuote = false;
  let isFirst = true;
  const endField = (): void => {
    if (row.length < maxFields) row.push(field);
    field = '';
  };
  for await (const chunk of chunks) {
    let from = 0;
    const take = (to: number): void => {
      if (to > from && field.length < maxFieldLength)
        field += chunk.slice(from, to).slice(0, maxFieldLength - field.length);
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const character = chunk.charAt(at);
      if (isFirst) {
        isFirst = false;
        if (character === '\ufeff') {
          from = at + 1;
          continue;
        }
      }
      if (isAfterQuote) {
        isAfterQuote = false;
        if (character === '"') {
          if (field.length < maxFieldLength) field += '"';
          from = at + 1;
          continue;
        }
        isQuoted = false;
        from = at;
      }
      if (isQuoted) {
        if (character !== '"') continue;
        take(at);
        from = at + 1;
        isAfterQuote = true;
      } else if (character === '"' && field === '' && from === at) {
        isQuoted = true;
        from = at + 1;
      } else if (character === separator) {
        take(at);
        endField();
        from = at + 1;
      } else if (character === '\n' || character === '\r') {
        take(at);
        from = at + 1;
        if (row.length > 0 || field !== '') {
          endField();
          yield row;
          row = [];
        }
      }
    }
    if (!isAfterQuote) take(chunk.length);
  }
  if (row.length > 0 || field !== '') {
    endField();
    yield row;
  }
  if (isQuoted && !isAfterQuote && ending !== undefined)
    ending.fault =
      'a quotation mark is never closed: all that follows it was read as one field. Close it, and import the file again';
}

/** The field separator of a table: a comma, a semicolon or a tab, whichever occurs most in its first line outside quotation marks. */
export function separatorOf(head: string): string {
  const text = head.trimStart();
  const [, declared] = /^sep=([,;\t])\r?\n/i.exec(text) ?? [];
  if (declared !== undefined) return declared;
  const widths = [',', ';', '\t'].map((separator) => ({ separator, width: firstFields(text, separator).length }));
  return widths.toSorted((one, other) => other.width - one.width)[0]?.separator ?? ',';
}

export function firstFields(head: string, separator: string): string[] {
  const fields: string[] = [];
  let [field, isQuoted] = ['', false];
  for (const character of head.slice(0, maxHeaderLength)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && character === separator) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  return [...fields, field];
}
