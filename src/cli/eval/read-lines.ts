import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';

/** Error texts for an unreadable file and an invalid line; they follow the path or the line number. */
export interface LinesWords {
  unreadable: string;
  wrongLine: string;
}

/**
 * Reads a file with one value per line; blank lines are skipped.
 * @throws {AppError} `invalid_input` naming the file, or the line for which `parse` throws
 */
export async function readLines<T>(
  path: string,
  words: LinesWords,
  parse: (line: string) => T,
): Promise<{ line: number; value: T }[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new AppError('invalid_input', `${path} ${words.unreadable}`, { cause: error });
  }
  return text.split('\n').flatMap((row, index) => {
    if (row.trim() === '') return [];
    try {
      return [{ line: index + 1, value: parse(row.replace(/\r$/, '')) }];
    } catch (error) {
      throw new AppError('invalid_input', `${path}, line ${index + 1} ${words.wrongLine}`, { cause: error });
    }
  });
}
