import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';

/** What is said of a file of lines that does not fit, behind its path or its line. */
export interface LinesWords {
  unreadable: string;
  wrongLine: string;
}

/**
 * Reads a file of one thing a line; blank lines are passed over.
 * @throws {AppError} `invalid_input` naming the file, or the line that `parse` throws at
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
