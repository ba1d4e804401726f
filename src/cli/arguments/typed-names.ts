import { refusedInput } from '../../domain/refused-input.ts';
import { AppError } from '../../errors.ts';

/** What was typed to run an operation. */
export interface Typed {
  /** The words of the command. */
  words: readonly string[];
  /** How each field of the input is called on the command line, by its path: `--tag`, `<id>`. */
  names: ReadonlyMap<string, string>;
}

/**
 * An error about the input of a command, with the flags and arguments in place of the fields, which nobody typed. A
 * message without problems of fields names a field in backticks.
 */
export function withTypedNames(error: unknown, { words, names }: Typed): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.fields.length === 0) {
    const message = error.message.replaceAll(/`(\w{1,60})`/g, (field, name: string) => names.get(name) ?? field);
    return new AppError(error.code, message, { cause: error });
  }
  const problems = error.fields.map(({ path, message }) => {
    // An entry of a list came by the flag of the list.
    const field = path.replace(/\.\d{1,9}$/, '');
    return { path: names.get(field) ?? path, message };
  });
  const { message } = refusedInput(`The input of \`commonplace ${words.join(' ')}\` is not valid.`, problems);
  return new AppError(error.code, message, { fields: error.fields, cause: error });
}
